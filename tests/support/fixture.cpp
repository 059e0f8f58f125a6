#include "tests/support/fixture.h"

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "tests/support/check.h"

namespace gradus::test {
namespace {

// Relative to the largest element. No row makes more than some hundred roundings of f64's 1.1e-16.
constexpr double kF64 = 1e-14, kF32 = 1e-5;

}  // namespace

const std::string& source_root() {
  static const std::string root = GRADUS_SOURCE_DIR;
  return root;
}

io::SafeTensors read_fixture(const std::string& file) { return io::read_safetensors(source_root() + "/tests/fixtures/" + file); }

std::string against_pytorch(const std::string& name, const TensorFunction& f, const std::string& file) {
  const io::SafeTensors fixture = read_fixture(file);
  const auto& row = fixture.tensors;
  std::string problems;
  const auto compare = [&](const std::string& what, const Tensor& actual, const Tensor& expected, double tolerance) {
    const std::string wrong = difference(actual, expected, tolerance);
    if (!wrong.empty()) problems += fmt::format("{}: {}: {}\n", name, what, wrong);
  };
  for (const auto& [dtype, tolerance] : {std::pair{DType::f64, kF64}, {DType::f32, kF32}}) {
    for (const bool readable : {false, true}) {
      const FormulaOnly mode(readable);
      const std::string path = fmt::format("{}{}", dtype, readable ? " by the formula" : "");
      Tensors inputs;
      for (int i = 0; row.count(fmt::format("{}/input{}", name, i)) != 0; ++i) {
        inputs.push_back(cast(row.at(fmt::format("{}/input{}", name, i)), dtype).detached_copy().set_requires_grad());
      }
      const Tensor y = f(inputs);
      compare(path + " output", y, row.at(name + "/output"), tolerance);
      const Tensors found = grad({y}, inputs, {.seeds = {cast(row.at(name + "/cotangent"), dtype)}});
      for (std::size_t i = 0; i < found.size(); ++i) {
        compare(fmt::format("{} gradient {}", path, i), found[i], row.at(fmt::format("{}/grad{}", name, i)), tolerance);
      }
    }
  }
  return problems;
}

}  // namespace gradus::test
