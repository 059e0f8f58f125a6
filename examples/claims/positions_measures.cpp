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

// --- errata -----------------------------------------------------------------------------------------------------------

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
