// The number of threads changes no bit of what an optimizer, clipping or averaging does.
#include "core/composites/composites.h"
#include "core/tensor/random.h"
#include "optim/clip.h"
#include "optim/ema.h"
#include "optim/optimizer_table.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

NamedTensors parameters() {
  Generator generator(1);
  NamedTensors named;
  for (const Shape& shape : {Shape{300, 200}, Shape{70'001}}) {
    const Tensor p = randn(shape, DType::f32, generator).set_requires_grad();
    p.set_grad(randn(shape, DType::f32, generator));
    named.emplace_back(shape.str(), p);
  }
  return named;
}

Tensors values_of(const NamedTensors& named) {
  Tensors values;
  for (const NamedTensor& p : named) values.push_back(p.tensor.detached_copy());
  return values;
}

}  // namespace

TEST_CASE("optimizers: the same bits on 1, 2 and 3 threads, of every row of the table") {
  for (const auto& row : optim::optimizers().variants) {
    CHECK(thread_dependence(std::string(row.name), [&] {
            const NamedTensors named = parameters();
            const auto optimizer = row.value(named);
            for (int step = 0; step < 2; ++step) optimizer->step(0.01);
            return values_of(named);
          }) == "");
  }
}

TEST_CASE("optim-clip: the same bits on 1, 2 and 3 threads") {
  CHECK(thread_dependence("clip_grad_norm", [] {
          const NamedTensors named = parameters();
          const double norm = optim::clip_grad_norm({named[0].tensor, named[1].tensor}, 1);
          return Tensors{tensor(norm, DType::f64), named[0].tensor.grad(), named[1].tensor.grad()};
        }) == "");
}

TEST_CASE("optim-ema: the same bits on 1, 2 and 3 threads") {
  CHECK(thread_dependence("MovingAverage", [] {
          const NamedTensors named = parameters();
          optim::MovingAverage average(named, 0.9);
          for (const NamedTensor& p : named) Tensor(p.tensor).assign(p.tensor.grad());
          average.update();
          return values_of(average.state());
        }) == "");
}
