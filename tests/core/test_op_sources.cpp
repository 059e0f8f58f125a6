// The table that says where each op is written, against the sources themselves.
#include <algorithm>

#include "core/inspect/op_sources.h"
#include "core/tape/node.h"
#include "tests/core/sources.h"
#include "tests/support/check.h"
#include "tests/support/op_table.h"

using namespace gradus;
using test::mentions;
using test::text_of;

TEST_CASE("op sources: each op of the table knows where it is written, and its code is what stands there") {
  for (const test::OpRow& row : test::op_table()) {
    if (row.smooth == test::Smooth::none) continue;
    Tensors pending{row.function(test::make_inputs(row, DType::f64, true))};
    while (!pending.empty()) {
      const Tensor y = pending.back();
      pending.pop_back();
      if (y.node() == nullptr) continue;
      const inspect::OpSource* source = inspect::source_of(y.node()->name());
      REQUIRE_MESSAGE(source != nullptr, row.name, ": ", y.node()->name());
      const std::string text = text_of(source->file);
      CHECK_MESSAGE(mentions(text, source->code), y.node()->name());
      const auto before = text.substr(0, text.find(source->code));
      CHECK(source->line == 1 + std::count(before.begin(), before.end(), '\n'));
      CHECK(source->rule_line >= source->line);
      CHECK_MESSAGE(!source->formulas.empty(), y.node()->name());
      CHECK_MESSAGE(!source->parameters.empty(), y.node()->name());
      for (std::size_t i = 0; i < y.node()->input_count(); ++i) pending.push_back(y.node()->input(i));
    }
  }
  CHECK(inspect::source_of("no such op") == nullptr);
}

TEST_CASE("op sources: each op with a fast path has its formula there") {
  for (const auto& [path, text] : test::sources({"nn"}, {".cpp"})) {
    for (const std::string& name : test::found(text, R"re(fused\(\s*"(\w+)")re")) {
      CHECK_MESSAGE(inspect::source_of(name) != nullptr, path, ": ", name);
      if (inspect::source_of(name) != nullptr) CHECK_MESSAGE(!inspect::source_of(name)->formulas.empty(), path, ": ", name);
    }
  }
}

TEST_CASE("op sources: formula, names of the inputs, region, and the line of the rule") {
  const inspect::OpSource& mul = *inspect::source_of("mul");
  CHECK(mul.file == "core/ops/arithmetic.cpp");
  CHECK(mul.formulas == std::vector<std::string>{"y = a ⊙ b", "dL/da = dL/dy ⊙ b", "dL/db = dL/dy ⊙ a"});
  CHECK(mul.parameters == std::vector<std::string>{"a", "b"});
  CHECK(mul.region == "op-mul");
  CHECK(mul.rule_line == mul.line + 2);
  CHECK(inspect::source_of("max")->file == "core/ops/reduce.cpp");  // named by the function that it is made with
  CHECK(inspect::source_of("slice")->formulas.at(0) == "y[i] = x[start + i·step]");
  const inspect::OpSource& norm = *inspect::source_of("rms_norm");  // fused: the formula is the op
  CHECK(norm.file == "nn/norm/rms_norm.cpp");
  CHECK(norm.region == "norm-rms");
  CHECK(norm.code.find("Tensor formula::rms_norm(") == 0);
  CHECK(inspect::source_of("cross_entropy")->formulas.at(0) == "y = log Σ e^z - z[target]");
  CHECK(inspect::source_of("rope")->formulas.size() == 2);
  CHECK(inspect::source_of("mish")->formulas == std::vector<std::string>{"y = x * gradus::tanh(softplus(x))"});
}
