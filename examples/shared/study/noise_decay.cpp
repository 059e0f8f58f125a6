#include "examples/shared/study/noise_decay.h"

#include "core/core.h"

namespace gradus::examples {

double left_in_noise(const MakeOptimizer& make, double scale, int64_t steps, std::uint64_t seed) {
  Tensor w = ones({256}).set_requires_grad();
  const std::unique_ptr<optim::Optimizer> optimizer = make(w);
  Generator noise(seed);
  for (int64_t t = 0; t < steps; ++t) {
    w.set_grad(scale * randn({256}, DType::f32, noise));
    optimizer->step();
  }
  return mean(w.detach()).item();
}

}  // namespace gradus::examples
