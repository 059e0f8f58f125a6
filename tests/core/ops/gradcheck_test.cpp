// Every row of the op table against central differences: first and second derivatives. And: no op lacks a row.
#include "core/autograd/gradcheck.h"

#include <fstream>
#include <regex>
#include <set>

#include "tests/support/check.h"
#include "tests/support/op_table.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// The names declared in a header: "Tensor exp(const Tensor& x);" gives exp.
std::set<std::string> declared_ops(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file.good());
  const std::regex declaration("^(Tensor|Tensors|Sorted) ([a-z0-9_]+)\\(.*");
  std::set<std::string> names;
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_match(line, match, declaration)) names.insert(match[2]);
  }
  return names;
}

}  // namespace

TEST_CASE("op table: has a row for every op of ops.h and broadcast.h") {
  std::set<std::string> rows;
  for (const OpRow& row : op_table()) rows.insert(row.name.substr(0, row.name.find('/')));
  const std::string core = GRADUS_FIXTURES "/../../core/";
  int count = 0;
  for (const char* header : {"ops/ops.h", "autograd/broadcast.h"}) {
    for (const std::string& op : declared_ops(core + header)) {
      CAPTURE(op);
      CHECK(rows.count(op) == 1);
      ++count;
    }
  }
  CHECK(count > 80);
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
