// An optimizer step over ten million parameters, and the gradient norm: bytes read and written in a second.
#include "optim/optim.h"
#include "tests/bench/bench.h"

namespace gradus::bench {
namespace {

constexpr int64_t kCount = 10'000'000;
constexpr double kBufferBytes = 4.0 * kCount;

Tensor parameter_with_gradient() {
  Tensor parameter = leaf({kCount});
  parameter.set_grad(randn({kCount}));
  return parameter;
}

void adamw(benchmark::State& state) {
  optim::AdamW optimizer({{.parameters = {{"weight", parameter_with_gradient()}}, .weight_decay = 0.1}});
  for (auto _ : state) optimizer.step(1e-3);
  rate_of(state, "bytes", 7 * kBufferBytes);  // reads θ, g, m, v; writes θ, m, v
}

void gradient_norm(benchmark::State& state) {
  const Tensor parameter = parameter_with_gradient();
  // A limit that is never reached: what is measured is the norm.
  for (auto _ : state) benchmark::DoNotOptimize(optim::clip_grad_norm({parameter}, 1e6));
  rate_of(state, "bytes", kBufferBytes);
}

const bool added[] = {
    add_benchmark("optim/adamw_10M", adamw),
    add_benchmark("optim/gradient_norm_10M", gradient_norm),
};

}  // namespace
}  // namespace gradus::bench
