// Why a norm helps, what it keeps and what it costs: what the claims of norms_for.cpp measure. Each function gives the
// numbers of one seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "examples/shared/data/corpus.h"
#include "examples/shared/experiment/claim.h"
#include "examples/shared/options/train_options.h"
#include "nn/sequential.h"

namespace gradus::examples {

// --- covariate shift --------------------------------------------------------------------------------------------------
// A deep network of 64 units a layer that reads digits: linear map, norm, shifts, ReLU. The weights start at N(0, 1/64), so
// that without a norm the signal halves in each layer. The norm is "none", "batch" or "layer". The shifts multiply each unit by
// s and add m, s from 1 ± `shifts`, m from ± `shifts`, both drawn anew in each step.
struct NormedNet {
  std::string norm;
  int layers = 10;
  double shifts = 0;
};
nn::Sequential normed_net(const NormedNet& shape, std::uint64_t seed);
// The training loss, mean of the last quarter of `steps` steps of SGD with momentum 0.9 and batches of 64; ln 10 if it is not
// finite.
struct NetTraining {
  double rate;
  int64_t steps;
};
double training_loss(const NormedNet& shape, const NetTraining& training, std::uint64_t seed);
// How far one such step at the start moves what goes into each linear map but the first: the change of the units' means over
// the images, relative to their deviation; the mean over the maps.
double covariate_shift(const NormedNet& shape, double rate, std::uint64_t seed);

// --- what γ and β can undo --------------------------------------------------------------------------------------------
// ‖x − (x̂ ⊙ γ + β)‖ / ‖x − its columns' means‖ with the γ and β that make it least, over 256 rows of 64 numbers. Places:
// "norm" "layer", "rms", "batch, in training" (batches of 64 rows) or "batch, in use" (statistics of other rows); "rows" "of
// one size", or "of many": each then has a size and a level that are drawn.
double not_undone(const Where& where, std::uint64_t seed);

// --- what it costs ----------------------------------------------------------------------------------------------------
// The time of a language model's norms, forward and backward, as a share of a training step's, all on one thread. Places:
// "norm"; "width"; "computed" by "kernels" or "op by op", the norms alone.
double share_of_norms(const Where& where, std::uint64_t seed);

// --- texts of unequal length ------------------------------------------------------------------------------------------
// Four sentences of eight words, and the others become `longer` times as long, so that the batch gets rows more: the change
// of the first one's batch-normed rows, relative to them. Places: "rows more" "padding" (zeros) or "words" alone; "longer";
// "mode" "training" or "use".
double moved_by_length(const Where& where, std::uint64_t seed);

// --- transfer ---------------------------------------------------------------------------------------------------------
// The loss after training on a text, and then, for half as many steps, on another that is made of it: its letters
// exchanged for others; read backwards. One number for each. Both have the text's unigram line.
std::vector<double> losses_after_transfer(const TrainOptions& options, const Corpus& corpus);

// --- an outlier -------------------------------------------------------------------------------------------------------
// One number of each row of deviation 1 becomes `outlier`: the relative change of the others after the norm. Places:
// "groups" of group norm, 1 is layer norm; "width"; "outlier".
double moved_by_outlier(const Where& where, std::uint64_t seed);

// --- along time -------------------------------------------------------------------------------------------------------
// h ← tanh(a), or tanh(LN(a)), with a = U h + x: ln(‖dL/dh_0‖ / ‖dL/dh_T‖) / T, T = 50. U [64, 64] is normal of deviation
// `weights` / √64, x normal of deviation `inputs`.
struct Recurrence {
  double weights = 1, inputs = 1;
  bool normed = false;
};
double log_gradient_of_a_step(const Recurrence& recurrence, std::uint64_t seed);

}  // namespace gradus::examples
