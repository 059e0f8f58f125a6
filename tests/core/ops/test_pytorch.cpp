// Every row of the op table against PyTorch, in f64 (tests/fixtures/generate.py).
#include <set>

#include "core/autograd/engine.h"
#include "core/io/safetensors.h"
#include "tests/support/check.h"
#include "tests/support/op_table.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// Both sides compute in f64, and their elementary functions are right to a few units in the last place (2.2e-16).
// The longest row (a standard deviation, with its gradient) makes some twenty roundings.
constexpr double kTolerance = 1e-14;

io::SafeTensors read_fixture() { return io::read_safetensors(GRADUS_FIXTURES "/ops.safetensors"); }

struct Expected {
  Expected(const io::SafeTensors& fixture, const OpRow& row) : output(fixture.tensors.at(row.name + "/output")) {
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
      inputs.push_back(fixture.tensors.at(fmt::format("{}/input{}", row.name, i)));
      if (row.smooth == Smooth::none) continue;
      gradients.push_back(fixture.tensors.at(fmt::format("{}/grad{}", row.name, i)));
    }
    if (row.smooth != Smooth::none) cotangent = fixture.tensors.at(row.name + "/cotangent");
  }
  Tensors inputs, gradients;
  Tensor output, cotangent;
};

}  // namespace

TEST_CASE("op table: its rows and PyTorch's are the same") {
  const auto fixture = read_fixture();
  std::set<std::string> in_fixture, in_table, names;
  for (const auto& [key, value] : fixture.tensors) in_fixture.insert(key.substr(0, key.rfind('/')));
  for (const OpRow& row : op_table()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);  // no name twice
    if (!row.in_pytorch) continue;
    in_table.insert(row.name);
    REQUIRE(in_fixture.count(row.name) == 1);
    const Expected expected(fixture, row);
    for (std::size_t i = 0; i < row.inputs.size(); ++i) CHECK(expected.inputs[i].shape() == row.inputs[i].shape);
  }
  CHECK(in_fixture == in_table);
}

TEST_CASE("every op: values equal PyTorch's") {
  const auto fixture = read_fixture();
  for (const OpRow& row : op_table()) {
    if (!row.in_pytorch) continue;
    CAPTURE(row.name);
    const Expected expected(fixture, row);
    CHECK(difference(row.function(expected.inputs), expected.output, kTolerance) == "");
  }
}

TEST_CASE("every op: gradients equal PyTorch's") {
  const auto fixture = read_fixture();
  for (const OpRow& row : op_table()) {
    if (row.smooth == Smooth::none || !row.in_pytorch) continue;
    CAPTURE(row.name);
    Expected expected(fixture, row);
    for (Tensor& input : expected.inputs) input.set_requires_grad();
    const Tensor y = row.function(expected.inputs);
    const Tensors found = grad({y}, expected.inputs, {.seeds = {expected.cotangent}});
    for (std::size_t i = 0; i < found.size(); ++i) {
      CAPTURE(i);
      CHECK(difference(found[i], expected.gradients[i], kTolerance) == "");
    }
  }
}

TEST_CASE("every constant op: its result is not on the tape") {
  for (const OpRow& row : op_table()) {
    if (row.smooth != Smooth::none) continue;
    CAPTURE(row.name);
    CHECK_FALSE(row.function(make_inputs(row, DType::f64, true)).requires_grad());
  }
}
