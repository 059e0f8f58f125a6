#include "examples/shared/study/measured_encoding.h"

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "core/machine/threads.h"
#include "examples/shared/study/taxonomy.h"
#include "nn/nn.h"
#include "optim/optim.h"

namespace gradus::examples {
namespace {

constexpr int64_t kModel = 32, kHeads = 4, kHead = kModel / kHeads, kLongest = 256;

// What starts at zero would say nothing of positions: as training might leave it.
void move_from_zero(nn::PositionEncoding& position, Generator& random) {
  for (Tensor parameter : position.parameters()) {
    if (max(abs(parameter.detach())).item() == 0) parameter.assign(randn(parameter.shape(), parameter.dtype(), random));
  }
}

// The scores [H, T, T] of one token that stands everywhere: only its positions differ.
Tensor scores_of(nn::PositionEncoding& position, int64_t length, Generator& random) {
  const Tensor token = randn({1, 1, kModel}, DType::f64, random), places = arange(length);
  const Tensor x = position.on_embedding(expand(token, {1, length, kModel}), places);
  const auto heads = [&] {
    const Tensor w = randn({kModel, kModel}, DType::f64, random) / std::sqrt(static_cast<double>(kModel));
    return reshape(matmul(x, w), {1, length, kHeads, kHead});
  };
  const Tensor q = position.on_queries(heads(), places), k = position.on_keys(heads(), places);
  const double scale = 1 / std::sqrt(static_cast<double>(kHead));
  const auto by_head = [](const Tensor& t) { return transpose(t, 1, 2); };
  const Tensor content = matmul(by_head(q), by_head(k), {.transpose_b = true}) * scale;  // [1, H, T, T]
  const Tensor bias = position.on_scores(q, k, {places, places}, scale);
  return (bias.defined() ? content + bias : content)[0];
}

// The least distance (max norm) between two of the rows [T, n], one for each place, relative to the greatest entry.
double nearest_rows(const Tensor& rows) {
  const Tensor apart = max(abs(unsqueeze(rows, 0) - unsqueeze(rows, 1)), {-1});  // [T, T]
  return min(apart + eye(rows.size(0), -1, DType::f64) * 1e9).item() / std::max(max(abs(rows)).item(), 1e-300);
}

// What runs on one thread of a team has no other.
struct OneThread {
  const bool alone = !inside_team();
  const int before = num_threads();
  OneThread() {
    if (alone) set_num_threads(1);
  }
  ~OneThread() {
    if (alone) set_num_threads(before);
  }
};

Tensor draw_tokens(int64_t texts, int64_t length) { return randint(0, kLookBackTokens, {texts, length}); }

}  // namespace

MeasuredEncoding measure_encoding(const std::string& name, std::uint64_t seed, int64_t length) {
  const NoGrad off;
  manual_seed(seed);
  Generator random(seed);
  const nn::PositionOptions options{.d_model = kModel, .heads = kHeads, .head_dim = kHead, .max_length = kLongest};
  const nn::PositionEncodingPtr position = nn::position_encodings().find(name).value(options);
  const std::string place = taxonomy_of(*position, options).str();
  position->to(DType::f64);
  move_from_zero(*position, random);
  Tensors last;
  DistanceLaw worst{2, 0, 0};
  for (int token = 0; token < 4; ++token) {
    const Tensor scores = scores_of(*position, length, random);
    last.push_back(transpose(select(scores, 1, length - 1)));  // [T, H]
    for (int64_t head = 0; head < kHeads && token == 0; ++head) {
      const DistanceLaw law = distance_law(scores[head], true);
      if (!(law.share >= worst.share)) worst = law;
    }
  }
  return {name, place, worst, nearest_rows(cat(last, 1))};
}

nn::LanguageModel look_back_model(const std::string& name, int steps, std::uint64_t seed, int64_t longest) {
  manual_seed(seed);
  const OneThread small;  // a team would wait for each other longer than it works
  nn::LanguageModel model({.vocabulary = kLookBackTokens,
                           .context = longest,
                           .d_model = kModel,
                           .layers = 1,
                           .heads = kHeads,
                           .position = name,
                           .init = "xavier-normal",
                           .tie_weights = false});
  optim::AdamW optimizer(model.named_parameters(), {.lr = 5e-3, .weight_decay = 0});
  for (int step = 0; step < steps; ++step) {
    const Tensor ids = draw_tokens(16, kTrainedLength);
    const Tensor logits = slice(model(ids), 1, kLookBack), target = slice(ids, 1, 0, kTrainedLength - kLookBack);
    optimizer.zero_grad();
    nn::cross_entropy(logits, target).backward();
    optimizer.step(5e-3 * (1 - static_cast<double>(step) / steps));
  }
  return model;
}

std::vector<double> look_back_accuracy(const std::string& name, int steps, std::uint64_t seed, const std::vector<int64_t>& times) {
  const int64_t longest = *std::max_element(times.begin(), times.end()) * kTrainedLength;
  nn::LanguageModel model = look_back_model(name, steps, seed, longest);
  const OneThread small;
  const NoGrad off;
  std::vector<double> accuracy;
  for (const int64_t n : times) {
    const int64_t length = n * kTrainedLength, from = length / 2;
    const Tensor ids = draw_tokens(32, length), guess = argmax(model(ids), -1);
    const Tensor right = slice(guess, 1, from) == slice(ids, 1, from - kLookBack, length - kLookBack);
    accuracy.push_back(mean(cast(right, DType::f64)).item());
  }
  return accuracy;
}

}  // namespace gradus::examples
