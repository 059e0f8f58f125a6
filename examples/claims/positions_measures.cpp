#include "examples/claims/positions_measures.h"

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/shared/data/ngrams.h"
#include "examples/shared/study/measured_encoding.h"
#include "examples/shared/study/projected_scores.h"
#include "examples/shared/study/sinusoidal_heatmap.h"
#include "examples/shared/training/trainer.h"
#include "nn/nn.h"

namespace gradus::examples {

double distinctness(const std::string& encoding, int64_t length, std::uint64_t seed) {
  return std::log10(std::max(measure_encoding(encoding, seed, length).nearest, 1e-16));
}

double unexplained_by_distance(const std::string& encoding, std::uint64_t seed) {
  return 1 - measure_encoding(encoding, seed, 128).law.share;
}

// --- longer texts -----------------------------------------------------------------------------------------------------

namespace {

// Over the second half of each window.
double loss_of_second_half(nn::LanguageModel& model, const Corpus& corpus) {
  constexpr int64_t bytes = 8192;
  const NoGrad off;
  const int64_t length = corpus.validation_batch(0, 1).inputs.size(1);
  const Batch batch = corpus.validation_batch(0, bytes / length);
  return nn::cross_entropy(slice(model(batch.inputs), 1, length / 2), slice(batch.targets, 1, length / 2)).item();
}

}  // namespace

std::vector<double> look_back_wrong(const std::string& encoding, int steps, std::uint64_t seed, std::vector<int64_t> times) {
  times.insert(times.begin(), 1);
  std::vector<double> wrong;
  for (const double right : look_back_accuracy(encoding, steps, seed, times)) wrong.push_back(1 - right);
  return wrong;
}

std::vector<double> losses_at_lengths(const TrainOptions& options, const std::vector<const Corpus*>& corpora) {
  Trainer trainer(options, *corpora[0]);
  while (trainer.steps_done() < options.schedule.total) trainer.step();
  trainer.model().eval();
  std::vector<double> losses;
  for (const Corpus* corpus : corpora) losses.push_back(loss_of_second_half(trainer.model(), *corpus));
  return losses;
}

// --- RoPE's hands -----------------------------------------------------------------------------------------------------

double hands_together(nn::PositionEncoding& rope, int64_t head_dim) {
  constexpr int64_t longest = 4096;
  const Tensor start = expand(tensor({1, 0}, DType::f64), {longest, head_dim / 2, 2});
  const Tensor turned = rope.on_queries(reshape(start, {1, longest, 1, head_dim}), arange(longest));
  const Tensor hands = reshape(turned, {longest, head_dim / 2, 2});
  const Tensor apart = slice(sqrt(sum(square(hands - hands[0]), -1)), 0, 1);  // [distance, pair]
  const double together = min(max(apart, 1)).item(), alone = max(min(apart, 0)).item();
  return together / alone;
}

// --- projections ------------------------------------------------------------------------------------------------------

double share_after_projection(bool shared, std::uint64_t seed) {
  Generator random(seed);
  return distance_law(projected_scores(sinusoidal_heatmap(), 64, random, shared)).share;
}

double share_in_model(int steps, std::uint64_t seed) {
  nn::LanguageModel model = look_back_model("sinusoidal", steps, seed, kTrainedLength);
  const NoGrad off;
  const auto parameter = [&, all = model.named_parameters()](const std::string& name) {
    return std::find_if(all.begin(), all.end(), [&](const NamedTensor& p) { return p.name == name; })->tensor;
  };
  const int64_t heads = model.options().heads, d = model.options().d_model;
  const Tensor rows = cast(nn::formula::sinusoidal(arange(kTrainedLength), d), DType::f32);
  const Tensor x = rows * parameter("blocks.0.placement.norm1.gain");  // whose length is the same in every row
  const auto by_head = [&](const char* name) {
    return transpose(reshape(matmul(x, parameter(name), {.transpose_b = true}), {kTrainedLength, heads, d / heads}), 0, 1);
  };
  const Tensor scores =
      matmul(by_head("blocks.0.attention.q_proj.weight"), by_head("blocks.0.attention.k_proj.weight"), {.transpose_b = true});  // [H, T, T]
  double greatest = 0;
  for (int64_t head = 0; head < heads; ++head) greatest = std::max(greatest, distance_law(scores[head], true).share);
  return greatest;
}

}  // namespace gradus::examples
