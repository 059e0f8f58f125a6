// Between a model's tensors and a student's functions of arrays.
#pragma once

#include <string>
#include <vector>

#include "core/autograd/vjp.h"
#include "core/tape/grad_mode.h"
#include "examples/exercises/set/set.h"

namespace gradus::exercises {

// What a function makes of these inputs.
inline Tensors called(const Function& function, std::vector<Array> inputs) {
  const GradMode on(true);  // in a rule, too: the grader's functions ask the engine for gradients
  Tensors outputs;
  for (const Array& one : function({"in place", std::move(inputs)})) outputs.push_back(tensor_of(one));
  return outputs;
}

// The gradients that a rule gives, without the shapes that some give beside them.
Tensors gradients_by(const Function& rule, std::vector<Array> inputs);
Array as_array(const std::string& name, const Shape& shape);

// An op with a student's value and the gradient of the library's function.
Tensor own_value(const char* name, const Tensor& value, const Tensors& inputs, const TensorsFunction& library);

// The right functions of an exercise, those of the grader.
Functions right_functions(const std::string& id);

// The student's function as it was written. ValueError if it is another one.
template <typename F> F* own(const Function& function) {
  F* const written = as_written<F>(function);
  check<ValueError>(written != nullptr, "in place: it is not of this exercise");
  return written;
}

}  // namespace gradus::exercises
