// ch08_placement: where the norm stands decides how loud the stream gets and which blocks learn: pre, post, DeepNorm.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/core.h"
#include "examples/ch08_placement/collapse.h"
#include "examples/ch08_placement/training.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/deep_stack.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

const std::vector<std::pair<std::string, std::string>> kPlacements{{"pre", "f1"}, {"post", "f2"}, {"deepnorm", "f3"}, {"sandwich", "f4"}};
using Profiles = std::map<std::string, Profile>;

std::vector<double> blocks_to(int64_t depth, int64_t first = 0) {
  std::vector<double> x;
  for (int64_t l = first; l <= depth; ++l) x.push_back(static_cast<double>(l));
  return x;
}

Profiles measure(Chapter& chapter, int64_t depth) {
  Profiles all;
  for (const auto& [placement, colour] : kPlacements) {
    const Profile& p = all[placement] = at_the_start({.placement = placement, .depth = depth}, chapter.seed(), chapter.full() ? 8 : 3);
    chapter.number("start." + placement + ".variance", p.variance);
    chapter.number("start." + placement + ".gradient", p.gradient);
    chapter.number("start." + placement + ".parameter_gradient", p.parameter_gradient);
  }
  return all;
}

// --- the picture: gradients on their way down -------------------------------------------------------------------------

// What theory says of pre-norm: x_l = x_(l-1) + f(norm(x_(l-1))), and the norm divides by the stream's size σ. So the block
// adds to the gradient in proportion to 1/σ, and from the top down to l it grows as σ_L / σ_l.
std::vector<double> predicted(const Profile& pre) {
  std::vector<double> y;
  for (const double v : pre.variance) y.push_back(std::sqrt(pre.variance.back() / v));
  return y;
}

void gradients(Chapter& chapter, const Profiles& all, int64_t depth) {
  Plot plot{.title = "Norm of the gradient by block, before training",
            .alt = "Line plot. x: block; y: gradient of the stream over that at the top, log.",
            .x = {"block", false, 0, static_cast<double>(depth)},
            .y = {"‖dL/dx‖ over that at the top", true},
            .lines = {}};
  for (const auto& [placement, colour] : kPlacements) {
    const Profile& p = all.at(placement);
    plot.lines.push_back({.name = "", .x = blocks_to(depth), .y = p.gradient, .colour = colour, .low = p.low, .high = p.high});
    plot.alt += fmt::format(" {}: {} at the bottom.", placement, shown(p.gradient[0]));
  }
  const std::vector<double> theory = predicted(all.at("pre"));
  plot.lines.push_back({.name = "", .x = blocks_to(depth), .y = theory, .colour = "ink", .dashed = true});
  plot.alt += fmt::format(" Dashed, theory for pre: {} at the bottom.", shown(theory[0]));
  double apart = 1;  // by which factor theory misses pre-norm at most
  for (std::size_t l = 0; l < theory.size(); ++l) {
    const double factor = theory[l] / all.at("pre").gradient[l];
    apart = std::max({apart, factor, 1 / factor});
  }
  chapter.number("theory.pre.gradient", theory);
  chapter.number("theory.pre.apart", apart);
  const auto remark = [&](const std::string& text, const std::vector<double>& y, double at, double above, const char* colour) {
    const auto l = static_cast<std::size_t>(at * static_cast<double>(depth));
    plot.remarks.push_back(
        {.text = text, .x = static_cast<double>(l) + 0.02 * static_cast<double>(depth), .y = y[l] * above, .colour = colour});
  };
  remark("sandwich", all.at("sandwich").gradient, 0, 1, "f4");
  remark("theory for pre", theory, 0.25, 1.12, "ink");
  remark("pre", all.at("pre").gradient, 0.2, 0.84, "f1");
  remark("deepnorm", all.at("deepnorm").gradient, 0.78, 0.9, "f3");
  remark("post", all.at("post").gradient, 0.5, 0.85, "f2");
  chapter.tell(fmt::format("The gradient at the bottom over that at the top:\n  pre {:.2f} (theory {:.2f}), post {:.2f}, DeepNorm {:.2f}",
                           all.at("pre").gradient[0], theory[0], all.at("post").gradient[0], all.at("deepnorm").gradient[0]));
  chapter.report.section("gradients", "Gradients on their way down");
  chapter.report.figure(
      {"Pre-norm hands its lowest blocks the largest gradients, about as theory says; DeepNorm keeps them level.", draw(plot),
       fmt::format("‖dL/dx<sub>l</sub>‖ of the stream after block l, over that after block {}, before training: geometric mean of "
                   "{} seeds, band from least to greatest. d = 64, layer norm, ReLU, Xavier normal, random bytes. Dashed: "
                   "σ<sub>L</sub>/σ<sub>l</sub>, from the stream’s size alone: it misses by a factor of {} at most, as it takes a "
                   "sublayer’s gain "
                   "backward to be that forward. Another depth: <code>--depth 48</code>",
                   depth, chapter.full() ? 8 : 3, shown(apart, 2))});
  chapter.report.formula(
      "pre: {v x} + {m f}(norm({v x}));;post: norm({v x} + {m f}({v x}));;sandwich: {v x} + norm({m f}(norm({v x})));;"
      "DeepNorm: norm({c α} {v x} + {m f}({v x}))");
}

// --- the one number: how loud the stream gets ------------------------------------------------------------------------

void variances(Chapter& chapter, const Profiles& all, int64_t depth) {
  Plot plot{.title = "Variance of the stream by block, before training",
            .alt = "Line plot. x: block; y: variance of the stream.",
            .x = {"block", false, 0, static_cast<double>(depth)},
            .y = {"variance of the stream"},
            .lines = {}};
  for (const auto& [placement, colour] : kPlacements) {
    plot.lines.push_back({.name = placement, .x = blocks_to(depth), .y = all.at(placement).variance, .colour = colour});
    plot.alt += fmt::format(" {}: {} after the last.", placement, shown(all.at(placement).variance.back()));
  }
  const auto end = static_cast<double>(depth);
  plot.lines.push_back({.name = "", .x = {0, end}, .y = {1, 1 + end}, .colour = "ink", .dashed = true});
  plot.lines.push_back({.name = "", .x = {0, end}, .y = {1, 1 + 2 * end}, .colour = "ink", .dashed = true});
  plot.alt += " Dashed: one and two a block.";
  chapter.report.section("variance", "How loud the stream gets");
  chapter.report.figure(
      {"A stream that nothing divides gets louder: with a norm before each sublayer by about one a block, with one behind "
       "it too by two.",
       draw(plot),
       "Variance of all numbers of the stream, the same models. Dashed: 1 + l, and 1 + 2l for two sublayers of variance 1. "
       "Post-norm "
       "and DeepNorm divide after each sublayer."});
}

// --- numbers by hand -------------------------------------------------------------------------------------------------

void by_hand(Chapter& chapter) {
  const Tensor x = tensor({3, 1}, DType::f64);
  const auto norm = [](const Tensor& t) { return nn::layer_norm(t, {2}, {}, {}, 0); };
  const double alpha = nn::deep_norm_scale({.layers = 8}).alpha;
  ReportTable table{"One sublayer f(x) = 2x on the stream x = [3, 1], of variance 1. The norm of [3, 1] is [1, −1].",
                    {{"placement"}, {"its formula"}, {"stream after it"}, {"variance", "", true}},
                    {}};
  const auto row = [&](const std::string& name, const std::string& formula, const Tensor& y) {
    table.rows.push_back({name, formula, fmt::format("[{}, {}]", shown(y.at({0})), shown(y.at({1}))), shown(var(y, {}, 0).item())});
    chapter.number("hand." + name, to_vector(y));
  };
  row("pre", "x + 2 norm(x)", x + 2 * norm(x));
  row("post", "norm(x + 2x)", norm(x + 2 * x));
  row("sandwich", "x + norm(2 norm(x))", x + norm(2 * norm(x)));
  row("deepnorm", "norm(αx + 2x), 8 blocks: α = 2", norm(alpha * x + 2 * x));
  chapter.report.section("hand", "Numbers by hand");
  chapter.report.table(table);
  ReportTable scales{"DeepNorm’s two numbers: α = (2L)<sup>¼</sup> makes the stream louder, β = (8L)<sup>−¼</sup> the weights quieter.",
                     {{"blocks L"}, {"α", "", true}, {"β", "", true}},
                     {}};
  for (const int64_t layers : {8, 24, 128, 1000}) {
    const auto [a, b] = nn::deep_norm_scale({.layers = layers});
    scales.rows.push_back({with_commas(layers), fixed(a, 3), fixed(b, 3)});
    chapter.number(fmt::format("deepnorm.{}", layers), {a, b});
  }
  chapter.report.table(scales);
  chapter.show_tape();
}

// --- depth -----------------------------------------------------------------------------------------------------------

void depths(Chapter& chapter) {
  ReportTable table{
      "The same at other depths, before training. Gradients are those at the bottom over those at the top.",
      {{"blocks"}, {"pre: variance", "", true}, {"pre: gradient", "", true}, {"post: weights", "", true}, {"DeepNorm", "", true}},
      {}};
  for (const int64_t depth : {6, 12, 48}) {
    Profiles at;
    for (const char* placement : {"pre", "post", "deepnorm"}) {
      at[placement] = at_the_start({.placement = placement, .depth = depth}, chapter.seed(), chapter.full() ? 8 : 2);
    }
    const std::vector<double> row{at["pre"].variance.back(), at["pre"].gradient[0], at["post"].parameter_gradient[1],
                                  at["deepnorm"].gradient[0]};
    chapter.number(fmt::format("depth.{}", depth), row);
    table.rows.push_back({std::to_string(depth), fixed(row[0], 1), fixed(row[1], 2), fixed(row[2], 2), fixed(row[3], 3)});
  }
  chapter.report.section("depth", "Deeper");
  chapter.report.table(table);
}

void thousand(Chapter& chapter) {
  const StackChoice narrow{.placement = "deepnorm", .depth = 1000, .d_model = 16, .context = 8, .batch = 2, .heads = 2};
  ReportTable table{"1000 blocks of width 16 (2000 sublayers), before training.",
                    {{"placement"},
                     {"variance", "at the top", true},
                     {"gradient", "bottom over top", true},
                     {"weights’ gradient", "first over last", true}},
                    {}};
  for (const char* placement : {"deepnorm", "pre", "post"}) {
    StackChoice choice = narrow;
    choice.placement = placement;
    const Profile p = at_the_start(choice, chapter.seed(), 1);
    chapter.number(fmt::format("thousand.{}", placement), {p.variance.back(), p.gradient[0], p.parameter_gradient[1]});
    table.rows.push_back({placement, shown(p.variance.back()), shown(p.gradient[0]), shown(p.parameter_gradient[1])});
  }
  const std::vector<double> losses = overfit(narrow, chapter.seed(), chapter.full() ? 60 : 12);
  const double ratio = at_the_start(narrow, chapter.seed(), 1).gradient[0];
  const bool works = ratio > 0.5 && ratio < 2 && losses.back() < losses[0] - 0.1;
  chapter.number("thousand.losses", losses);
  chapter.tell(fmt::format("1000 blocks of DeepNorm: gradient bottom/top {:.2f}; {} steps on one batch:\n  {:.2f} → {:.2f} nats", ratio,
                           losses.size() - 1, losses[0], losses.back()));
  chapter.report.section("thousand", "A thousand blocks");
  chapter.report.table(table);
  chapter.claim("deepnorm-1000-layers", "DeepNorm trains a Transformer of a thousand layers.",
                works ? Verdict::undecided : Verdict::refuted,
                fmt::format("1000 blocks of width 16: the gradient at the bottom is {} times that at the top; {} steps on one batch of 16 "
                            "bytes "
                            "take the loss from {} to {} nats. One seed. Rule: not seen unless the gradient is within a factor of 2 and "
                            "the loss falls by 0.1; to see a thousand "
                            "blocks trained to the end takes days.",
                            shown(ratio), losses.size() - 1, shown(losses[0]), shown(losses.back())));
}

// --- claims ----------------------------------------------------------------------------------------------------------

void larger_at_the_bottom(Chapter& chapter, const Profiles& all, int64_t depth) {
  const double xavier = all.at("pre").parameter_gradient[1];
  const double gpt2 = at_the_start({.placement = "pre", .depth = depth, .init = "gpt2"}, chapter.seed(), 2).parameter_gradient[1];
  chapter.number("claim.xavier", xavier);
  chapter.number("claim.gpt2", gpt2);
  const int larger = (xavier > 1.5 ? 1 : 0) + (gpt2 > 1.5 ? 1 : 0);
  const Verdict verdict = larger == 2 ? Verdict::confirmed : larger == 1 ? Verdict::depends : Verdict::refuted;
  chapter.report.section("claims", "Claims");
  chapter.claim("pre-norm-bottom-gradients-larger", "With pre-norm the gradients of the lower layers are larger.", verdict,
                fmt::format("Weights of block 1 over those of block {}: {} where weights begin Xavier normal, {} "
                            "where they begin N(0, 0.02²), as in "
                            "GPT-2: there the sublayers are so quiet that the stream hardly grows. Rule: seen here "
                            "above 1.5 with both, partly seen "
                            "with one.",
                            depth, shown(xavier), shown(gpt2)));
}

void same_name(Chapter& chapter) {
  const double here = nn::deep_norm_scale({.layers = 24}).alpha, glm = nn::glm_deep_norm_scale({.layers = 24}).alpha;
  chapter.report.section("same-name", "Same name, other formula");
  ReportTable table{"What “DeepNorm” and “add &amp; norm” mean differs between sources.", {{"name"}, {"here"}, {"elsewhere"}}, {}};
  table.rows.push_back({"DeepNorm’s α", fmt::format("(2L)<sup>¼</sup>, {} at 24 blocks", shown(here)),
                        fmt::format("(2L)<sup>½</sup> in GLM: {}", shown(glm))});
  table.rows.push_back({"DeepNorm", "norm(αx + f(x)), x the sublayer’s input", "norm(x + αf(x)) in labml’s code, under the right formula"});
  table.rows.push_back({"add &amp; norm", "post-norm: first add, then norm",
                        "pre-norm written as x = norm(x); x + f(x) loses the stream: a mistake (pytorch#61165)"});
  chapter.report.table(table);
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t depth = 24;
  const ChapterText text{"08", "Placement", "Where a norm stands decides how loud the stream gets, and which blocks learn.",
                         placement_tape};
  const std::vector<Knob> knobs{{.flag = "--depth", .value = &depth, .help = "blocks L", .least = 2, .most = 96}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    const Profiles all = measure(chapter, depth);
    const auto loud = [&](const char* placement) { return all.at(placement).variance.back(); };
    chapter.report.one_number(fixed(loud("pre"), 1),
                              fmt::format("The one number: variance of the pre-norm stream after {} blocks, about one a "
                                          "block. With post-norm {}, with DeepNorm {}.",
                                          depth, fixed(loud("post"), 1), fixed(loud("deepnorm"), 1)));
    chapter.ask({fmt::format("Pre-norm: x + f(norm(x)). What is the variance of x after {} blocks,\nif it begins at 1?", depth),
                 {"1: there is a norm in each block", "about the number of blocks: it adds up", "doubled with each block"},
                 1,
                 "The norm stands on\nthe branch; what it hands on is added, and nothing divides the stream."});
    gradients(chapter, all, depth);
    variances(chapter, all, depth);
    by_hand(chapter);
    depths(chapter);
    in_training(chapter, chapter.full() ? 12 : 6);
    rank_collapse(chapter);
    thousand(chapter);
    larger_at_the_bottom(chapter, all, depth);
    same_name(chapter);
    chapter.finish(
        fmt::format("{:.1f}: variance of the pre-norm stream after {} blocks, post-norm {:.1f}", loud("pre"), depth, loud("post")));
  });
}
