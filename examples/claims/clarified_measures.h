// What the clarifications measure, one draw a call: how far a sentence, taken at its word, is from what is so.
#pragma once

#include <cstdint>

#include "core/tensor/tensor.h"

namespace gradus::examples {

// The share of 64 numbers e^x, x drawn between 100 and 700, that are finite in this type.
double finite_powers(DType dtype, std::uint64_t seed);

// One step of descent in training: which share of its movement does the forward pass alone make?
enum class Moving { running_mean, running_variance, gain, shift };
double moved_before_backward(Moving what, std::uint64_t seed);

// ‖e^x / Σe^x − softmax(x)‖ / ‖softmax(x)‖ of scores drawn between these two; 1 if one of the former is not finite.
double written_softmax_off(double least, double greatest, DType dtype, std::uint64_t seed);

// ‖x / √(‖x‖² + ε) γ − RMSNorm(x)‖ / ‖RMSNorm(x)‖ for rows of n numbers, RMSNorm with γ = 1. The other γ is 1 too, or √n; then
// ε is n times as large.
enum class EuclideanGain { one, root_n };
double euclidean_norm_off(EuclideanGain gain, int64_t n, std::uint64_t seed);

// ‖tanh formula − F.gelu‖ / ‖F.gelu‖ of normal values.
double tanh_formula_off(std::uint64_t seed);

// ‖layer norm with √Var(x) − with √(Var(x) + ε)‖ / the norm of the latter, ε = 10⁻⁵, of rows with this variance.
constexpr double kEpsilon = 1e-5;
double root_without_epsilon_off(double variance, std::uint64_t seed);

// ‖x + f(LN(x)) − LN(x + f(x))‖ / ‖LN(x + f(x))‖ for f = sin.
double pre_norm_off_add_and_norm(std::uint64_t seed);

}  // namespace gradus::examples
