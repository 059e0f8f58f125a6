#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/batch_norm_running.h"
#include "nn/norm/batch_norm.h"

namespace gradus::exercises::set {
namespace in_batch_norm_running {
namespace {

// The batches of a probe are below each other.
int samples_of(const Probe& p) { return p.whole("samples"); }
int batches_of(const Probe& p) { return rows_of(p["x"]) / samples_of(p); }

In batch(const Probe& p, int b) {
  const In x = p.in("x");
  return {samples_of(p), x.columns, x[b * samples_of(p)]};
}

struct Moments {
  double mean = 0, squares = 0;  // Σ (x − mean)²
  int n = 0;
};
template <typename Belongs> Moments moments(In x, const Belongs& belongs) {
  Moments all;
  const auto each = [&](const auto& f) {
    for (int i = 0; i < x.rows; ++i) {
      for (int c = 0; c < x.columns; ++c) {
        if (belongs(c)) f(x[i][c]);
      }
    }
  };
  each([&](double one) { all.mean += one, ++all.n; });
  all.mean /= all.n;
  each([&](double one) { all.squares += (one - all.mean) * (one - all.mean); });
  return all;
}
Moments of_channel(In x, int c) {
  return moments(x, [=](int other) { return other == c; });
}

Tensor per_channel(const Array& array) { return reshape(tensor_of(array), {array.shape.back()}); }

Outputs training_right(const Probe& p) {
  const Tensor gain = per_channel(p["gain"]), bias = per_channel(p["bias"]);
  nn::formula::RunningValues running = {per_channel(p["mean"]), per_channel(p["variance"])};
  Tensors y;
  for (const Tensor& x : split(tensor_of(p["x"]), samples_of(p))) {
    y.push_back(nn::batch_norm(x, gain, bias, p.number("eps")));
    running = nn::formula::batch_norm_running(running, x, p.number("momentum"));
  }
  const Shape row = {1, gain.size(0)};
  return {array_of("y", cat(y, 0)), array_of("mean", reshape(running.mean, row)), array_of("variance", reshape(running.variance, row))};
}

std::string is_centred_and_scaled(const Probe& p, const Outputs& outputs) {
  const In gain = p.in("gain"), bias = p.in("bias");
  for (int b = 0; b < batches_of(p); ++b) {
    const In x = batch(p, b), y = {x.rows, x.columns, outputs[0].numbers.data() + b * x.rows * x.columns};
    for (int c = 0; c < x.columns; ++c) {
      const Moments of_x = of_channel(x, c), of_y = of_channel(y, c);
      const double variance = of_x.squares / x.rows;
      const double expected = variance / (variance + p.number("eps")), got = of_y.squares / x.rows / (gain[0][c] * gain[0][c]);
      if (std::abs(of_y.mean - bias[0][c]) > 1e-7)
        return fmt::format("the mean of channel {} is {}, not its bias {}", c, beside(of_y.mean, bias[0][c]),
                           beside(bias[0][c], of_y.mean));
      if (std::abs(got - expected) > 1e-7)
        return fmt::format("the variance of channel {} over gain² is {}, not {}", c, beside(got, expected), beside(expected, got));
    }
  }
  return "";
}

std::string running_mean_is_a_mean(const Probe& p, const Outputs& outputs) {
  for (int c = 0; c < columns_of(p["x"]); ++c) {
    double least = p.in("mean")[0][c], most = least;
    for (int b = 0; b < batches_of(p); ++b) {
      least = std::min(least, of_channel(batch(p, b), c).mean);
      most = std::max(most, of_channel(batch(p, b), c).mean);
    }
    const double got = outputs[1].numbers[static_cast<std::size_t>(c)];
    if (got < least - 1e-9 || got > most + 1e-9)
      return fmt::format("that of channel {} is {}, not between {} and {}", c, beside(got, got < least ? least : most), beside(least, got),
                         beside(most, got));
  }
  return "";
}

Outputs eval_right(const Probe& p) {
  return {array_of("y", nn::normalize_by(tensor_of(p["x"]), per_channel(p["mean"]), per_channel(p["variance"]), per_channel(p["gain"]),
                                         per_channel(p["bias"]), p.number("eps")))};
}

std::string has_one_slope(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x"), y = {x.rows, x.columns, outputs[0].numbers.data()};
  for (int c = 0; c < x.columns; ++c) {
    const double slope = p.in("gain")[0][c] / std::sqrt(p.in("variance")[0][c] + p.number("eps"));
    for (int i = 1; i < x.rows; ++i) {
      const double got = y[i][c] - y[0][c], expected = slope * (x[i][c] - x[0][c]);
      if (std::abs(got - expected) > 1e-7 * std::abs(expected))
        return fmt::format("in channel {} samples 0 and {} are {} apart, not {}", c, i, beside(got, expected), beside(expected, got));
    }
  }
  return "";
}

// --- the exercise --------------------------------------------------------------------------------------------------

struct Case {
  const char* name;
  int samples, channels, batches;
  double eps, size, momentum;
};
Probe probe(const Case& c, std::uint64_t seed, bool training) {
  Array variance = drawn("variance", {1, c.channels}, seed + 4, c.size, 0.2);
  for (double& one : variance.numbers) one = one * one + 0.1 * c.size * c.size;
  Probe p{
      c.name,
      {drawn("x", {c.batches * c.samples, c.channels}, seed, c.size, 0.6), drawn("gain", {1, c.channels}, seed + 1, 0.5, 3),
       drawn("bias", {1, c.channels}, seed + 2), drawn("mean", {1, c.channels}, seed + 3, c.size, 0.3), variance, number("eps", c.eps)}};
  if (training) {
    p.inputs.push_back(number("momentum", c.momentum));
    p.inputs.push_back(number("samples", c.samples));
  }
  return p;
}

std::vector<Probe> probes(bool training) {
  std::vector<Probe> all = {probe({"3 samples of 2 channels, ε = 0.25", 3, 2, 1, 0.25, 1, 0.1}, 121, training),
                            probe({"4 samples of 5 channels, ε = 10⁻⁵", 4, 5, 1, 1e-5, 2, 0.3}, 122, training),
                            probe({"5 samples of 3 channels, of size 10⁻³, ε = 10⁻⁶", 5, 3, 1, 1e-6, 1e-3, 0.2}, 123, training)};
  if (training) {
    all.push_back(probe({"2 samples of 2 channels, near 10⁸, ε = 10⁻⁵", 2, 2, 1, 1e-5, 1, 0.1}, 126, training));
    all.back().inputs[0].numbers = {1e8 + 1, 1e8 - 3, 1e8 - 1,
                                    1e8 + 3};  // whole numbers, and two in a channel: a sum of them is the same in any order
    all.push_back(probe({"three batches of 4 samples of 3 channels", 4, 3, 3, 1e-2, 1, 0.1}, 124, training));
  } else {
    all.push_back(probe({"a single sample of 4 channels", 1, 4, 1, 1e-2, 1, 0}, 125, training));
  }
  return all;
}

}  // namespace
}  // namespace in_batch_norm_running

Functions batch_norm_running(void (*training)(In, In, In, double, double, Out, Out, Out), void (*eval)(In, In, In, In, In, double, Out)) {
  using namespace in_batch_norm_running;
  return {[=](const Probe& p) {
            Sheet mean(p["mean"]), variance(p["variance"]);
            Array all{"y", p["x"].shape, {}};
            for (int b = 0; b < batches_of(p); ++b) {
              Sheet y("y", {samples_of(p), columns_of(p["x"])});
              training(batch(p, b), p.in("gain"), p.in("bias"), p.number("eps"), p.number("momentum"), mean.out(), variance.out(), y.out());
              const Array one = y.array();
              all.numbers.insert(all.numbers.end(), one.numbers.begin(), one.numbers.end());
            }
            return Outputs{all, mean.array(), variance.array()};
          },
          by_names(eval, {"x", "mean", "variance", "gain", "bias", "eps", "y = x"})};
}

Exercise batch_norm_running_exercise() {
  using namespace in_batch_norm_running;
  return made_batch_norm_running::exercise(
      {
          {
              .right = training_right,
              .probes = probes(true),
              .laws = {{"in training each channel of y has its bias for a mean, and the variance gain² σ² / (σ² + ε)",
                        is_centred_and_scaled, "Over which numbers are the mean and the variance of a channel taken?"},
                       {"the running mean lies between what it was and the means of the batches", running_mean_is_a_mean,
                        "Do the weights of the old mean and of the new one sum to 1?"}},
          },
          {
              .right = eval_right,
              .probes = probes(false),
              .laws = {{"in eval y is a straight line of x, with the slope gain / √(variance + ε) in each channel", has_one_slope,
                        "Which numbers should your factor be made of in eval: those of the batch, or those that were kept?"}},
          },
      },
      {{{"batch_norm", "batch_norm_in_eval"}, {{"", "multiplies by the gain"}, {"norm/gain-plus-one", "multiplies by 1 + gain"}}}});
}

}  // namespace gradus::exercises::set
