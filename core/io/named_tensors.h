// Tensors by name: what a checkpoint holds, and how it gets back into a program.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus {

// What a parameter is to its layer, said where it is declared: initialisation and weight decay go by it, not by names.
enum class Role {
  weight,         // of a linear map
  scores,         // of a linear map to the queries or keys that scores are made of
  writes_stream,  // of a linear map whose result is added to the residual stream
  head,           // of the linear map to the scores of the next id
  table,          // a row for each id or position
  gain,           // multiplies its input, element by element
  bias,           // is added to its input
  other,          // anything else: a slope, a frequency, a buffer
};

// A tensor under its name in a checkpoint, such as "blocks.0.norm.gain".
struct NamedTensor {
  NamedTensor(std::string the_name, Tensor the_tensor, Role the_role = Role::weight)
      : name(std::move(the_name)), tensor(std::move(the_tensor)), role(the_role) {}
  std::string name;
  Tensor tensor;
  Role role;
};
using NamedTensors = std::vector<NamedTensor>;
NamedTensors named(const std::map<std::string, Tensor>& tensors);  // by name, each a Role::weight

namespace io {

// ValueError that begins with `op` if two of these have one name: a checkpoint would mistake one for the other.
void check_names(const NamedTensors& tensors, OpName op = "check_names");

// What becomes of tensors that do not fit.
struct LoadOptions {
  bool strict = true;  // false: load what fits and say what did not
};

// Copies the values of `given` into the tensors of `own`, name by name, cast to the dtype of `own`. Returns what does not
// fit, one line each: a tensor that is missing, unexpected, undefined, given twice, on the tape or of another shape, or one
// whose values the dtype cannot hold: fractions, NaN and what is too large for i64, and finite ones that would become ±∞. When strict, any of
// these is a ValueError that lists them all and begins with `op`, and nothing has changed; else the others are loaded.
// ValueError if two of `own` have one name.
std::vector<std::string> load_tensors(const NamedTensors& own, const NamedTensors& given, LoadOptions options = {},
                                      OpName op = "load_tensors");

}  // namespace io
}  // namespace gradus
