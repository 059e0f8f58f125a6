#include "examples/shared/training/causality.h"

#include <algorithm>
#include <cmath>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tensor/observer.h"

namespace gradus::examples {

namespace {

void check_shapes(const char* name, const Tensor& in, const Tensor& out) {
  check<ShapeError>(in.rank() == 3 && out.rank() == 3 && in.size(0) == 1 && out.size(0) == 1,
                    "{}: expected [1, S, C] to [1, T, D], got {} to {}", name, in.shape(), out.shape());
}

}  // namespace

std::vector<std::vector<double>> causality_map(const std::function<Tensor(const Tensor&)>& f, const Tensor& x) {
  const Observing unseen{nullptr};  // a measurement: none of the program's own walks
  const Tensor in = x.detached_copy().set_requires_grad();
  const Tensor out = f(in);
  check_shapes("causality_map", in, out);
  std::vector<std::vector<double>> map;
  for (int64_t t = 0; t < out.size(1); ++t) {
    Tensor squares = zeros({in.size(1)}, DType::f64);
    for (int64_t channel = 0; channel < out.size(2); ++channel) {
      Tensor seed = zeros_like(out);
      seed.set({0, t, channel}, 1);
      const Tensor row = grad({out}, {in}, {.seeds = {seed}, .retain_graph = true, .allow_unused = true})[0];
      if (row.defined()) squares = squares + sum(square(cast(row[0], DType::f64)), -1);
    }
    map.push_back(to_vector(sqrt(squares)));
  }
  return map;
}

double greatest_of_future(const std::vector<std::vector<double>>& map) {
  double most = 0;
  for (std::size_t t = 0; t < map.size(); ++t) {
    for (std::size_t s = t + 1; s < map[t].size(); ++s) most = std::max(most, map[t][s]);
  }
  return most;
}

FutureSeen probe_future(const std::function<Tensor(const Tensor&)>& f, const Tensor& x, Generator& generator) {
  const Observing unseen{nullptr};
  const Tensor in = x.detached_copy().set_requires_grad();
  const Tensor out = f(in);
  check_shapes("probe_future", in, out);
  FutureSeen seen;
  for (int64_t t = 0; t < out.size(1); ++t) {
    Tensor direction = zeros_like(out);
    for (int64_t channel = 0; channel < out.size(2); ++channel) direction.set({0, t, channel}, 2 * generator.uniform() - 1);
    const Tensor row = grad({out}, {in}, {.seeds = {direction}, .retain_graph = true, .allow_unused = true})[0];
    if (!row.defined()) continue;
    const std::vector<double> of_inputs = to_vector(sqrt(sum(square(cast(row[0], DType::f64)), -1)));
    for (auto s = static_cast<std::size_t>(t) + 1; s < of_inputs.size(); ++s) {
      if (of_inputs[s] > seen.derivative) seen = {of_inputs[s], t, static_cast<int64_t>(s)};
    }
  }
  return seen;
}

}  // namespace gradus::examples
