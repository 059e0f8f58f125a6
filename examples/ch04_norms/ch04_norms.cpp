// ch04_norms: what moves when one number is nudged, what a norm does not see, and where ε and f16 take over.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/ch04_norms/claims.h"
#include "examples/ch04_norms/images.h"
#include "examples/ch04_norms/perturbation.h"
#include "examples/shared/mistakes/wrong_norms.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/norm_axes.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

double rms_of(const Tensor& x) { return std::sqrt(mean(square(cast(x, DType::f64))).item()); }
double difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

// --- the one number: √n --------------------------------------------------------------------------------------

void one_number(Chapter& chapter) {
  Generator random(chapter.seed());
  double error = 0;
  for (const int64_t n : {2, 3, 64, 768}) {
    for (const double size : {1e-6, 1.0, 1e6}) {
      const Tensor y = nn::rms_norm((randn({n}, DType::f64, random) + 0.3) * size, {}, 0);
      error = std::max(error, std::abs(std::sqrt(sum(square(y)).item()) / std::sqrt(static_cast<double>(n)) - 1));
    }
  }
  const Tensor two = nn::layer_norm(tensor({{1, 2}, {5, -300}}, DType::f64), {2}, {}, {}, 0);
  chapter.number("length.relative_error", error);
  chapter.number("two.y", values_of(two));
  chapter.report.one_number(
      "√n",
      fmt::format("The one number: the length of x / r, r = √mean(x²), for every x of n numbers: to within {} for n = 2 "
                  "to 768 and sizes 10⁻⁶ to 10⁶. And layer norm of two numbers leaves a sign: [1, 2] becomes [{}, {}], "
                  "[5, −300] becomes [{}, {}].",
                  shown(error, 2), fixed(two.at({0, 0}), 0), fixed(two.at({0, 1}), 0), fixed(two.at({1, 0}), 0), fixed(two.at({1, 1}), 0)));
  chapter.ask({"Batch norm in training: one token of one sentence changes. Which outputs move?",
               {"that token's", "that sentence's", "those of the other sentences too"},
               2,
               "Its mean and variance\nare those of a channel over the whole batch"});
  chapter.tell(
      fmt::format("the length of x / r is √n for every x: error {:.0e}\nlayer norm of [1, 2] and of [5, -300]: [{:.0f}, {:.0f}] and "
                  "[{:.0f}, {:.0f}]",
                  error, two.at({0, 0}), two.at({0, 1}), two.at({1, 0}), two.at({1, 1})));
}

// --- the one picture: perturbation maps -----------------------------------------------------------------------

double moved_cells(const Tensor& column) { return sum(cast(abs(column) > 1e-9, DType::f64)).item(); }

void maps(Chapter& chapter, const std::string& bug) {
  constexpr int64_t samples = 4, channels = 6, tokens = 6;
  const std::vector<int64_t> nudged{1, 2, 3};
  Generator random(chapter.seed());
  const Tensor x = randn({samples, channels, tokens}, DType::f32, random);
  std::vector<NamedNorm> all = norms_of_a_cube(channels, tokens);
  if (!bug.empty()) {
    const WrongNorm wrong = published(wrong_norms(), bug);
    all.push_back({"bug", bug, wrong.line, [wrong](const Tensor& t) { return transpose(wrong.apply(transpose(t), 1e-5)); }});
  }
  std::vector<Panel> cubes;
  double in_other_samples = 0;
  chapter.tell("\noutputs that move when one of 144 inputs is nudged:");
  for (const auto& [id, name, sentence, apply] : all) {
    const Tensor column = jacobian_column(apply, x, nudged);
    const double count = moved_cells(column);
    cubes.push_back({escaped(name), fmt::format("{} cells: {}", shown(count), escaped(sentence)), draw_cube(column, nudged)});
    chapter.number("moved." + id, count);
    chapter.tell(fmt::format("  {:<22} {:>3}  {}", name, count, sentence));
    if (id == "batch") in_other_samples = count - moved_cells(column[nudged[0]]);
  }
  chapter.report.section("maps", "Nudge one number: which outputs move?");
  chapter.report.figure(
      {"A column of one slice, a whole slice, a row, two rows, a row of all slices: each norm is the set of numbers it "
       "averages.",
       panels(cubes, 18) + key_of({.rows = {{1}}, .limit = 1, .alt = {}}, "|dy/dx|, relative to the greatest"),
       fmt::format("A cube of {} samples (the slices), {} channels (down) and {} tokens (across); the framed input is "
                   "nudged. Colour: "
                   "|dy/dx| of every output, from the layers' own Jacobians by the tape. Random x, seed {}. Redraw: "
                   "<code>./examples/run ch04</code>",
                   samples, channels, tokens, chapter.seed())});
  chapter.number("moved.batch_in_other_samples", in_other_samples);
  chapter.claim("batch-norm-mixes-sentences", "Batch norm mixes sentences.", in_other_samples > 0 ? Verdict::confirmed : Verdict::refuted,
                fmt::format("In training, {} of the outputs that move stand in other samples. Rule: seen here if there is one.",
                            shown(in_other_samples)));
  chapter.report.formula(
      "layer: {v y} = {frac {v x} − μ | {root σ² + {c ε}}} ⊙ {p γ} + {p β};;RMS: {v y} = {frac {v x} | "
      "{root mean({v x}²) + {c ε}}} ⊙ {p γ}");
}

void axes(Chapter& chapter) {
  const Shape image{4, 6, 3, 5};
  nn::BatchNorm2d batch(6), eval(6);
  eval.eval();
  nn::InstanceNorm instance(6);
  nn::GroupNorm group(3, 6);
  nn::LayerNorm layer({6, 3, 5});
  nn::ChannelLayerNorm channel(6);
  ReportTable table{"Images [N, C, H, W] = [4, 6, 3, 5]: how far along each axis the numbers reach on which one output depends.",
                    {{"norm"}, {"N", "", true}, {"C", "", true}, {"H", "", true}, {"W", "", true}, {"numbers averaged", "", true}},
                    {}};
  const auto add = [&](const std::string& name, const std::string& path, const Shape& extent) {
    table.rows.push_back({name});
    for (const int64_t size : extent) table.rows.back().push_back(std::to_string(size));
    table.rows.back().push_back(std::to_string(extent.numel()));
    chapter.number("axes." + path, static_cast<double>(extent.numel()));
  };
  add("batch, training", "batch", norm_extent(batch, image));
  add("batch, eval", "batch_eval", norm_extent(eval, image));
  add("instance", "instance", norm_extent(instance, image));
  add("group, 3 groups", "group", norm_extent(group, image));
  add("layer (C, H, W)", "layer", norm_extent(layer, image));
  add("layer (C)", "channel_layer", norm_extent(channel, image));
  nn::RMSNorm rms(6);  // of the last axis: [N, H, W, C]
  const Shape last = norm_extent(rms, {4, 3, 5, 6});
  add("RMS (C)", "rms", {last[0], last[3], last[1], last[2]});
  chapter.report.section("axes", "The axes of images");
  chapter.report.table(table);
}

// --- numbers by hand ------------------------------------------------------------------------------------------

void by_hand(Chapter& chapter) {
  Tensor x = tensor({1, 2, 2, 4}, DType::f64).set_requires_grad(), gain = tensor({1, 1, 2, 1}, DType::f64).set_requires_grad();
  const Tensor y = nn::rms_norm(x, gain, 0), g = tensor({1, 0, 1, -1}, DType::f64);
  const Tensors grads = grad({y}, {x, gain}, {.seeds = {g}});
  ReportTable table{"RMSNorm of [1, 2, 2, 4] with ε = 0: mean(x²) = 25/4, so r = 2.5; g = dL/dy.",
                    {{"line"}, {"1", "", true}, {"2", "", true}, {"3", "", true}, {"4", "", true}},
                    {}};
  const auto row = [&](const std::string& name, const Tensor& t) {
    table.rows.push_back({name});
    for (const double value : values_of(t)) table.rows.back().push_back(fixed(value, 3));
  };
  row("<var class=\"v\">x</var>", x.detach());
  row("<var class=\"v\">x</var>/r", x.detach() / 2.5);
  row("<var class=\"v\">y</var>, <var class=\"p\">γ</var> = 1, 1, 2, 1", y.detach());
  row("<var class=\"g\">g</var>", g);
  row("d<var>L</var>/d<var class=\"p\">γ</var>", grads[1]);
  row("d<var>L</var>/d<var class=\"v\">x</var>", grads[0]);
  const double along = sum(grads[0] * x.detach()).item();
  chapter.number("hand.y", values_of(y.detach()));
  chapter.number("hand.dx", values_of(grads[0]));
  chapter.number("hand.dgain", values_of(grads[1]));
  chapter.number("hand.dx_along_x", along);
  chapter.report.section("hand", "Numbers by hand");
  chapter.report.table(table);
  chapter.report.text(
      fmt::format("dL/dx stands at a right angle to x: Σ x dL/dx = {}. To make x longer does not change y, so no gradient points "
                  "that way.",
                  shown(std::abs(along) < 1e-15 ? 0 : along)));
  chapter.show_tape();
}

// --- the knob: the scale of x -----------------------------------------------------------------------------------

// The formula as one would first write it, its squares kept in f16.
Tensor naive_f16(const Tensor& x) {
  const Tensor half = cast(x, DType::f16);
  return half / cast(sqrt(mean(cast(square(half), DType::f16), {-1}, true)), DType::f16);
}

void scale(Chapter& chapter, double a) {
  const Tensor ones_row = tensor({1, -1, 1, -1}, DType::f64);  // RMS 1
  const auto size_after = [&](double by, double eps) { return rms_of(nn::rms_norm(ones_row * by, {}, eps)); };
  double alive = 1, dead = 1000;
  while (dead - alive > 1e-3) {
    const double by = (alive + dead) / 2;
    (rms_of(naive_f16(ones_row * by)) > 0.5 ? alive : dead) = by;
  }
  Plot plot{.title = "RMS of RMSNorm(a·x) against a",
            .alt = {},
            .x = {"RMS of the input, a", true, 1e-6, 1e6},
            .y = {"RMS of the output", false, 0, 1.15},
            .lines = {}};
  for (const auto& [eps, colour] : {std::pair{1e-5, "f1"}, {1e-6, "f3"}, {0.0, "ink"}}) {
    Line line{.name = "", .x = {}, .y = {}, .colour = colour};
    for (double e = -6; e <= 6.01; e += 0.1) {
      line.x.push_back(std::pow(10, e));
      line.y.push_back(size_after(line.x.back(), eps));
    }
    plot.lines.push_back(std::move(line));
  }
  Line half{.name = "", .x = {}, .y = {}, .colour = "wrong", .dashed = true};
  for (double by = 16; by < 1e6; by *= 1.1) {
    half.x.push_back(by);
    half.y.push_back(rms_of(naive_f16(ones_row * by)));
  }
  plot.lines.push_back(std::move(half));
  plot.remarks = {{.text = "ε = 1e-5", .x = 4e-3, .y = 0.62, .colour = "f1"},
                  {.text = "1e-6", .x = 5e-4, .y = 0.62, .colour = "f3", .side = Remark::Side::left},
                  {.text = "ε = 0: always 1", .x = 2e-6, .y = 1.07, .colour = "ink"},
                  {.text = "squares in f16: 0 from 256 on", .x = 150, .y = 0.3, .colour = "wrong", .side = Remark::Side::left}};
  const double at_root = size_after(std::sqrt(1e-5), 1e-5), own = size_after(a, 1e-5);
  plot.dots = {{a, own}};
  plot.alt = fmt::format(
      "Line plot. x: RMS of the input from 10⁻⁶ to 10⁶, log; y: RMS of the output from 0 to 1. With ε = 0 it is 1 "
      "everywhere; with "
      "1e-5 it falls below {:.2f} under 3·10⁻³, with 1e-6 under 10⁻³; computed in f16 throughout it drops to 0 at {:.0f}.",
      at_root, dead);
  chapter.number("scale.f16_dies_at", dead);
  chapter.number("scale.at_root_of_eps", at_root);
  chapter.number("scale.a", a);
  chapter.number("scale.y", own);
  const Tensor large = cast(tensor({{300, -300, 300, -300}}, DType::f64), DType::f16);
  const double upcast = rms_of(nn::rms_norm_upcast(large));
  chapter.number("scale.upcast_at_300", upcast);
  chapter.tell(
      fmt::format("\nRMSNorm(a·x) has size 1 for every a, but\n  ε = 1e-5 takes over at a = √ε = {:.4f}: the output has size {:.2f} there\n"
                  "  squares in f16 overflow from a = {:.1f} on: the output is 0\n"
                  "  the same f16 input, its squares summed in f32: the output has size {:.2f}\n"
                  "  your a (--scale), here {}: the output has size {:.4f}",
                  std::sqrt(1e-5), at_root, dead, upcast, a, own));
  chapter.report.section("scale", "The knob: the scale of x");
  chapter.report.figure(
      {"The scale of x is forgotten, between ε on the left and the end of f16 on the right.", draw(plot),
       fmt::format("x = [1, −1, 1, −1]·a. ε takes over where the RMS is √ε: there the output is 1/√2 = {:.2f}. In f16 256² "
                   "= 65,536 is "
                   "∞, so y = x/∞ = 0; statistics in f32 (<code>norm-upcast</code>) give {:.2f} at 300. The dot: a = {}, by "
                   "<code>--scale</code>.",
                   at_root, upcast, shown(a))});
}

// --- laws: what a norm does not see -------------------------------------------------------------------------------

void laws(Chapter& chapter) {
  Generator random(chapter.seed());
  const Tensor x = randn({3, 5, 16}, DType::f64, random);
  Tensor other = clone(x);
  other.assign(x + pad(ones({1, 1, 16}, DType::f64), {{2, 0}, {4, 0}, {0, 0}}) * randn({16}, DType::f64, random));  // one token changed
  ReportTable table{"How much y changes (greatest difference), for each norm of the library as it starts, ε as small as f64 lets it be.",
                    {{"norm"},
                     {"100 x", "scale", true},
                     {"x + 5", "shift", true},
                     {"−x, against −y", "sign", true},
                     {"another token changed", "batch", true}},
                    {}};
  for (const auto& row : nn::norms().variants) {
    const nn::LayerPtr norm = row.value({.width = 16, .eps = 1e-14});
    norm->to(DType::f64);
    const NoGrad off;
    const auto apply = [&](const Tensor& t) { return (*norm)(t); };
    const Tensor y = apply(x);
    const std::vector<double> changes{difference(apply(100 * x), y), difference(apply(x + 5), y), difference(apply(-x), -y),
                                      difference(slice(apply(other), 0, 0, 2), slice(y, 0, 0, 2))};
    table.rows.push_back({std::string(row.name)});
    for (const double change : changes) table.rows.back().push_back(change < 1e-9 ? "✓ 0" : shown(change, 2));
    chapter.number(fmt::format("laws.{}", row.name), changes);
  }
  chapter.report.section("laws", "What a norm does not see");
  chapter.report.table(table);
  chapter.report.text(
      "✓ 0: below 10⁻⁹. Layer norm sees neither scale nor shift, RMSNorm sees the shift, dynamic tanh sees both; batch norm "
      "alone sees "
      "the other tokens of the batch.");
}

}  // namespace

int main(int argc, char** argv) {
  double a = 1;
  std::string bug;
  const ChapterText text{"04", "Norms", "Each norm divides by a size; they differ in the numbers that they average.", rms_norm_tape};
  const std::vector<Knob> knobs{{.flag = "--scale", .value = &a, .help = "of x", .least = 1e-6, .most = 1e6},
                                {"--bug", &bug, "a published wrong version beside the right one", ids_of(wrong_norms())}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    one_number(chapter);
    maps(chapter, bug);
    by_hand(chapter);
    scale(chapter, a);
    axes(chapter);
    laws(chapter);
    if (bug.empty()) norms_on_images(chapter);  // no mistake is in these
    write_published(chapter, right_norm(), wrong_norms(), bug, [&](const WrongNorm& norm) { return probes_of(norm, chapter.seed()); });
    claims_of_norms(chapter);
    conventions_of_norms(chapter);
    chapter.finish("√n, the length of x / r for every x of n numbers");
  });
}
