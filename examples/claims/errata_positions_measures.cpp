#include "examples/claims/errata_positions_measures.h"

#include <cmath>

#include "core/core.h"

namespace gradus::examples {
namespace {

double size_of(const Tensor& x) { return std::sqrt(mean(square(x)).item()); }

}  // namespace

RowsAt sinusoidal_layer(int64_t width) {
  const auto layer =
      std::make_shared<nn::SinusoidalPosition>(nn::PositionOptions{.d_model = width, .heads = 1, .head_dim = width, .max_length = 256});
  return [layer, width](const Tensor& positions) {
    return layer->on_embedding(zeros({1, positions.numel(), width}, DType::f64), positions)[0];
  };
}

double apart_from_parity(const RowsAt& rows, int64_t width) {
  const Tensor positions = arange(64), p = cast(positions, DType::f64);
  const Tensor angle = outer(p, nn::formula::sine_frequencies(width));
  std::vector<double> parity;
  for (int64_t i = 0; i < positions.numel(); ++i) parity.push_back(static_cast<double>(i % 2));
  const Tensor odd = unsqueeze(tensor(parity, DType::f64), 1);
  const Tensor wave = sin(angle) * (1 - odd) + cos(angle) * odd;  // [T, width / 2]: of both dimensions of a pair
  const Tensor sentence = flatten(stack({wave, wave}, -1), -2, -1);
  return size_of(rows(positions) - sentence) / size_of(rows(positions));
}

double apart_after_shift(const RowsAt& rows) {
  const Tensor here = rows(arange(64));
  return size_of(rows(arange(100, 164)) - here) / size_of(here);
}

double apart_from_angles(nn::PositionEncoding& rope, int64_t head_dim, double d, double unit, std::uint64_t seed) {
  Generator random(seed);
  const int64_t p = 1 + random.below(1000), pairs = head_dim / 2;
  const Tensor start = reshape(expand(tensor({1, 0}, DType::f64), {pairs, 2}), {1, 1, 1, head_dim});
  const Tensor turned = reshape(rope.on_queries(start, arange(p, p + 1)), {pairs, 2});
  double apart = 0;
  for (int64_t k = 0; k < pairs; ++k) {
    const double found = std::atan2(turned.at({k, 1}), turned.at({k, 0}));
    const double said = unit * static_cast<double>(p) * std::pow(10000, -2 * static_cast<double>(k) / d);
    apart += std::abs(std::remainder(found - said, 2 * std::numbers::pi));
  }
  return apart / static_cast<double>(pairs);
}

double change_in_later_half(const Tensor& table, int axis) {
  const Tensor change = slice(table, 0, 1) - slice(table, 0, 0, table.size(0) - 1);
  const int64_t middle = change.size(axis) / 2;
  return size_of(slice(change, axis, middle)) / size_of(slice(change, axis, 0, middle));
}

}  // namespace gradus::examples
