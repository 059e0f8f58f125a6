#include "examples/ch09_encoder_decoder/wire_map.h"

#include <fmt/format.h>

#include "examples/ch09_encoder_decoder/attention_weights.h"
#include "examples/shared/report/values.h"

namespace gradus::examples {
namespace {

// The mean weight on the letter that is to be written: n - 1 - t at place t.
double on_the_letter(const Tensor& weights) {
  const int64_t length = weights.size(0);
  double total = 0;
  for (int64_t t = 0; t < length; ++t) total += weights.at({t, length - 1 - t});
  return total / static_cast<double>(length);
}

}  // namespace

Tensor cross_weights(nn::EncoderDecoder& model, const Pairs& task, bool connected) {
  const auto all = attention_weights([&] { return model(task.source, begun(task.letters), wire(task.source, connected)); });
  return all.back().probabilities[0];
}

void keep_map(Chapter& chapter, const std::string& path, const Tensor& weights, const Pairs& task) {
  chapter.series(path + ".weights", rows_of(weights));
  chapter.series(path + ".written", in_letters(task.letters));
  chapter.series(path + ".read", in_letters(task.source));
}

void anti_diagonal(Chapter& chapter, nn::EncoderDecoder& model) {
  const Pairs task = pairs(1, kTrained);
  const Tensor heads = cross_weights(model, task), mean_head = mean(heads, 0), cut = mean(cross_weights(model, task, false), 0);
  chapter.number("picture.weights", rows_of(mean_head));
  chapter.number("picture.on_the_letter", on_the_letter(mean_head));
  chapter.number("picture.cut", max(abs(mean(cross_weights(model, task, false), 0))).item());
  keep_map(chapter, "picture.trained", mean_head, task);
  keep_map(chapter, "picture.cut", cut, task);
  for (int64_t h = 0; h < heads.size(0); ++h) keep_map(chapter, fmt::format("picture.heads.{}", h + 1), heads[h], task);
}

}  // namespace gradus::examples
