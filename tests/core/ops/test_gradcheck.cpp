// Every row of the op table against central differences: first and second derivatives. And: no op lacks a row.
#include "core/inspect/gradcheck.h"

#include <fstream>
#include <set>

#include "tests/support/check.h"
#include "tests/support/fixture.h"
#include "tests/support/op_table.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// The names declared in a header: "Tensor exp(const Tensor& x);" gives exp.
std::set<std::string> declared_ops(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file.good());
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    for (const std::string type : {"Tensor ", "Tensors ", "Sorted "}) {
      const std::size_t end = line.find('(');
      if (line.rfind(type, 0) != 0 || end == std::string::npos) continue;
      const std::string name = line.substr(type.size(), end - type.size());
      if (name.rfind("operator", 0) != 0) names.insert(name);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("op table: has a row for every op of ops.h") {
  std::set<std::string> rows;
  for (const OpRow& row : op_table()) rows.insert(row.name.substr(0, row.name.find('/')));
  int count = 0;
  for (const char* header : {"/core/ops/ops.h", "/core/composites/composites.h"}) {
    for (const std::string& op : declared_ops(source_root() + header)) {
      CHECK_MESSAGE(rows.count(op) == 1, op, " has no test: add a row to tests/support/op_table.cpp");
      ++count;
    }
  }
  CHECK(count > 90);
}

TEST_CASE("every op: gradients equal central differences") {
  for (const OpRow& row : op_table()) {
    if (row.smooth == Smooth::none || row.smooth == Smooth::kink) continue;
    CAPTURE(row.name);
    const GradcheckReport report = gradcheck(row.function, make_inputs(row, DType::f64));
    CAPTURE(report.text);
    CHECK(report.passed);
    CHECK(report.kinks == 0);
  }
}

TEST_CASE("every op: second derivatives equal central differences of the gradient") {
  for (const OpRow& row : op_table()) {
    if (row.smooth != Smooth::twice) continue;
    CAPTURE(row.name);
    const GradcheckReport report = gradgradcheck(row.function, make_inputs(row, DType::f64));
    CAPTURE(report.text);
    CHECK(report.passed);
  }
}
