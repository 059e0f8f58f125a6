// ch07_attention: who looks at whom: weights as pictures, masks, the map of causes, the scale, the cache; it learns to copy.
#include <fmt/format.h>

#include <cmath>

#include "core/core.h"
#include "core/inspect/compare.h"
#include "examples/ch07_attention/copy_task.h"
#include "examples/ch07_attention/pictures.h"
#include "examples/ch07_attention/small_model.h"
#include "examples/ch07_attention/too_good.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/study/tapes.h"
#include "examples/shared/training/causality.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

// --- the one picture: what does the output at t depend on? ---------------------------------------------------------

void causality(Chapter& chapter, const std::string& bug) {
  const Numbers right = map_of(nn::attention, chapter.seed());
  const Numbers wrong = map_of(published(wrong_attentions(), bug).function, chapter.seed());
  const double leak = greatest_of_future(wrong);
  chapter.number("causality.right.future", greatest_of_future(right));
  chapter.number("causality.right.map", right);
  chapter.number("causality.wrong.future", leak);
  chapter.tell(
      fmt::format("The causality map: ‖∂out_t/∂in_s‖ by the tape, above the diagonal\n"
                  "  nn::attention              {}\n  {:26} {}",
                  shown(greatest_of_future(right)), bug, shown(leak)));
  chapter.report.section("causality", "Does a position see the future?");
  chapter.report.figure({leak > 0 ? "The future, above the diagonal, is empty on the left. One wrong line, and it lights up."
                                  : "Both are causal: this mistake does not let the future in, and the map cannot see it.",
                         panels({{"nn::attention", "exactly 0 above the diagonal", causal_picture(right, "nn::attention", 24)},
                                 {bug, fmt::format("up to {} above the diagonal", shown(leak)), causal_picture(wrong, bug, 24)}},
                                18) +
                             key_of({.rows = right, .decades = 4, .alt = {}}, "‖∂outₜ/∂inₛ‖"),
                         "Frobenius norms of the Jacobian's blocks, by walking the tape once for each output number. Rows: output t; "
                         "columns: input s, 12 positions. Two pre-norm blocks with RoPE and SwiGLU, d = 48, three heads, random weights. "
                         "Another mistake: <code>--bug attn/mask-off-by-one</code>"});
  chapter.report.formula(
      "{v y} = softmax({frac {v q} {v k}{sup T} | {root {c d}{sub head}}} + {c M}) {v v};;"
      "{c M}{sub ts} = −∞ where s > t, else 0");
}

// --- four numbers by hand --------------------------------------------------------------------------------------

void by_hand(Chapter& chapter) {
  const Tensor q = ones({1, 3, 1, 1}, DType::f64), v = reshape(tensor({6, 12, 18}, DType::f64), {1, 3, 1, 1});
  const Tensor k = reshape(tensor({0, std::log(2), std::log(3)}, DType::f64), {1, 3, 1, 1});
  const Tensor p = nn::attention_probabilities(q, k, {.causal = true}), y = nn::attention(q, k, v, {.causal = true});
  const Tensor wrong = published(wrong_attentions(), "attn/mask-after-softmax").function(q, k, v, {.causal = true});
  ReportTable table{"One head of width 1: q = 1, 1, 1; k = 0, ln 2, ln 3, so e<sup>q·k</sup> = 1, 2, 3; v = 6, 12, 18.",
                    {{"query"}, {"weights"}, {"output", "", true}, {"wrong mask", "", true}},
                    {}};
  for (int64_t t = 0; t < 3; ++t) {
    std::string weights;
    for (int64_t s = 0; s <= t; ++s) weights += (s > 0 ? ", " : "") + shown(p.at({0, 0, t, s}));
    table.rows.push_back({std::to_string(t + 1), weights, shown(y.at({0, t, 0, 0}), 2), shown(wrong.at({0, t, 0, 0}), 2)});
  }
  chapter.number("hand.y", to_vector(y));
  chapter.number("hand.mask_after_softmax", to_vector(wrong));
  chapter.report.section("hand", "Numbers by hand");
  chapter.report.table(table);
  chapter.report.text(
      "The first query sees one key, so its weight is 1 and its output is 6. With the mask after the softmax its weight is "
      "1/(1 + 2 + 3): the keys it must not see stand in the denominator, and 6/6 = 1 tells of them.");
  chapter.show_tape();
}

// --- the knob: the scale ---------------------------------------------------------------------------------------

// Mean entropy of the weights over 16 keys, queries and keys being normal random numbers.
double entropy(int64_t d_head, double scale) {
  const Tensor q = randn({256, 8, 1, d_head}, DType::f64), k = randn({256, 16, 1, d_head}, DType::f64);
  const Tensor p = nn::attention_probabilities(q, k, {.scale = scale});
  return -mean(sum(p * log(maximum(p, scalar_like(p, 1e-300))), -1)).item();
}

void scale(Chapter& chapter, int64_t d_head) {
  Line with{.name = "with 1/√d", .x = {}, .y = {}, .colour = "f1"}, without{.name = "without", .x = {}, .y = {}, .colour = "f4"};
  Line uniform{.name = "uniform", .x = {4, 256}, .y = {std::log(16), std::log(16)}, .colour = "none"};
  for (int64_t d = 4; d <= 256; d *= 2) {
    for (Line* line : {&with, &without}) {
      line->x.push_back(static_cast<double>(d));
      line->y.push_back(entropy(d, line == &with ? 0 : 1));
    }
  }
  const double scaled = entropy(d_head, 0), raw = entropy(d_head, 1);
  chapter.number("entropy.with", with.y);
  chapter.number("entropy.without", without.y);
  chapter.number("entropy.d_head", static_cast<double>(d_head));
  chapter.number("entropy.scaled", scaled);
  chapter.number("entropy.raw", raw);
  chapter.number("entropy.uniform", std::log(16));
  chapter.tell(
      fmt::format("Entropy of the weights over 16 random keys, d_head = {}:\n"
                  "  with 1/√d {:.2f} nats, without {:.2f}, uniform {:.2f}",
                  d_head, scaled, raw, std::log(16)));
  chapter.report.section("scale", "Why 1/√d?");
  chapter.report.figure(
      {"Without the scale a wider head looks at one key only; with it the width does not matter.",
       draw(Plot{.title = "Entropy of attention's weights against the width of a head",
                 .alt = fmt::format("Line plot. x: width of a head from 4 to 256; y: mean entropy from 0 to 2.9 nats. With 1/√d it "
                                    "stays between {:.2f} and {:.2f}; without it falls from {:.2f} to {:.2f}; uniform is "
                                    "2.77.",
                                    with.y.back(), with.y[0], without.y[0], without.y.back()),
                 .x = {"width of a head, d", true, 4, 256},
                 .y = {"entropy (nats)", false, 0, 2.9},
                 .lines = {with, without, uniform}}),
       fmt::format("2,048 queries over 16 keys each, all numbers N(0, 1): q · k has variance d. At d_head = {}: {:.2f} nats "
                   "with the scale, {:.2f} without. Another width: <code>--d-head 128</code>",
                   d_head, scaled, raw)});
}

// --- masks, cross-attention, cache ---------------------------------------------------------------------------------

void masks(Chapter& chapter) {
  const Tensor q = randn({1, 10, 1, 16}), k = randn({1, 10, 1, 16});
  const Tensor lengths = tensor({7}, DType::i64);
  const auto panel = [&](const char* title, const char* sentence, const nn::ScaledDotOptions& options) {
    return Panel{title, sentence, weights_picture(nn::attention_probabilities(q, k, options)[0][0])};
  };
  chapter.report.section("masks", "Weights as pictures");
  chapter.report.figure(
      {"Each row sums to 1. A mask takes keys away, and what is left is shared anew.",
       panels({panel("no mask", "every query sees all ten keys", {}), panel("causal", "no later key", {.causal = true}),
               panel("window of 3", "the three nearest, not later", {.causal = true, .window = 3}),
               panel("padding", "the last three keys are no words", {.mask = nn::padding_mask(lengths, 10)})}) +
           key_of(weights_map(nn::attention_probabilities(q, k)[0][0]), "weight"),
       "Rows: queries; columns: keys. The same random queries and keys, 10 of each, one head of width 16; hidden keys are "
       "empty cells, their weight exactly 0."});
}

void cross_attention(Chapter& chapter) {
  nn::MultiHeadAttention attention({.d_model = 16, .heads = 2});
  const Tensor x = randn({1, 5, 16}), memory = randn({1, 8, 16});
  const Numbers by_x = causality_map([&](const Tensor& in) { return attention(in, {.memory = memory}); }, x);
  const Numbers by_memory = causality_map([&](const Tensor& in) { return attention(x, {.memory = in}); }, memory);
  chapter.number("cross.by_x", by_x);
  chapter.number("cross.by_memory", by_memory);
  chapter.report.section("cross", "Cross-attention: queries here, keys and values there");
  chapter.report.figure({"An output depends on its own query alone, and on all of the other sequence.",
                         panels({{"∂out/∂x", "x makes the queries: only the diagonal", causal_picture(by_x)},
                                 {"∂out/∂memory", "memory makes keys and values: every cell", causal_picture(by_memory)}},
                                13),
                         "Five queries from one sequence, eight keys and values from another. In a decoder the queries are the decoder's, "
                         "keys and values the encoder's."});
}

// In one pass over `ids` positions that see `keys`, each weight of a matrix meets each position once, the head is the
// embedding; and q · k and P v are `keys` products of d_model numbers.
double multiplications(nn::LanguageModel& model, int64_t ids, int64_t keys) {
  double weights = 0;
  for (const NamedTensor& p : model.named_parameters()) weights += p.tensor.rank() == 2 ? static_cast<double>(p.tensor.numel()) : 0;
  const auto& o = model.options();
  return static_cast<double>(ids) * (weights + static_cast<double>(2 * o.layers * keys * o.d_model));
}

void cache(Chapter& chapter) {
  constexpr int64_t length = 64;
  nn::LanguageModel model({.context = length, .d_model = 64, .layers = 2, .heads = 4});
  const NoGrad off;
  const Tensor ids = randint(0, 256, {1, length}), whole = model(ids);
  nn::GenerationCache past;
  Tensors steps;
  double with = 0, without = 0;
  for (int64_t t = 0; t < length; ++t) {
    steps.push_back(model(slice(ids, 1, t, t + 1), past));
    with += multiplications(model, 1, past.length);
    without += multiplications(model, t + 1, t + 1);
  }
  const double difference = max_difference(cat(steps, 1), whole);
  chapter.number("cache.difference", difference);
  chapter.number("cache.multiplications", with);
  chapter.number("cache.multiplications_without", without);
  chapter.tell(fmt::format("KV cache, {} ids one by one: the same scores within {},\n  {:.0f} times fewer multiplications", length,
                           shown(difference, 2), without / with));
  chapter.report.section("cache", "What need not be computed again");
  chapter.report.text(
      fmt::format("Keys and values of what was read do not change when an id is added: the causal map says so. Kept in a cache, "
                  "{} ids cost {} multiplications, and {} without. The scores of the next ids differ by {} at most, "
                  "which is rounding.",
                  length, shown(with), shown(without), shown(difference, 2)));
}

// --- it learns to copy -----------------------------------------------------------------------------------------

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
  std::vector<Panel> heads;
  for (std::size_t layer = 0; layer < weights.size(); ++layer) {
    for (int64_t head = 0; head < weights[layer].size(1); ++head) {
      const Tensor p = weights[layer][0][head];
      double back = 0;  // mean weight, in the copy, of the letter that is to be said
      for (int64_t t = kLength; t < 2 * kLength; ++t) back += p.at({t, t - kLength}) / kLength;
      heads.push_back({fmt::format("block {}, head {}", layer + 1, head + 1), fmt::format("{:.0f} % on the letter to say", 100 * back),
                       weights_picture(p, "", 10)});
    }
  }
  chapter.report.section("copy", "It learns to copy");
  chapter.report.figure(
      {"A stripe eight places back: to say the next letter, look where it stood.",
       panels(heads) + key_of(weights_map(weights[0][0][0]), "weight"),
       fmt::format("Weights of the trained model on one unseen sequence: letters 1 to 8, a mark, letters 1 to 7. Accuracy on "
                   "2,000 unseen letters {:.1f} %; trained the same with attention cut, so that each position sees itself "
                   "alone, {:.1f} %; chance is {:.2f} %. {} steps.",
                   100 * learned, 100 * cut, 100 * chance, steps)});
}

void same_name(Chapter& chapter) {
  chapter.report.section("same-name", "Same name, other formula");
  ReportTable table{"What “scaled” and “mask” mean differs between sources.", {{"word"}, {"here"}, {"elsewhere"}}, {}};
  table.rows.push_back({"scale", "1/√d<sub>head</sub>", "none in T5, whose initial weights carry it; a trained one with cosine scores"});
  table.rows.push_back(
      {"mask", "1: the key is seen", "True: the key is hidden (PyTorch’s padding mask); or numbers that are added, 0 and −∞"});
  table.rows.push_back({"d", "width of one head", "width of the model, in the formula of one head"});
  table.rows.push_back({"attention with a sink", "one more term e<sup>s</sup> in the denominator", "“softmax1”: a 1 there, so s = 0"});
  chapter.report.table(table);
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
                       chapter.report.one_number(
                           escaped(number),
                           fmt::format("The one number: validation loss in nats with the mistake <code>{}</code>, against the right "
                                       "attention.{}",
                                       bug, wrong < right / 2 ? " Too good to be true." : ""));
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
                       cache(chapter);
                       copying(chapter);
                       same_name(chapter);
                       chapter.finish(fmt::format("{} nats: {} against the right attention", number, bug));
                     });
}
