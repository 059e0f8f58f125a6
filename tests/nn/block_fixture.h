// Rows of block.safetensors, or of another file: a module with parameters, its inputs and output, and all gradients, from PyTorch.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/autograd/engine.h"
#include "core/tape/grad_mode.h"
#include "nn/module.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

namespace gradus::test {

using BlockInputsOf = std::function<Tensor(const std::string& key)>;  // a tensor of the row, floating ones as leaves

// One row, with a module in one dtype.
class RowCheck {
 public:
  RowCheck(std::string row, nn::Module& module, DType dtype, const std::string& file)
      : row_(std::move(row)), module_(module), dtype_(dtype), tolerance_(dtype == DType::f64 ? 1e-13 : 1e-5), fixture_(read_fixture(file)) {
    module_.to(dtype);
    nn::NamedTensors state;
    for (const auto& [key, tensor] : fixture_.tensors) {
      const std::string prefix = row_ + "/state/";
      if (key.rfind(prefix, 0) == 0) state.emplace_back(key.substr(prefix.size()), tensor);
    }
    module_.load_state_dict(state);  // throws unless the paths are the same
  }

  std::string run(const std::function<Tensor(const BlockInputsOf&)>& f) {
    const Tensor y = f([this](const std::string& key) { return input(key); });
    expect("output", y, at("output"));
    Tensors wanted, expected;
    int64_t offset = 0;  // the parameters' gradients lie end to end, in order of their paths
    for (const auto& [path, parameter] : sorted_parameters()) {
      wanted.push_back(parameter);
      expected.push_back(reshape(slice(at("grad/state"), 0, offset, offset + parameter.numel()), parameter.shape()));
      names_.push_back(path);
      offset += parameter.numel();
    }
    for (const auto& [key, leaf] : inputs_) {
      if (!is_floating(leaf.dtype())) continue;
      wanted.push_back(leaf);
      expected.push_back(at("grad/input/" + key));
      names_.push_back(key);
    }
    const Tensors found = grad({y}, wanted, {.seeds = {cast(at("cotangent"), dtype_)}});
    for (std::size_t i = 0; i < found.size(); ++i) expect("gradient of " + names_[i], found[i], expected[i]);
    return problems_;
  }

 private:
  const Tensor& at(const std::string& key) const { return fixture_.tensors.at(row_ + "/" + key); }

  std::map<std::string, Tensor> sorted_parameters() {
    std::map<std::string, Tensor> sorted;
    for (const auto& [path, parameter, role] : module_.named_parameters()) sorted.emplace(path, parameter);
    return sorted;
  }

  Tensor input(const std::string& key) {
    Tensor value = at("input/" + key);
    if (is_floating(value.dtype())) value = cast(value, dtype_).detached_copy().set_requires_grad();
    return inputs_.emplace(key, value).first->second;
  }

  void expect(const std::string& what, const Tensor& actual, const Tensor& expected) {
    const std::string wrong = difference(actual, expected, tolerance_);
    if (!wrong.empty()) problems_ += fmt::format("{}: {}: {}: {}\n", row_, dtype_, what, wrong);
  }

  std::string row_;
  nn::Module& module_;
  DType dtype_;
  double tolerance_;  // relative to the largest element: roundings of some hundred ops, one after the other
  io::SafeTensors fixture_;
  std::map<std::string, Tensor> inputs_;
  std::vector<std::string> names_;
  std::string problems_;
};

// Loads the row's parameters into `module`, whose paths must be the row's, and compares what `run` makes of the row's
// inputs, and the gradients of parameters and inputs along the row's cotangent: in f64, in f32, and by the formulas.
// "" or what differs.
inline std::string against_block_fixture(const std::string& row, nn::Module& module,
                                         const std::function<Tensor(const BlockInputsOf& input)>& run,
                                         const std::string& file = "block.safetensors") {
  std::string problems;
  for (const DType dtype : {DType::f64, DType::f32}) problems += RowCheck(row, module, dtype, file).run(run);
  const FormulaOnly readable;
  return problems + RowCheck(row, module, DType::f64, file).run(run);
}

}  // namespace gradus::test
