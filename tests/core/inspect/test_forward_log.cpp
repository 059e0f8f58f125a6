// ForwardLog: nests, keeps nothing alive, knows long chains, and says what it cannot know.
#include "core/inspect/forward_log.h"

#include "core/core.h"
#include "core/inspect/anomaly.h"
#include "core/inspect/severed.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;
using inspect::ForwardLog;
using inspect::Severed;
using inspect::severed;

template <typename T> constexpr bool on_the_heap = requires { new T; };
static_assert(!on_the_heap<inspect::ForwardLog> && !on_the_heap<inspect::AnomalyMode> && on_the_heap<Tensor>);  // scopes nest

TEST_CASE("forward log: of two the inner one is active") {
  const Tensor w = tensor({1, 2}).set_requires_grad();
  {
    const ForwardLog first;
    {
      const ForwardLog second;
      CHECK(ForwardLog::active() == &second);
    }
    CHECK(ForwardLog::active() == &first);
    {
      const Tensor y = w * 2;
    }
    CHECK(first.made().size() == 1);
  }
  CHECK(Observing::innermost() == nullptr);
}

TEST_CASE("forward log: keeps no tensor alive, and is told of nothing once it is gone") {
  const Tensor w = tensor({1, 2}).set_requires_grad();
  const auto tensors = live_tensors();
  const auto nodes = live_nodes();
  {
    ForwardLog log;
    {
      const Tensor y = sin(w * 2).detach();
    }
    CHECK(log.made().size() == 3);
    CHECK(live_tensors() == tensors);
    CHECK(live_nodes() == nodes);
    CHECK(ForwardLog::active() == &log);
  }
  CHECK(ForwardLog::active() == nullptr);
  CHECK(Observing::innermost() == nullptr);
}

TEST_CASE("severed: a chain of 100,000 ops is searched without recursion") {
  ForwardLog log;
  const Tensor w = tensor(1).set_requires_grad(), h = tensor(1).set_requires_grad();
  Tensor y = w;
  for (int i = 0; i < 100'000; ++i) y = -y;
  y = y.detach();
  const auto cut = y.number();
  for (int i = 0; i < 100'000; ++i) y = -y;
  const std::vector<Severed> lost = severed(y * h, NamedTensors{{"w", w}, {"h", h}});
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].str() == fmt::format("w: cut by detach() at #{} []", cut));
}

TEST_CASE("severed: a log that was made after the loss knows nothing of it, and that is said") {
  const Tensor w = ones({2}).set_requires_grad();
  const Tensor loss = sum(w * w.detach());
  const ForwardLog late;
  CHECK_THROWS_WITH_AS(severed(loss, NamedTensors{{"w", w}}),
                       "severed: the ForwardLog was made after the loss; make it before the "
                       "model is called",
                       GraphError);
}
