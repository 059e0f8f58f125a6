#include "examples/ch03_feed_forward/blocks.h"

#include <fmt/format.h>

#include "core/core.h"
#include "examples/ch03_feed_forward/feed_forward_summary.h"
#include "nn/model/language_model.h"

namespace gradus::examples {
namespace {

constexpr int64_t kModel = 768;  // d of GPT-2's smallest; 8d/3 = 2048, a multiple of 64

// How many parameters of the model's one block are in this part and have, or have not, the role of a bias.
double count(nn::LanguageModel& model, const std::string& part, bool biases) {
  int64_t found = 0;
  for (const NamedTensor& p : model.named_parameters()) {
    const bool here = p.name.rfind("blocks.0." + part, 0) == 0;
    found += here && (p.role == Role::bias) == biases ? p.tensor.numel() : 0;
  }
  return static_cast<double>(found);
}

std::string norms_of(const nn::TransformerOptions& o) {
  const std::string norm = o.norm.of(0).make({.width = o.d_model})->describe();
  return fmt::format("{}, {}", norm.substr(0, norm.find('(')), o.placement.of(0).name == "pre" ? "before each part" : "after each part");
}

std::string feed_forward_of(const std::string& name) {
  const FeedForwardSummary s = summarize_feed_forward(name, kModel);
  return fmt::format("{}: {} matrices, width {}", s.layer, s.matrices, with_commas(s.width));
}

}  // namespace

void old_against_modern(Chapter& chapter) {
  nn::TransformerOptions old = nn::original_transformer(), modern;
  for (nn::TransformerOptions* o : {&old, &modern}) {
    o->d_model = kModel;
    o->layers = 1;
  }
  nn::LanguageModel before(old), now(modern);
  double sum_before = 0, sum_now = 0;
  const auto row = [&](const std::string& part, const std::string& then, const std::string& today, double n_then, double n_today) {
    std::string path = "blocks." + part;
    replace_all(path, " ", "_");
    chapter.number(path, {n_then, n_today});
    chapter.series(path, std::vector{then, today});
    sum_before += n_then;
    sum_now += n_today;
  };
  const auto counted = [&](const std::string& part, const std::string& prefix, bool biases, const std::string& then,
                           const std::string& today) { row(part, then, today, count(before, prefix, biases), count(now, prefix, biases)); };
  row("positions", old.position.of(0).name + ", added to the embedding", modern.position.of(0).name + ": queries and keys are turned", 0,
      0);
  counted("norms", "placement", false, norms_of(old), norms_of(modern));
  counted("norm biases", "placement", true, "a shift beside each gain", "none");
  counted("attention", "attention", false, "4 matrices", "4 matrices");
  counted("attention biases", "attention", true, "one for each matrix", "none");
  counted("feed-forward", "feed_forward", false, feed_forward_of(old.feed_forward.of(0).name),
          feed_forward_of(modern.feed_forward.of(0).name));
  counted("feed-forward biases", "feed_forward", true, "one for each matrix", "none");
  chapter.number("blocks.sum", {sum_before, sum_now});
  chapter.tell(fmt::format("One block, d = {}: {} parameters in 2017, {} today:\n  {} biases fewer, matrices of the same size", kModel,
                           shown(sum_before), shown(sum_now), shown(sum_before - sum_now)));
}

}  // namespace gradus::examples
