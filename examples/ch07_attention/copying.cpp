#include "examples/ch07_attention/copying.h"

#include <fmt/format.h>

#include "examples/ch07_attention/copy_task.h"
#include "examples/shared/report/values.h"

namespace gradus::examples {

void copying(Chapter& chapter) {
  Tensors* seen = nullptr;  // the weights of each call, where someone looks
  const AttentionFunction watched = [&](const Tensor& q, const Tensor& k, const Tensor& v, const nn::ScaledDotOptions& options) {
    if (seen != nullptr) seen->push_back(nn::attention_probabilities(q, k, options));
    return nn::attention(q, k, v, options);
  };
  const AttentionFunction alone = [](const Tensor& q, const Tensor& k, const Tensor& v, nn::ScaledDotOptions options) {
    options.window = 1;  // a query sees its own key, and no other
    return nn::attention(q, k, v, options);
  };
  SmallModel model({.vocabulary = kLetters + 1, .context = 2 * kLength, .attention = watched});
  SmallModel blind({.vocabulary = kLetters + 1, .context = 2 * kLength, .attention = alone});
  const int64_t steps = chapter.full() ? 1000 : 300;
  const double learned = copying_accuracy(model, steps), cut = copying_accuracy(blind, steps), chance = 1.0 / kLetters;
  Tensors weights;
  seen = &weights;
  asked(model, copies(1));
  chapter.number("copy.accuracy", learned);
  chapter.number("copy.without_attention", cut);
  chapter.number("copy.chance", chance);
  chapter.tell(fmt::format("It learns to copy eight letters: {:.1f} % of unseen ones right;\n  attention cut: {:.1f} % (chance {:.1f} %)",
                           100 * learned, 100 * cut, 100 * chance));
  chapter.series("copy.steps", static_cast<double>(steps));
  for (std::size_t layer = 0; layer < weights.size(); ++layer) {
    for (int64_t head = 0; head < weights[layer].size(1); ++head) {
      chapter.series(fmt::format("copy.heads.block {}_head {}", layer + 1, head + 1), rows_of(weights[layer][0][head]));
    }
  }
}

}  // namespace gradus::examples
