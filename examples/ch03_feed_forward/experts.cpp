#include "examples/ch03_feed_forward/experts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/core.h"
#include "examples/ch03_feed_forward/ablation.h"
#include "examples/shared/data/corpus.h"
#include "nn/nn.h"
#include "optim/adam.h"

namespace gradus::examples {
namespace {

constexpr int64_t kExperts = 4, kWindow = 32, kWindows = 16;

const std::vector<std::string> kKinds{"vowels", "consonants", "capitals", "spaces", "line breaks", "punctuation"};

std::size_t kind_of(int64_t id) {
  const auto byte = static_cast<unsigned char>(id);
  if (byte == '\n') return 4;
  if (byte == ' ') return 3;
  if (std::isupper(byte) != 0) return 2;
  if (std::islower(byte) != 0) return std::string_view("aeiou").find(static_cast<char>(byte)) == std::string_view::npos ? 1 : 0;
  return 5;
}

// The share of each kind of byte that each expert took in the last call.
std::vector<std::vector<double>> shares(const Tensor& ids, const Tensor& chosen) {
  std::vector<std::vector<double>> share(kKinds.size(), std::vector<double>(kExperts));
  for (int64_t t = 0; t < ids.numel(); ++t) {
    ++share[kind_of(ids.data<int64_t>()[t])][static_cast<std::size_t>(chosen.data<int64_t>()[t])];
  }
  for (std::vector<double>& row : share) {
    double total = 0;
    for (const double count : row) total += count;
    for (double& count : row) count /= std::max(total, 1.0);
  }
  return share;
}

// How many times the mean load the fullest expert has.
double fullest(const Tensor& chosen) { return kExperts * max(mean(one_hot(flatten(chosen), kExperts), 0)).item(); }

struct Balance {
  const char* name;
  double loss, bias;
};

void train_experts(Chapter& chapter, const Corpus& corpus, const Balance& balance, int64_t steps) {
  manual_seed(chapter.seed());
  nn::LanguageModelOptions o{.context = kWindow, .d_model = kWidth, .layers = 1, .heads = 3, .d_ff = 64};
  nn::MixtureOfExperts* experts = nullptr;
  const auto watched = [&](const nn::FeedForwardOptions& options) {
    auto made = std::make_unique<nn::MixtureOfExperts>(options);
    experts = made.get();
    return made;
  };
  o.feed_forward = nn::MakeFeedForward(watched, {.gated = true});
  o.experts = {.count = kExperts, .per_token = 1, .router = "softmax", .balance_loss = balance.loss, .balance_bias = balance.bias};
  nn::LanguageModel model(o);
  optim::AdamW optimizer(model.named_parameters(), {.lr = 3e-3});
  Generator batches(chapter.seed() + 1);
  const Tensor text = corpus.validation_batch(0, 64).inputs;
  const std::string path = fmt::format("experts.{}.", balance.name);
  std::vector<double> load, at;
  for (int64_t step = 0; step <= steps; ++step) {
    if (step % std::max<int64_t>(steps / 20, 1) == 0 || step == steps) {
      const NoGrad off;
      const nn::Evaluating mode(model);
      model(text);
      at.push_back(static_cast<double>(step));
      load.push_back(fullest(experts->chosen()));
      const char* when = step == 0 ? "start" : step == steps / 10 ? "early" : step == steps ? "end" : nullptr;
      if (when != nullptr && balance.loss > 0) chapter.number(fmt::format("experts.share.{}", when), shares(text, experts->chosen()));
    }
    if (step == steps) break;
    const Batch batch = corpus.random_batch(kWindows, batches);
    model.with_auxiliary_losses(nn::cross_entropy(model(batch.inputs), batch.targets)).backward();
    optimizer.step();
    optimizer.zero_grad();
    model.after_step();
  }
  chapter.number(path + "steps", at);
  chapter.number(path + "load", load);
}

}  // namespace

void experts_at_work(Chapter& chapter, int64_t steps) {
  const Corpus corpus = Corpus::shakespeare(kWindow);
  chapter.words("experts.kinds", kKinds);
  for (const Balance& balance : {Balance{"nothing", 0, 0}, {"loss", 0.01, 0}, {"bias", 0, 0.01}})
    train_experts(chapter, corpus, balance, steps);
}

}  // namespace gradus::examples
