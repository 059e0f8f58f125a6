// What the claims about placements measure of a deep stack, one seed a call.
#pragma once

#include "examples/claims/lab.h"
#include "examples/shared/study/deep_stack.h"

namespace gradus::examples {

// The stack, of width 32, that a place names by its factors init, blocks and feed-forward, as far as it has them.
StackChoice stack_at(const Where& where, const nn::PlacementChoice& placement);

// After `steps` steps of AdamW on the corpus, whose windows have the length choice.context: ‖dL/dθ‖ of each block's parameters,
// from the bottom up; and the loss on validation text.
struct TrainedStack {
  std::vector<double> gradients;
  double loss;
};
TrainedStack trained_block_gradients(const StackChoice& choice, const optim::ScheduleOptions& rate, const Corpus& corpus,
                                     std::uint64_t seed, int64_t steps);
std::vector<double> block_gradients(const StackChoice& choice, const Corpus& corpus, std::uint64_t seed);  // before the first
double bottom_over_top(const std::vector<double>& gradients);
double largest_over_smallest(const std::vector<double>& gradients);

// Post-norm divides what it is given by the deviation of x + f(x), and with it what is left of the first stream: 1/Π σ after
// l sublayers. Returns how many times halved that is, over l/2, which is what theory says for sublayers as loud as x.
double halvings_over_theory(const StackChoice& choice, std::uint64_t seed);
// Post-norm around sublayers that are no layers: noise of variance 1 in place of f(x).
nn::PlacementPtr post_norm_of_noise(const nn::PlacementOptions& options);

// Two neighbouring blocks add Δ to a stream, one after the other: b₂(b₁(x)) − x. Side by side, each given x, they would add
// b₁(x) − x + b₂(x) − x. ‖the difference of the two‖ / ‖Δ‖, the mean over the neighbours in the upper half of the stack.
double lost_side_by_side(const StackChoice& choice, const Corpus& corpus, std::uint64_t seed, int64_t steps);

// The variance of the stream after the last block, if the weights of the sublayers are drawn this many times as large; of random
// bytes before training, of the corpus after `steps` steps of AdamW at 10⁻³.
double top_variance(const StackChoice& choice, double weights, std::uint64_t seed);
double trained_top_variance(const StackChoice& choice, const Corpus& corpus, std::uint64_t seed, int64_t steps);

// Losses before and after some steps of AdamW at 10⁻³ on one batch of the corpus, in which only the lowest blocks may learn, and
// neither the others nor the head: on that batch before and after, and on other text after.
std::vector<double> losses_from_below(const StackChoice& choice, const Corpus& corpus, int64_t trained_blocks, int64_t steps,
                                      std::uint64_t seed);

// The loss on other windows of the corpus, once that on the 64 windows of training is below this: AdamW at 10⁻³, warmed up over
// 100 steps, 8 windows a step. NaN if 3,000 steps do not get there.
double held_out_loss_at(double training_loss, const StackChoice& choice, const Corpus& corpus, std::uint64_t seed);

// Wang et al. (2022): how far a step of descent moves the result of the stack, ‖ΔF‖. Its growth with depth: the slope of
// ln ‖ΔF‖ over ln depth. The step is −η g, or −η sign(g), what Adam’s first step is; of the linear maps alone, or of the
// norms’ gains and shifts too.
enum class DescentStep { gradient, sign };
enum class Moved { linear_maps, all };
double update_growth(StackChoice choice, const std::vector<int64_t>& depths, DescentStep step, Moved moved, std::uint64_t seed);

// norm(αx + f(x)) for a random linear f: how far α = (2L)^¼ in place of 1 moves it, as a share of it.
enum class WhatXIs { input, output };  // of f
double moved_by_alpha(WhatXIs x, int64_t layers, std::uint64_t seed);

// --- deep stacks in training, as they are compared --------------------------------------------------------------------

inline constexpr double kTriedRates[] = {2.5e-4, 1e-3, 4e-3, 1.6e-2};

enum class Warmup { none, a_tenth, a_quarter, half };  // of the steps
Warmup warmup_at(const Where& where);                  // by its factor warm-up

// The layers of study/deep_stack.h, of width 32: layer norm, ReLU, Xavier normal, an embedding of variance 1. The rate is 0.001.
TrainOptions deep_run(const std::string& placement, int64_t blocks, Warmup warmup, int64_t steps);
int64_t deep_steps(const Lab& lab);  // the usual ones: 300; with --full 1,000, which 12 blocks of post-norm need to get going
TrainOptions deep_run(const Where& where, const std::string& placement);  // by its factors blocks, warm-up and steps

// The mean loss over the tried rates, none counted as more than ln 256, which knowing nothing costs: low for what trains
// well whatever the rate.
Arm arm_over_rates(Lab& lab, const std::string& name, const TrainOptions& run);

}  // namespace gradus::examples
