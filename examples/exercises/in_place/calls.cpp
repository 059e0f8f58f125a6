#include "examples/exercises/in_place/calls.h"

#include "core/core.h"

namespace gradus::exercises {

Tensors gradients_by(const Function& rule, std::vector<Array> inputs) {
  const GradMode on(true);
  Tensors gradients;
  for (const Array& one : rule({"in place", std::move(inputs)})) {
    if (one.name.rfind("dL/d", 0) == 0) gradients.push_back(tensor_of(one));
  }
  return gradients;
}

Array as_array(const std::string& name, const Shape& shape) {
  return array(name, {shape.rank()}, std::vector<double>(shape.begin(), shape.end()));
}

Tensor own_value(const char* name, const Tensor& value, const Tensors& inputs, const TensorsFunction& library) {
  return record_joint(name, value, inputs, [=, count = inputs.size()](const Step& step) {
    Tensors given;
    for (std::size_t i = 0; i < count; ++i) given.push_back(step.input(static_cast<int>(i)));
    return vjp(library, given, {step.grad});
  });
}

Functions right_functions(const std::string& id) {
  Functions functions;
  for (const Stage& stage : exercise(id).stages) functions.push_back(stage.right);
  return functions;
}

}  // namespace gradus::exercises
