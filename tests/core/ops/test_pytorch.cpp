// Every row of the op table against PyTorch, in f64 (tests/fixtures/generate.py). A row that the fixture lacks is compared
// with plain numbers instead (test_in_numbers.cpp).
#include <set>

#include "core/autograd/engine.h"
#include "core/io/safetensors.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"
#include "tests/support/op_table.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// Both sides compute in f64, and their elementary functions are right to a few units in the last place (2.2e-16).
// The longest row (a standard deviation, with its gradient) makes some twenty roundings.
constexpr double kTolerance = 1e-14;

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

bool in_fixture(const io::SafeTensors& fixture, const OpRow& row) { return fixture.tensors.count(row.name + "/output") == 1; }

// The rows that PyTorch has a say in.
std::vector<OpRow> rows_in(const io::SafeTensors& fixture) {
  std::vector<OpRow> rows;
  for (const OpRow& row : op_table()) {
    if (in_fixture(fixture, row)) rows.push_back(row);
  }
  return rows;
}

}  // namespace

TEST_CASE("op table: every row has PyTorch's values or plain numbers to be compared with; every row of PyTorch's is in the table") {
  const auto fixture = read_fixture("ops.safetensors");
  std::set<std::string> names;
  for (const OpRow& row : op_table()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);  // no name twice
    if (!in_fixture(fixture, row)) {
      CHECK_MESSAGE(row.in_numbers, "nothing checks what ", row.name,
                    " computes: end its row in op_table.cpp with the element in "
                    "plain numbers, as in Smooth::twice, [](Numbers x) { return x[0] * x[0]; }; or, if it is not elementwise, "
                    "add a row of its name to tests/fixtures/generate.py");
      MESSAGE(row.name,
              ": not compared with PyTorch (no row in tests/fixtures/generate.py); its values with plain numbers, its "
              "derivatives with differences");
      continue;
    }
    const Expected expected(fixture, row);
    for (std::size_t i = 0; i < row.inputs.size(); ++i) CHECK(expected.inputs[i].shape() == row.inputs[i].shape);
  }
  for (const auto& [key, value] : fixture.tensors) {
    CHECK_MESSAGE(names.count(key.substr(0, key.rfind('/'))) == 1, key, " is in ops.safetensors, but has no row in op_table.cpp");
  }
}

TEST_CASE("every op: values equal PyTorch's") {
  const auto fixture = read_fixture("ops.safetensors");
  for (const OpRow& row : rows_in(fixture)) {
    CAPTURE(row.name);
    const Expected expected(fixture, row);
    CHECK(difference(row.function(expected.inputs), expected.output, kTolerance) == "");
  }
}

TEST_CASE("every op: gradients equal PyTorch's") {
  const auto fixture = read_fixture("ops.safetensors");
  for (const OpRow& row : rows_in(fixture)) {
    if (row.smooth == Smooth::none) continue;
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
