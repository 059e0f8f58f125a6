#include "core/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/machine/threads.h"
#include "core/tensor/half.h"

namespace gradus {
namespace {

constexpr double kPi = 3.14159265358979323846;

using Pair = std::array<double, 2>;

Pair uniform_pair(const Generator::Words& w) { return {unit_interval(w[0], w[1]), unit_interval(w[2], w[3])}; }

// Two uniform numbers to two independent normal ones: a random radius and a random angle.
Pair normal_pair(const Generator::Words& w) {
  const auto [u, v] = uniform_pair(w);
  const double radius = std::sqrt(-2 * std::log(1 - u));
  return {radius * std::cos(2 * kPi * v), radius * std::sin(2 * kPi * v)};
}

// Fills a tensor two elements at a time, each pair from a counter of its own.
template <typename Draw>
Tensor fill_pairs(const Shape& shape, DType dtype, Generator& generator, Draw draw, OpName op = {}) {
  Tensor result(shape, dtype, op);
  const int64_t count = shape.numel(), pairs = (count + 1) / 2;
  const std::uint64_t first = generator.advance(static_cast<std::uint64_t>(pairs));
  void* target = result.mutable_bytes();
  dispatch(dtype, [&]<typename T>() {
    auto* y = static_cast<T*>(target);
    const int64_t parts = pairs < 4096 || inside_team() ? 1 : num_threads();
    const auto run = [&](int64_t part) {
      for (int64_t pair = pairs * part / parts; pair < pairs * (part + 1) / parts; ++pair) {
        const Pair drawn = draw(generator.words(first + static_cast<std::uint64_t>(pair)));
        y[2 * pair] = convert<T>(drawn[0]);
        if (2 * pair + 1 < count) y[2 * pair + 1] = convert<T>(drawn[1]);
      }
    };
    parts == 1 ? run(0) : run_on_team(parts, run);
  });
  return result;
}

}  // namespace

Tensor randn(const Shape& shape, DType dtype, Generator& generator) {
  check<DTypeError>(is_floating(dtype), "randn: needs a floating dtype, got {}", dtype);
  return fill_pairs(shape, dtype, generator, normal_pair);
}

Tensor uniform(const Shape& shape, double low, double high, DType dtype, Generator& generator) {
  check<DTypeError>(is_floating(dtype), "uniform: needs a floating dtype, got {}; use randint for integers", dtype);
  check<ValueError>(low <= high, "uniform: low {} is above high {}", low, high);
  check<ValueError>(std::isfinite(high - low), "uniform: the range from {} to {} is not finite", low, high);
  return fill_pairs(shape, dtype, generator, [=](const Generator::Words& w) {
    const auto [u, v] = uniform_pair(w);
    return Pair{low + (high - low) * u, low + (high - low) * v};
  });
}

Tensor randint(int64_t low, int64_t high, const Shape& shape, Generator& generator) {
  check<ValueError>(low < high, "randint: low {} must be below high {}", low, high);
  const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  check<ValueError>(range <= std::uint64_t{1} << 53, "randint: {} to {} is a wider range than 2^53", low, high);
  const auto width = static_cast<double>(range);
  Tensor result = fill_pairs(shape, DType::i64, generator, [=](const Generator::Words& w) {
    const auto [u, v] = uniform_pair(w);
    return Pair{std::floor(u * width), std::floor(v * width)};
  });
  auto* values = result.mutable_data<int64_t>();
  for (int64_t i = 0; i < result.numel(); ++i) values[i] += low;
  return result;
}

Tensor randperm(int64_t count, Generator& generator) {
  check<ValueError>(count >= 0, "randperm: the count must not be negative, got {}", count);
  Tensor result(Shape{count}, DType::i64, "randperm");
  auto* order = result.mutable_data<int64_t>();
  std::iota(order, order + count, int64_t{0});
  for (int64_t i = count - 1; i > 0; --i) std::swap(order[i], order[generator.below(i + 1)]);
  return result;
}

}  // namespace gradus
