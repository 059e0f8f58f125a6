// Tensors of several threads in one graph: numbers and versions are unique in the process, and an order that would not be
// one is refused.
#include <functional>
#include <set>
#include <thread>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// The counts of live tensors are each thread's own, so what one thread makes and another drops stays out of the test's.
void apart(const std::function<void()>& body) { std::thread(body).join(); }

Tensor in_another_thread(const std::function<Tensor()>& make) {
  Tensor made;
  std::thread([&] { made = make(); }).join();
  return made;
}

}  // namespace

TEST_CASE("number: tensors of two threads never share one, and within a thread they rise") {
  std::set<std::uint64_t> numbers;
  const auto collect = [&] {
    std::uint64_t last = 0;
    for (int i = 0; i < 1000; ++i) {
      const Tensor x = zeros({});
      CHECK(x.number() > last);
      last = x.number();
      CHECK(numbers.insert(last).second);
    }
  };
  collect();
  std::thread(collect).join();
  std::thread(collect).join();
  collect();
}

TEST_CASE("backward: leaves made in two threads each get their gradient") {
  apart([] {
    const auto leaf = [](const Nested& values) { return [values] { return tensor(values).set_requires_grad(); }; };
    const Tensor a = in_another_thread(leaf({1, 2})), b = in_another_thread(leaf({10, 20}));
    sum(a * b).backward();  // here, in a third thread, numbers begin later
    CHECK(to_vector(a.grad()) == Values{10, 20});
    CHECK(to_vector(b.grad()) == Values{1, 2});
  });
}

TEST_CASE("record: an input that requires a gradient and has a later number, from another thread, is refused; data is not") {
  apart([] {
    const Tensor own = tensor({1, 2}).set_requires_grad();  // this thread has its block of numbers by now
    const Tensor data = in_another_thread([] { return tensor({3, 4}); });
    const Tensor parameter = in_another_thread([] { return tensor({3, 4}).set_requires_grad(); });
    CHECK(parameter.number() > zeros({}).number());
    CHECK_THROWS_WITH_AS(own * parameter,
                         "mul: the recorded value (shape [2]) is not newer than its input (shape [2]); "
                         "make it from its inputs, in their thread",
                         GraphError);
    sum(own * data).backward();
    CHECK(to_vector(own.grad()) == Values{3, 4});
  });
}

// In a thread of its own, whose versions would otherwise begin where those of the inner thread do.
TEST_CASE("version: a change made in another thread is never taken for the state that was saved") {
  apart([] {
    const Tensor w = tensor({1, 2}).set_requires_grad();
    Tensor x = tensor({3, 4});
    const Tensor y = sum(w * x);
    const std::uint32_t saved = x.version();
    apart([&] {
      for (int change = 0; change < 100; ++change) {
        x.fill(change);
        CHECK(x.version() != saved);
      }
    });
    CHECK_THROWS_AS(y.backward(), GraphError);
  });
}

TEST_CASE("backward: an input that came to require a gradient after it was recorded is refused") {
  const Tensor w = tensor({1, 2}).set_requires_grad();
  Tensor x = tensor({3, 4});
  const Tensor y = sum(w * x);
  x.set_requires_grad();
  CHECK_THROWS_WITH_AS(y.backward(),
                       "mul: input 1 (shape [2]) came to require a gradient after it was recorded; call "
                       "set_requires_grad before",
                       GraphError);
}

TEST_CASE("set_grad: a gradient with a graph is refused: tensor and graph would hold each other") {
  const Tensor p = tensor({1, 2}).set_requires_grad();
  const int64_t before = live_tensors();
  CHECK_THROWS_AS(p.set_grad(p * p), GraphError);
  CHECK(live_tensors() == before);
  p.set_grad((p * p).detach());
  CHECK(to_vector(p.grad()) == Values{1, 4});
}
