// Tensors by name: what a checkpoint holds, and how it gets back into a program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

namespace io {

struct LoadOptions {
  bool strict = true;  // false: load what fits and say what did not
};

// Copies the values of `given` into the tensors of `own`, name by name, cast to their dtype. Returns what does not fit,
// one line each: a tensor that is missing, unexpected, undefined, given twice or of another shape. When strict, any of
// these is a ValueError that lists them all and begins with `caller`, and nothing has changed; else the others are
// loaded.
std::vector<std::string> load_tensors(const char* caller, const NamedTensors& own, const NamedTensors& given,
                                      LoadOptions options = {});

}  // namespace io
}  // namespace gradus
