// ch07_attention: who looks at whom: weights as pictures, masks, the map of causes, the scale, the cache; it learns to copy.
#include <fmt/format.h>

#include <cmath>

#include "core/core.h"
#include "examples/ch07_attention/cache.h"
#include "examples/ch07_attention/copying.h"
#include "examples/ch07_attention/too_good.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/tapes.h"
#include "examples/shared/training/causality.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

// --- the one picture: what does the output at t depend on? ---------------------------------------------------------

void causality(Chapter& chapter, const std::string& bug) {
  const auto right = map_of(nn::attention, chapter.seed());
  const auto wrong = map_of(published(wrong_attentions(), bug).function, chapter.seed());
  const double leak = greatest_of_future(wrong);
  chapter.number("causality.right.future", greatest_of_future(right));
  chapter.number("causality.right.map", right);
  chapter.number("causality.wrong.future", leak);
  chapter.tell(
      fmt::format("The causality map: ‖∂out_t/∂in_s‖ by the tape, above the diagonal\n"
                  "  nn::attention              {}\n  {:26} {}",
                  shown(greatest_of_future(right)), bug, shown(leak)));
  chapter.series("bug", bug);
  chapter.series("causality.wrong", wrong);
}

// --- four numbers by hand --------------------------------------------------------------------------------------

void by_hand(Chapter& chapter) {
  const Tensor q = ones({1, 3, 1, 1}, DType::f64), v = reshape(tensor({6, 12, 18}, DType::f64), {1, 3, 1, 1});
  const Tensor k = reshape(tensor({0, std::log(2), std::log(3)}, DType::f64), {1, 3, 1, 1});
  const Tensor p = nn::attention_probabilities(q, k, {.causal = true}), y = nn::attention(q, k, v, {.causal = true});
  const Tensor wrong = published(wrong_attentions(), "attn/mask-after-softmax").function(q, k, v, {.causal = true});
  chapter.number("hand.y", to_vector(y));
  chapter.number("hand.mask_after_softmax", to_vector(wrong));
  chapter.series("hand.weights", rows_of(p[0][0]));
}

// --- the knob: the scale ---------------------------------------------------------------------------------------

// Mean entropy of the weights over 16 keys, queries and keys being normal random numbers.
double entropy(int64_t d_head, double scale) {
  const Tensor q = randn({256, 8, 1, d_head}, DType::f64), k = randn({256, 16, 1, d_head}, DType::f64);
  const Tensor p = nn::attention_probabilities(q, k, {.scale = scale});
  return -mean(sum(p * log(maximum(p, scalar_like(p, 1e-300))), -1)).item();
}

void scale(Chapter& chapter, int64_t d_head) {
  std::vector<double> with, without;
  for (int64_t d = 4; d <= 256; d *= 2) {
    with.push_back(entropy(d, 0));
    without.push_back(entropy(d, 1));
  }
  const double scaled = entropy(d_head, 0), raw = entropy(d_head, 1);
  chapter.number("entropy.with", with);
  chapter.number("entropy.without", without);
  chapter.number("entropy.d_head", static_cast<double>(d_head));
  chapter.number("entropy.scaled", scaled);
  chapter.number("entropy.raw", raw);
  chapter.number("entropy.uniform", std::log(16));
  chapter.tell(
      fmt::format("Entropy of the weights over 16 random keys, d_head = {}:\n"
                  "  with 1/√d {:.2f} nats, without {:.2f}, uniform {:.2f}",
                  d_head, scaled, raw, std::log(16)));
}

// --- masks, cross-attention -----------------------------------------------------------------------------------

void masks(Chapter& chapter) {
  const Tensor q = randn({1, 10, 1, 16}), k = randn({1, 10, 1, 16});
  const Tensor lengths = tensor({7}, DType::i64);
  const auto keep = [&](const char* name, const nn::ScaledDotOptions& options) {
    chapter.series(std::string("masks.") + name, rows_of(nn::attention_probabilities(q, k, options)[0][0]));
  };
  keep("none", {});
  keep("causal", {.causal = true});
  keep("window", {.causal = true, .window = 3});
  keep("padding", {.mask = nn::padding_mask(lengths, 10)});
}

void cross_attention(Chapter& chapter) {
  nn::MultiHeadAttention attention({.d_model = 16, .heads = 2});
  const Tensor x = randn({1, 5, 16}), memory = randn({1, 8, 16});
  const auto by_x = causality_map([&](const Tensor& in) { return attention(in, {.memory = memory}); }, x);
  const auto by_memory = causality_map([&](const Tensor& in) { return attention(x, {.memory = in}); }, memory);
  chapter.number("cross.by_x", by_x);
  chapter.number("cross.by_memory", by_memory);
}

}  // namespace

int main(int argc, char** argv) {
  std::string bug = "attn/mask-after-softmax";
  std::int64_t d_head = 64;
  const ChapterText text{"07", "Attention", "Who looks at whom: a mean of what others say, weighted by how well they fit.", attention_tape};
  return run_chapter(argc, argv, text,
                     {{"--bug", &bug, "a wrong attention to put beside the right one", ids_of(wrong_attentions())},
                      {.flag = "--d-head", .value = &d_head, .help = "width of a head", .least = 1, .most = 4096}},
                     [&](Chapter& chapter) {
                       chapter.tell("Small models learn bytes of Shakespeare: two by the formula,\none with a mistake in one line …");
                       const std::vector<Trained> trained = train_all(chapter, bug);
                       const double right = trained[0].losses[0], wrong = named(trained, bug).losses[0];
                       const std::string number = fmt::format("{:.2f} {} {:.2f}", wrong, wrong < right ? "<" : "≥", right);
                       chapter.tell(fmt::format("  {}: {:.2f} nats on validation text\n  the formula: {:.2f}", bug, wrong, right));
                       chapter.ask(
                           {"A mask multiplies the probabilities after the softmax: later keys get the\nweight 0. Can an output depend on "
                            "them?",
                            {"no: their weight is exactly 0", "yes: they stand in the softmax's denominator", "only backward, not forward"},
                            1,
                            "Each weight is divided by\na sum over all keys, later ones too."});
                       causality(chapter, bug);
                       by_hand(chapter);
                       scale(chapter, d_head);
                       masks(chapter);
                       write_losses(chapter, trained, bug);
                       write_mistakes(chapter, trained, bug);
                       cross_attention(chapter);
                       cache_against_none(chapter);
                       copying(chapter);
                       chapter.finish(fmt::format("{} nats: {} against the right attention", number, bug));
                     });
}
