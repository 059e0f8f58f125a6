#include "core/inspect/forward_log.h"

#include <memory>

#include "core/core.h"
#include "tests/support/check.h"

using namespace gradus;
using inspect::ForwardLog;

TEST_CASE("forward log: logs may go in any order") {
  const Tensor w = tensor({1, 2}).set_requires_grad();
  auto first = std::make_unique<ForwardLog>(), second = std::make_unique<ForwardLog>(), third = std::make_unique<ForwardLog>();
  second.reset();
  CHECK(ForwardLog::active() == third.get());
  third.reset();
  CHECK(ForwardLog::active() == first.get());
  { const Tensor y = w * 2; }
  CHECK(first->made().size() == 1);
  first.reset();
  CHECK(ForwardWatch::current() == nullptr);
}
