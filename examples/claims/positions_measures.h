// What the claims of positions measure.
#pragma once

#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "examples/shared/data/corpus.h"
#include "examples/shared/options/train_options.h"
#include "nn/position/position_encoding.h"
#include "nn/position/sinusoidal.h"

namespace gradus::examples {

// log₁₀ of the least difference between a query's scores on two of `length` positions with equal tokens, relative to the
// greatest score; −16, where f64 ends, if there is none.
double distinctness(const std::string& encoding, int64_t length, std::uint64_t seed);

// The share of the variance of the scores between equal tokens that their distance does not explain, over 128 positions.
double unexplained_by_distance(const std::string& encoding, std::uint64_t seed);

// What a model that was trained on short texts comes to in the second half of others: in looking back, the share of wrong answers
// at T = 32 tokens and, for each n of `times`, at n T; on text, the loss on each corpus, whose windows grow and of which the first
// is that of its training.
std::vector<double> look_back_wrong(const std::string& encoding, int steps, std::uint64_t seed, std::vector<int64_t> times);
std::vector<double> losses_at_lengths(const TrainOptions& options, const std::vector<const Corpus*>& corpora);

// The hands of RoPE, (1, 0) of each pair turned by each position: the least distance between two positions less than 4,096
// apart, by all hands together (the greatest of theirs) relative to that by the best single hand.
double hands_together(nn::PositionEncoding& rope, int64_t head_dim);

// The share of the variance of the scores of sinusoidal rows that distance explains, after projections that are drawn, as
// wide as in a head of 64 of a model of 512. `shared`: W_k = W_q.
double share_after_projection(bool shared, std::uint64_t seed);
// The same in a model of 32 with heads of 8, of the head where it is greatest, after `steps` of learning to look back.
double share_in_model(int steps, std::uint64_t seed);

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

// How much a table [T, d] changes from a row to the next in the later half of its rows (axis 0) or columns (axis 1), in
// parts of the earlier half.
double change_in_later_half(const Tensor& table, int axis);

}  // namespace gradus::examples
