// ch02_activations: what a bend is good for: curves and derivatives, gradients through twenty layers, dead units, XOR.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/ch02_activations/dead_units.h"
#include "examples/ch02_activations/deep_digits.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/study/deep_gradient.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"
#include "optim/optim.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

struct Named {
  std::string name;
  nn::Activation f;
  std::string colour;
  double gain = 1;  // of the weights' deviation gain / √fan_in
};

// --- curves, with their derivatives from the tape ------------------------------------------------------------------------

struct Curve { std::vector<double> x, y, slope; };

Curve curve(const nn::Activation& f, double from, double to, int points) {
  const Tensor x = linspace(from, to, points, DType::f64).set_requires_grad();
  const Tensor y = f(x);
  return {to_vector(x), to_vector(y), to_vector(grad({sum(y)}, {x})[0])};
}

Panel panel_of(const Named& activation) {
  const Curve c = curve(activation.f, -4, 4, 161);
  const auto line = [&](const std::vector<double>& y, const char* look) {
    std::string points;
    for (std::size_t i = 0; i < y.size(); ++i) points += fmt::format("{:.1f},{:.1f} ", 20 * (c.x[i] + 4), 40 * (2 - y[i]));
    return fmt::format("<polyline points=\"{}\" fill=\"none\" {}/>", points, look);
  };
  const double widest = *std::max_element(c.slope.begin(), c.slope.end());
  return {activation.name, fmt::format("f' {} at 0, at most {}", shown(c.slope[80]), shown(widest)),
          fmt::format("<svg viewBox=\"-1 -1 162 122\" aria-hidden=\"true\"><svg width=\"160\" height=\"120\" style=\"overflow:hidden\" "
                      "aria-hidden=\"true\"><path d=\"M0 80H160M80 0V120\" stroke=\"var(--line)\"/>{}{}</svg>"
                      "<rect width=\"160\" height=\"120\" fill=\"none\" stroke=\"var(--line)\"/></svg>",
                      line(c.slope, "stroke=\"var(--gradient)\" stroke-width=\"1.8\" stroke-dasharray=\"5 3\""),
                      line(c.y, "stroke=\"var(--value)\" stroke-width=\"2.2\""))};
}

void curves(Chapter& chapter, const std::vector<Named>& all) {
  std::vector<Panel> drawn;
  for (const Named& activation : all) drawn.push_back(panel_of(activation));
  chapter.report.section("curves", "Curves and their derivatives");
  chapter.report.figure(
      {"The derivative is what a gradient is multiplied by at each layer. Sigmoid's is never above ¼.", panels(drawn, 10),
       "x from −4 to 4, y from −1 to 2. Blue: f(x); orange, dashed: f'(x) from the tape. ReLU's f' has a step at its kink, "
       "where the tape takes 0."});
}

// --- the gradient through twenty layers ----------------------------------------------------------------------------------

// The median over seeds at each layer, and the least and greatest.
Line over_seeds(const Named& activation, int layers, std::uint64_t first_seed, int seeds) {
  std::vector<std::vector<double>> runs;
  for (int i = 0; i < seeds; ++i) {
    runs.push_back(surviving(activation.f, activation.gain, layers, first_seed + static_cast<std::uint64_t>(i)));
  }
  Line line{.name = activation.name, .x = {}, .y = {}, .colour = activation.colour};
  for (std::size_t l = 0; l <= static_cast<std::size_t>(layers); ++l) {
    std::vector<double> norms;
    for (const auto& run : runs) norms.push_back(run[l]);
    std::sort(norms.begin(), norms.end());
    line.x.push_back(static_cast<double>(l));
    line.y.push_back(norms[norms.size() / 2]);
    line.low.push_back(norms.front());
    line.high.push_back(norms.back());
  }
  return line;
}

void twenty_layers(Chapter& chapter, const std::vector<Line>& lines, int seeds) {
  constexpr int layers = 20;
  Plot plot{.title = "Norm of the gradient against the layer",
            .alt =
                "Line plot. x: layers below the top, 0 to 20; y: norm relative to "
                "the top, log. ",
            .x = {"layers below the top", false, 0, layers},
            .y = {"‖gradient‖ relative to the top", true, 1e-14, 100},
            .lines = lines};
  for (const Line& line : lines) {
    chapter.number("survives." + line.name + ".median", line.y.back());
    chapter.number("survives." + line.name + ".least", line.low.back());
    chapter.number("survives." + line.name + ".greatest", line.high.back());
    chapter.tell(fmt::format("  {:<8} {:#.2g} of the gradient is left after {} layers ({:#.2g} to {:#.2g})", line.name, line.y.back(),
                             layers, line.low.back(), line.high.back()));
    plot.alt += fmt::format("{} ends at {:.2g}; ", line.name, line.y.back());
  }
  chapter.tell();
  chapter.report.section("layers", "Twenty layers down");
  chapter.report.figure(
      {"Going down, sigmoid's gradient falls like a stone; ReLU's arrives.", draw(plot),
       fmt::format(
           "Width 256, 64 rows, at initialisation, median and range of {} seeds. Weights N(0, gain²/256): gain √2 for ReLU and its smooth "
           "relatives, 1 for tanh and sigmoid. Redraw: <code>./examples/run ch02</code>",
           seeds)});
  chapter.report.formula("{g dL/dh}{sub l−1} = {p W}{sup T} ({g dL/dh}{sub l} ⊙ f'({v x}{sub l}))");
  chapter.report.text(
      "A layer multiplies the gradient by about gain · RMS(f'). Sigmoid: its f' is at most ¼, so about 4⁻²⁰ = 9.1·10⁻¹³ after "
      "twenty layers, and less as most x are not 0.");
}

// --- dead units: those that are negative on every row --------------------------------------------------------------------

void dead_units(Chapter& chapter, const std::vector<Named>& all) {
  ReportTable table{
      "Share of 512 units whose weights get no gradient from any of 256 rows, after a step that went too far has left them "
      "this bias.",
      {{"activation"}, {"bias 0", "", true}, {"bias −3", "", true}, {"bias −6", "", true}},
      {}};
  for (const Named& activation : all) {
    std::vector<std::string> row{activation.name};
    for (const double below : {0.0, 3.0, 6.0}) {
      const double share = dead_share(activation.f, -below);
      chapter.number(fmt::format("dead.{}.bias_{}", activation.name, below), share);
      row.push_back(fmt::format("{:.0f} %", 100 * share));
    }
    table.rows.push_back(row);
  }
  chapter.report.section("dead", "Dead units");
  draw_preactivations(chapter, {0, -3, -6});
  chapter.report.table(table);
  const double relu = dead_share(nn::act::relu, -6), leaky = dead_share(nn::act::leaky_relu(), -6);
  chapter.claim("relu-units-die", "A ReLU unit can be dead: it is negative whatever comes in, and learns no more.",
                relu > 0.05 && leaky == 0 ? Verdict::confirmed : Verdict::refuted,
                fmt::format("{:.0f} % at bias −6; leaky ReLU {:.0f} %. Rule: above 5 %, and 0.", 100 * relu, 100 * leaky));
  chapter.show_tape();
}

// --- the knob: β of Swish ------------------------------------------------------------------------------------------------

void swish(Chapter& chapter, double beta) {
  Plot plot{.title = "Swish x σ(βx) for several β", .alt = "", .x = {"x", false, -4, 4}, .y = {"x σ(βx)", false, -0.7, 3}, .lines = {}};
  double from_half = 0, from_relu = 0;
  for (const auto& [b, colour] : {std::pair{0.0, "none"}, {1.0, "f1"}, {5.0, "f2"}, {50.0, "f3"}, {beta, "ink"}}) {
    if (plot.lines.size() == 4 && (beta == 0 || beta == 1 || beta == 5 || beta == 50)) continue;
    const Curve c = curve(nn::act::swish(b), -4, 4, 161);
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      if (b == 0) from_half = std::max(from_half, std::abs(c.y[i] - c.x[i] / 2));
    }
    plot.lines.push_back({.name = fmt::format("β = {}", b), .x = c.x, .y = c.y, .colour = colour});
  }
  const Curve sharp = curve(nn::act::swish(50), -0.1, 0.1, 20001);
  for (std::size_t i = 0; i < sharp.x.size(); ++i) from_relu = std::max(from_relu, std::abs(sharp.y[i] - std::max(0.0, sharp.x[i])));
  const Curve fine = curve(nn::act::silu, -2, 0, 20001);
  const auto least = static_cast<std::size_t>(std::min_element(fine.y.begin(), fine.y.end()) - fine.y.begin());
  chapter.number("swish.from_half_at_0", from_half);
  chapter.number("swish.from_relu_at_50", from_relu);
  chapter.number("swish.minimum", fine.y[least]);
  chapter.number("swish.minimum_at", fine.x[least]);
  plot.alt = fmt::format(
      "Line plot. x: −4 to 4; y: x σ(βx). β = 0 is the line x/2, β = 50 is ReLU to within {:.3f}, between them curves that "
      "dip below 0.",
      from_relu);
  chapter.report.section("knob", "The knob: β of Swish");
  chapter.report.figure(
      {"β = 0 is a straight line, β = 50 is ReLU: how sharp the bend is.", draw(plot),
       fmt::format("Largest distance from x/2 at β = 0: {}; from ReLU at β = 50: {}, 0.278/β. β = 1 (SiLU) is least with {} at {}. "
                   "<code>--beta</code> adds a line.",
                   shown(from_half), shown(from_relu), shown(fine.y[least]), shown(fine.x[least]))});
}

void by_hand(Chapter& chapter, const std::vector<Named>& all) {
  ReportTable table{"At x = 1: σ(1) = 1/(1 + 0.368) = 0.731, so σ'(1) = 0.731 · 0.269 = 0.197 and silu'(1) = 0.731 + 0.197 = 0.928.",
                    {{"activation"}, {"f(1)", "", true}, {"f'(1)", "", true}, {"f'(−1)", "", true}},
                    {}};
  for (const Named& activation : all) {
    const Curve c = curve(activation.f, -1, 1, 3);
    table.rows.push_back({activation.name, shown(c.y[2]), shown(c.slope[2]), shown(c.slope[0])});
    chapter.number("hand." + activation.name, {c.y[2], c.slope[2], c.slope[0]});
  }
  chapter.report.section("hand", "Numbers by hand");
  chapter.report.table(table);
}

// --- the milestone: XOR, which no straight line divides ------------------------------------------------------------------

std::vector<double> learns_xor(const nn::Activation& f, int steps, double& right) {
  manual_seed(3);
  nn::Sequential net{nn::Linear{2, 8}, f, nn::Linear{8, 1}};
  optim::Adam optimizer(net.named_parameters(), {.lr = 0.05});
  const Tensor x = tensor({{0, 0}, {0, 1}, {1, 0}, {1, 1}}), y = tensor({{0}, {1}, {1}, {0}});
  std::vector<double> losses;
  for (int t = 0; t <= steps; ++t) {
    const Tensor loss = mean(square(net(x) - y));
    losses.push_back(loss.item());
    loss.backward();
    optimizer.step();
    optimizer.zero_grad();
  }
  right = mean(cast(eq(gt(net(x), full({4, 1}, 0.5)), gt(y, full({4, 1}, 0.5))), DType::f64)).item();
  return losses;
}

void xor_problem(Chapter& chapter) {
  constexpr int steps = 300;
  double with_right = 0, without_right = 0;
  const auto with = learns_xor(nn::act::tanh, steps, with_right), without = learns_xor(nn::act::identity, steps, without_right);
  chapter.number("xor.loss", with.back());
  chapter.number("xor.right", with_right);
  chapter.number("xor.loss_without", without.back());
  chapter.number("xor.right_without", without_right);
  chapter.tell(fmt::format("XOR: loss {:.1e} with tanh; without a bend between the layers {:.2f}", with.back(), without.back()));
  std::vector<double> x(steps + 1);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  chapter.report.section("xor", "The milestone: XOR");
  chapter.report.figure(
      {"Without a bend, two layers are one straight line: ¼ is the least that it can reach.",
       draw(Plot{
           .title = "Loss of XOR against the step",
           .alt = fmt::format("Line plot. x: steps 0 to {}; y: mean squared error, log. With tanh it falls to {:.1e}; "
                              "linear it stays at {:.2f}.",
                              steps, with.back(), without.back()),
           .x = {"step", false, 0, steps},
           .y = {"mean squared error", true, 1e-8, 10},
           .lines = {{.name = "linear", .x = x, .y = without, .colour = "none"}, {.name = "tanh", .x = x, .y = with, .colour = "f1"}}}),
       "2 → 8 → 1, Adam with rate 0.05, the four points in each step. The best line predicts ½ for all four."});
}

}  // namespace

int main(int argc, char** argv) {
  double beta = 1.702;
  const ChapterText text{"02", "Activations", "A bend between two linear maps: without it, any number of layers is one.", dead_unit_tape};
  return run_chapter(argc, argv, text, {{"--beta", &beta, "of Swish: 0 is x/2, 50 is ReLU"}}, [&](Chapter& chapter) {
    const double root_2 = std::sqrt(2);
    const std::vector<Named> all{{"sigmoid", nn::act::sigmoid, "f1"},   {"tanh", nn::act::tanh, "f2"},
                                 {"ReLU", nn::act::relu, "f3", root_2}, {"leaky", nn::act::leaky_relu(), "f3", root_2},
                                 {"SiLU", nn::act::silu, "f4", root_2}, {"GELU", nn::act::gelu, "f4", root_2},
                                 {"ELU", nn::act::elu(), "f4", root_2}};
    const int seeds = chapter.full() ? 25 : 5;
    std::vector<Line> lines;
    for (const std::size_t i : {0, 1, 2, 4}) lines.push_back(over_seeds(all[i], 20, chapter.seed(), seeds));
    const double sigmoid = lines[0].y.back();
    chapter.report.one_number(shown(sigmoid, 2), "The one number: what is left of a gradient after 20 sigmoid layers, at initialisation.");
    chapter.ask(
        {"Twenty layers of sigmoid, width 256. How much of the gradient at the top reaches the\n"
         "bottom?",
         {"about a quarter: σ' is at most 1/4", "about a millionth", "less than a millionth of a millionth"},
         2,
         "Each layer\nmultiplies it by W and by σ', at most 1/4; W keeps its length: 4^-20 = 9e-13"});
    twenty_layers(chapter, lines, seeds);
    std::vector<DeepActivation> deep;
    for (const std::size_t i : {0, 1, 2, 4}) deep.push_back({all[i].name, all[i].f, all[i].gain, all[i].colour});
    deep_digits(chapter, deep);  // and what such a network learns
    curves(chapter, all);
    by_hand(chapter, all);
    swish(chapter, beta);
    dead_units(chapter, all);
    xor_problem(chapter);
    chapter.finish(fmt::format("{:.1e} of the gradient survives 20 sigmoid layers", sigmoid));
  });
}
