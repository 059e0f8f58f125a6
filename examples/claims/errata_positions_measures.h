// What the errata of positions measure.
#pragma once

#include <functional>
#include <numbers>

#include "core/tensor/generator.h"
#include "nn/position/sinusoidal.h"

namespace gradus::examples {

// What an encoding adds at positions [T]: [T, width].
using RowsAt = std::function<Tensor(const Tensor& positions)>;
RowsAt sinusoidal_layer(int64_t width);  // up to position 255

// Both relative, in the root of the mean square.
double apart_from_parity(const RowsAt& rows, int64_t width);  // from: sin ω_i p at even positions p, cos ω_i p at odd ones
double apart_after_shift(const RowsAt& rows);                 // from the same 100 positions on

// How far the angle by which a rotary encoding turns pair k at one drawn position p is from unit · p · 10000^(−2k/d), in
// radians: the mean over the pairs, whole turns taken off.
constexpr double kDegree = std::numbers::pi / 180;
double apart_from_angles(nn::PositionEncoding& rope, int64_t head_dim, double d, double unit, std::uint64_t seed);

// How much a table [T, d] changes from a row to the next in the later half of its rows (axis 0) or columns (axis 1),
// relative to its change in the earlier half.
double change_in_later_half(const Tensor& table, int axis);

}  // namespace gradus::examples
