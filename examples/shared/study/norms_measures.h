// What the claims of norms measure: each function gives the number of one seed.
#pragma once

#include <functional>
#include <string>

#include "core/tensor/random.h"
#include "examples/shared/experiment/claim.h"
#include "nn/layer.h"

namespace gradus::examples {

// --- how fast ---------------------------------------------------------------------------------------------------------
// Time of RMS norm relative to layer norm's, forward and backward with all gradients, in turns. Places: "computed" by
// "kernels" or by "formula", op by op; "width".
double rms_time_over_layer_time(const Where& where, std::uint64_t seed);

// --- what it estimates ------------------------------------------------------------------------------------------------
// √mean((s/σ − 1)²): s the deviation that layer norm finds in a row of `features` features, σ that of the distribution, which
// is "uniform", "normal" or "Laplace".
double deviation_error(const std::string& values, int64_t features, std::uint64_t seed);

// --- what it mixes ----------------------------------------------------------------------------------------------------
using NormFunction = std::function<Tensor(const Tensor& x)>;  // x [B, T, C] to the same
constexpr int64_t kSentences = 4, kTokens = 6, kFeatures = 8;

// One sentence of random x [kSentences, kTokens, kFeatures] is exchanged: the greatest change in what becomes of the others.
double change_in_other_sentences(const NormFunction& norm, std::uint64_t seed);
// The same for batch norm. Places: "statistics" of "all tokens" or of "each position"; "mode" "training" or "use".
double mixed_by_batch_norm(const Where& where, std::uint64_t seed);

// The greatest difference between what a layer does in training and what it does in use.
double train_against_eval(nn::Layer& layer, const Tensor& x);

// --- what a batch of few samples does ---------------------------------------------------------------------------------
// Held-out digits that are right with batch norm, relative to those with group norm: the same network, images and seed.
double batch_norm_over_group_norm(int64_t batch, int64_t images, std::uint64_t seed);

// --- what a start keeps -----------------------------------------------------------------------------------------------
using Start = std::function<void(Tensor& weight, Generator& generator)>;
enum class Way { up, down };
// y = x Wᵀ: Var(y)/Var(x) on the way up, Var(dL/dx)/Var(dL/dy) on the way down.
double variance_ratio(const Start& start, int64_t in, int64_t out, Way way, std::uint64_t seed);
double factor_off(double ratio);  // that or 1/that, whichever is greater: 1 is kept

// --- what it averages over --------------------------------------------------------------------------------------------
// Two sets of elements: those on which an output of a norm depends, and those that share its index along all axes but
// `named`. How many belong to one alone, relative to all: 0 if a norm averages over the axes named, and no others. The sizes
// of x (3 to 6) and the output are drawn.
using MakeNormOf = std::function<nn::LayerPtr(int64_t channels)>;
double footprint_error(const MakeNormOf& norm, int channel_axis, int rank, const Axes& named, std::uint64_t seed);

// ‖a − b‖ / ‖b‖
double relative_difference(const Tensor& a, const Tensor& b);

}  // namespace gradus::examples
