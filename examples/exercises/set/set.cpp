#include "examples/exercises/set/set.h"

#include <fmt/format.h>

#include <memory>

#include "core/core.h"
#include "core/options/edit_distance.h"

namespace gradus::exercises {

Array drawn(const std::string& name, std::vector<int> shape, std::uint64_t seed, double size, double mean) {
  Generator random(seed);
  Shape sizes;
  for (int one : shape) sizes.push_back(one);
  return array_of(name, size * (randn(sizes, DType::f64, random) + mean));
}

Tensor tensor_of(const Array& array) {
  Shape shape;
  for (int size : array.shape) shape.push_back(size);
  return from_vector(array.numbers, shape);
}

Array array_of(const std::string& name, const Tensor& tensor) {
  const Tensor wide = cast(tensor.detach(), DType::f64);
  Array array{name, {}, {}};
  for (int axis = 0; axis < wide.rank(); ++axis) array.shape.push_back(static_cast<int>(wide.size(axis)));
  array.numbers.assign(wide.data<double>(), wide.data<double>() + wide.numel());
  return array;
}

Array checked(const std::string& name, const Tensor& tensor, const std::vector<int>& shape) {
  const std::string expected = fmt::format("[{}]", fmt::join(shape, ", "));
  if (!tensor.defined()) throw WrongShape{name, "of an undefined tensor", expected};
  if (tensor.dtype() != DType::f64)
    throw WrongShape{name, fmt::format("{} in {}", tensor.shape().str(), tensor.dtype()), expected + " in f64"};
  Array array = array_of(name, tensor);
  if (array.shape == shape) return array;
  throw WrongShape{name, fmt::format("[{}]", fmt::join(array.shape, ", ")), expected};
}

void check_unchanged(const Probe& probe, const std::string& input, const Tensor& tensor) {
  if (!(array_of(input, tensor) == probe[input])) throw InputChanged{input};
}

Outputs with_gradients(const Probe& probe, const std::vector<std::string>& names, const std::string& result, const std::vector<int>& shape,
                       const std::function<Tensor(const Tensors&)>& f) {
  Tensors inputs;
  for (const std::string& name : names) inputs.push_back(tensor_of(probe[name]).set_requires_grad());
  const Tensor y = f(inputs);
  for (std::size_t i = 0; i < names.size(); ++i) check_unchanged(probe, names[i], inputs[i]);
  Outputs outputs = {checked(result, y, shape)};
  if (!y.requires_grad()) throw GradientCut{names[0]};
  const Tensors grads = grad({y}, inputs, {.seeds = {tensor_of(probe["g"])}, .allow_unused = true});
  for (std::size_t i = 0; i < names.size(); ++i) {
    outputs.push_back(array_of("dL/d" + names[i], grads[i].defined() ? grads[i] : zeros_like(inputs[i])));
  }
  return outputs;
}

std::function<Outputs(const Probe&, Made)> with_mistakes(const std::vector<Made*>& made, const Function& function) {
  return [=](const Probe& probe, Made these) {
    for (Made* one : made) *one = these;
    const auto reset = [&](const void*) {
      for (Made* one : made) one->reset();
    };
    const std::unique_ptr<const void, decltype(reset)> later(&made, reset);  // other functions of the answer may call these
    return function(probe);
  };
}

Exercise completed(Exercise exercise, const std::vector<Generated>& generated, const Functions& functions) {
  check<ValueError>(exercise.stages.size() == generated.size(), "{}: {} stages for {} functions", exercise.id, exercise.stages.size(),
                    generated.size());
  for (std::size_t i = 0; i < generated.size(); ++i) {
    Stage& stage = exercise.stages[i];
    stage.function = generated[i].name;
    stage.with = with_mistakes({generated[i].made}, functions[i]);
    stage.mistakes = generated[i].mistakes;
    stage.hints = generated[i].hints;
  }
  return exercise;
}

const Exercise& exercise(const std::string& id) {
  for (const Exercise& one : all_exercises()) {
    if (id == one.id) return one;
  }
  throw ValueError(fmt::format("there is no exercise '{}'", id));
}

std::string file_of(const Exercise& exercise) {
  std::string stem = exercise.id;
  for (char& c : stem) c = c == '-' ? '_' : c;
  return fmt::format("{:02}_{}.cpp", exercise.number, stem);
}

}  // namespace gradus::exercises
