// The main function of every test program. It also watches that no test case leaves tensors, nodes or memory of the
// pool behind: what is alive after a case must be what was alive before.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "core/machine/pool.h"
#include "core/tape/node.h"
#include "core/tensor/tensor.h"

namespace {

struct Alive {
  std::int64_t tensors = gradus::live_tensors();
  std::int64_t nodes = gradus::live_nodes();
  std::size_t bytes = gradus::pool::live_bytes();
};

int cases_that_leaked = 0;

class LeakCheck : public doctest::IReporter {
 public:
  explicit LeakCheck(const doctest::ContextOptions&) {}

  void test_case_start(const doctest::TestCaseData& test) override {
    name_ = test.m_name;
    before_ = Alive();
  }

  void test_case_end(const doctest::CurrentTestCaseStats&) override {
    const Alive after;
    if (after.tensors == before_.tensors && after.nodes == before_.nodes && after.bytes == before_.bytes) return;
    ++cases_that_leaked;
    fmt::print("LEAK in test case \"{}\": tensors {} → {}, nodes {} → {}, bytes {} → {}\n", name_, before_.tensors, after.tensors,
               before_.nodes, after.nodes, before_.bytes, after.bytes);
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  const char* name_ = "";
  Alive before_;
};

}  // namespace

REGISTER_LISTENER("leak check", 1, LeakCheck);

int main(int argc, char** argv) {
  const int failures = doctest::Context(argc, argv).run();
  return failures != 0 ? failures : cases_that_leaked != 0 ? 1 : 0;
}
