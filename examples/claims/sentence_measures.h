// Sentences of the notes taken at their word: how far what they say is from what happens.
#pragma once

#include <cstdint>
#include <functional>

#include "core/tensor/tensor.h"

namespace gradus::examples {

// The greatest |slope(x) − σ'(x) by the tape| of 64 x from −8 to 8.
double error_of_slope(const std::function<Tensor(const Tensor& x)>& slope, std::uint64_t seed);

// ‖θ − θ'‖ / ‖θ₀‖ after 100 steps of SGD from the same θ₀: θ with weight decay at a constant rate, θ' without at one that
// falls along a cosine. The gradient is θ − target, or 0.
double decay_against_schedule(bool towards_a_target, std::uint64_t seed);

// ‖y − y'‖ / ‖y‖: y is what the decoder's cross-attention gives, y' the same formula with queries, keys and values of these.
enum class From { decoder, encoder };
struct AttentionSources { From queries = From::decoder, keys = From::encoder, values = From::encoder; };
double distance_of_cross_attention(const AttentionSources& sources, std::uint64_t seed);

}  // namespace gradus::examples
