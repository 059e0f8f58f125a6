// ch10_optimisation: how to walk downhill: momentum, Adam, weight decay that is not L2, schedules, clipping.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/core.h"
#include "examples/ch10_optimisation/banana.h"
#include "examples/shared/mistakes/recipes.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/study/noise_decay.h"
#include "examples/shared/study/tapes.h"
#include "optim/optim.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

MakeIt with_momentum(double lr, double beta) {
  return [=](const Tensor& p) { return std::make_unique<optim::Momentum>(only(p), optim::MomentumOptions{.lr = lr, .momentum = beta}); };
}

void paths(Chapter& chapter, double beta, int steps) {
  constexpr double lr = 1e-3;
  const auto [flat, steep] = curvatures();
  const double critical = std::pow(1 - std::sqrt(lr * flat), 2);  // of the floor: less creeps, more swings
  const std::string regime =
      beta < critical ? "overdamped: along the floor it creeps" : "underdamped: along the floor it overshoots and swings back";
  const std::vector<std::tuple<std::string, std::string, std::string, MakeIt>> all{
      {"sgd", "SGD", "f1", [](const Tensor& p) { return std::make_unique<optim::SGD>(only(p), optim::SGDOptions{.lr = lr}); }},
      {"momentum", fmt::format("momentum {}", beta), "f2", with_momentum(lr, beta)},
      {"nesterov", fmt::format("Nesterov {}", beta), "f3",
       [=](const Tensor& p) { return std::make_unique<optim::Nesterov>(only(p), optim::NesterovOptions{.lr = lr, .momentum = beta}); }},
      {"adam", "Adam, lr 0.05", "f4",
       [](const Tensor& p) { return std::make_unique<optim::Adam>(only(p), optim::AdamOptions{.lr = 0.05}); }}};
  std::vector<Panel> drawn;
  for (const auto& [id, title, colour, make] : all) {
    const Walk walked = walk(make, steps);
    chapter.number("banana." + id, walked.losses.back());
    chapter.tell(fmt::format("  {:<14} f = {:.1e} after {} steps", title, walked.losses.back(), steps));
    drawn.push_back(panel_of(title, walked, colour));
  }
  chapter.number("banana.curvature_flat", flat);
  chapter.number("banana.curvature_steep", steep);
  chapter.number("banana.critical_momentum", critical);
  chapter.tell(fmt::format("  momentum {} is {} (critical: {:.3f})\n", beta, regime.substr(0, regime.find(':')), critical));
  chapter.report.section("banana", "Four ways down one valley");
  chapter.report.figure({"All find the valley at once. Along its flat floor SGD crawls, and memory of past steps runs.", panels(drawn, 15),
                         fmt::format("f = (1 − x)² + 100 (y − x²)² from (−1.2, 1), ring, to (1, 1), dot; {} steps, lr 0.001 unless said. "
                                     "Momentum {} is {}. Redraw: <code>./examples/run ch10 --momentum {}</code>",
                                     steps, beta, regime, beta)});
  chapter.report.formula(
      "{v u} ← {p β} {v u} + {g g};;{v θ} ← {v θ} − {c lr} {v u};;{p β}{sub critical} = (1 − {root {c lr} {m λ}}){sup 2}");
  chapter.report.text(
      fmt::format("The curvatures λ at the minimum, by second derivatives on the tape: {} along the floor and {} across. So the "
                  "floor's critical momentum is {}: below it the way is a creep, above it a swing.",
                  shown(flat), shown(steep), shown(critical, 4)));
  chapter.show_tape();
}

void knob(Chapter& chapter, double beta, int steps) {
  Plot plot{.title = "The banana's f against the step, for several momenta",
            .alt = {},
            .x = {"step", false, 0, static_cast<double>(steps)},
            .y = {"f", true, 1e-8, 100},
            .lines = {}};
  std::vector<double> x(static_cast<std::size_t>(steps) + 1);
  std::vector<double> ends;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  for (const auto& [momentum, colour] : {std::pair{0.0, "none"}, {0.5, "f1"}, {0.9, "f2"}, {0.96, "f3"}, {beta, "ink"}}) {
    if (plot.lines.size() == 4 && (beta == 0 || beta == 0.5 || beta == 0.9 || beta == 0.96)) continue;
    Walk walked = walk(with_momentum(1e-3, momentum), steps);
    walked.losses.resize(x.size(), std::nan(""));
    plot.alt += fmt::format("{} ends at {:.1e}; ", momentum, walked.losses.back());
    plot.lines.push_back({.name = fmt::format("β = {}", momentum), .x = x, .y = walked.losses, .colour = colour});
    ends.push_back(walked.losses.back());
  }
  chapter.number("knob.ends", ends);
  plot.alt = fmt::format("Line plot. x: steps 0 to {}; y: f, log. Momentum {}", steps, plot.alt);
  chapter.report.section("knob", "The knob: momentum β");
  chapter.report.figure(
      {"Up to the critical momentum more is faster.", draw(plot), "One start, lr 0.001. β is turned by <code>--momentum</code>."});
}

// --- numbers by hand ---------------------------------------------------------------------------------------------------

void first_step(Chapter& chapter) {
  Tensor w = zeros({3}, DType::f64).set_requires_grad();
  optim::Adam adam(only(w), {.lr = 0.1});
  const Tensor g = tensor({10, -0.1, 0.001}, DType::f64);
  w.set_grad(g);
  adam.step();
  ReportTable table{"Adam's first step, lr 0.1: m̂ = g and v̂ = g², so every weight moves by lr, whatever its gradient.",
                    {{"line"}, {"weight 1", "", true}, {"weight 2", "", true}, {"weight 3", "", true}},
                    {}};
  const auto row = [&](const std::string& name, const Tensor& t) {
    table.rows.push_back({name, shown(t.at({0})), shown(t.at({1})), shown(t.at({2}))});
  };
  row("<var class=\"g\">g</var>", g);
  row("m = 0.1 g", adam.state()[0].tensor);
  row("v = 0.001 g²", adam.state()[1].tensor);
  row("θ after the step", w.detach());
  chapter.number("hand.theta", to_vector(w));
  chapter.report.section("hand", "Numbers by hand");
  chapter.report.table(table);
}

// --- weight decay: weights that begin at 1 and whose gradient is nothing but noise ------------------------------------

double decayed(double scale, bool decoupled, int steps) {
  const Recipe recipe = decoupled ? right_recipe() : published(wrong_recipes(), "adamw/coupled");
  return left_in_noise([&](const Tensor& w) { return recipe.adam(w, {.lr = 1e-3, .decay = 0.1}); }, scale, steps, 7);
}

struct Decays {
  std::vector<double> scales, decoupled, coupled;
  double law;
};

Decays measure_decay(bool full) {
  constexpr int steps = 4000;
  Decays d{.scales = {0.1, 0.3, 1, 3, 10}, .decoupled = {}, .coupled = {}, .law = std::pow(1 - 1e-3 * 0.1, steps)};
  if (full) d.scales = {0.1, 0.18, 0.32, 0.56, 1, 1.8, 3.2, 5.6, 10};
  for (const double scale : d.scales) {
    d.decoupled.push_back(decayed(scale, true, steps));
    d.coupled.push_back(decayed(scale, false, steps));
  }
  return d;
}

void weight_decay(Chapter& chapter, const Decays& d) {
  chapter.number("decay.scales", d.scales);
  chapter.number("decay.decoupled", d.decoupled);
  chapter.number("decay.coupled", d.coupled);
  chapter.number("decay.law", d.law);
  ReportTable table{"A weight that begins at 1 and sees only noise: what is left of it after 4,000 steps.",
                    {{"scale of its gradient"}, {"decoupled (AdamW)", "", true}, {"L2 inside Adam", "", true}, {"(1 − lr λ)ᵗ", "", true}},
                    {}};
  for (std::size_t i = 0; i < d.scales.size(); ++i) {
    table.rows.push_back({fmt::format("{}", d.scales[i]), fmt::format("{:.2f}", d.decoupled[i]), fmt::format("{:.2f}", d.coupled[i]),
                          fmt::format("{:.2f}", d.law)});
    chapter.tell(fmt::format("  gradients of scale {:<4} decoupled {:.2f}, L2 {:.2f}", d.scales[i], d.decoupled[i], d.coupled[i]));
  }
  chapter.report.section("decay", "Weight decay is not L2");
  const std::vector<double> law(d.scales.size(), d.law);
  chapter.report.figure(
      {"Decoupled, every weight decays alike. L2 inside Adam spares the weights with large gradients.",
       draw(Plot{
           .title = "What is left of a weight against the scale of its gradient",
           .alt = fmt::format("Line plot. x: scale of the gradient, 0.1 to 10, log; y: the weight. Decoupled decay is flat near {:.2f}; "
                              "L2 rises from {:.2f} to {:.2f}.",
                              d.law, d.coupled.front(), d.coupled.back()),
           .x = {"scale of the gradient", true, 0.1, 10},
           .y = {"weight after 4,000 steps", false, 0, 1.05},
           .lines = {{.name = "the law", .x = d.scales, .y = law, .colour = "none"},
                     {.name = "decoupled", .x = d.scales, .y = d.decoupled, .colour = "f1"},
                     {.name = "L2 in Adam", .x = d.scales, .y = d.coupled, .colour = "f2"}}}),
       "Mean of 256 weights that begin at 1, gradients N(0, scale²), lr 0.001, λ 0.1. The law: (1 − lr λ)<sup>t</sup>."});
  chapter.report.table(table);
  chapter.report.text(
      "Inside Adam λθ is divided by √v̂ like all of the gradient: a weight with ten times the noise decays a tenth as fast.");
  const auto [least, most] = std::minmax_element(d.decoupled.begin(), d.decoupled.end());
  const double spread = *most - *least, other = d.coupled.back() - d.coupled.front();
  chapter.claim("decoupled-decay-is-not-l2", "With Adam, weight decay and L2 regularisation are two different things.",
                spread < 0.05 && other > 0.5 ? Verdict::confirmed : Verdict::refuted,
                fmt::format("Spread over the scales: decoupled {:.3f}, L2 {:.2f}. Rule: below 0.05 and above 0.5.", spread, other));
}

// --- schedules and clipping --------------------------------------------------------------------------------------------

void draw_schedules(Chapter& chapter) {
  const optim::ScheduleOptions options{.max_lr = 1e-3, .min_lr = 1e-4, .warmup = 100, .total = 1000};
  Plot plot{.title = "The learning rate against the step",
            .alt = "Line plot. x: steps 0 to 1,000; y: rate. All rise to 0.001 in 100 steps; ",
            .x = {"step", false, 0, 1000},
            .y = {"learning rate", false, 0, 1.08e-3},
            .lines = {}};
  for (const auto& [name, colour] : {std::pair{"inverse-sqrt", "f4"}, {"wsd", "f2"}, {"linear", "f3"}, {"cosine", "f1"}}) {
    Line line{.name = name, .x = {}, .y = {}, .colour = colour};
    for (std::int64_t t = 0; t <= 1000; t += 5) {
      line.x.push_back(static_cast<double>(t));
      line.y.push_back(optim::schedules().find(name).value(options, t));
    }
    plot.alt += fmt::format("{} is {:.1e} half-way and ends at {:.1e}; ", name, line.y[100], line.y.back());
    chapter.number(fmt::format("schedule.{}_half_way", name), line.y[100]);
    plot.lines.push_back(line);
  }
  chapter.report.section("schedules", "How fast, and when");
  chapter.report.figure({"Warm up, then come down: what differs is when.", draw(plot),
                         "Warm-up of 100 steps, rates from 10⁻³ to 10⁻⁴ in 1,000 steps; inverse-sqrt knows no end."});
}

void clipping(Chapter& chapter) {
  const auto by_norm = clipped(right_recipe().clip), by_value = clipped(optim::clip_grad_value);
  const auto each = clipped(published(wrong_recipes(), "clip/per-tensor").clip);
  ReportTable table{"Two tensors of one number with the gradients 3 and 0.4, cut to 1.",
                    {{"clipped"}, {"g₁", "", true}, {"g₂", "", true}, {"norm", "", true}, {"direction", "degrees", true}},
                    {}};
  for (const auto& [name, g] : {std::pair{"not at all", std::vector{3.0, 0.4}},
                                {"by their norm", by_norm},
                                {"by value", by_value},
                                {"each by its own norm", each}}) {
    table.rows.push_back(
        {name, shown(g[0]), shown(g[1]), shown(std::hypot(g[0], g[1])), shown(std::atan2(g[1], g[0]) * 180 / std::numbers::pi)});
  }
  chapter.number("clip.by_norm", by_norm);
  chapter.number("clip.by_value", by_value);
  chapter.number("clip.each", each);
  chapter.report.section("clipping", "Clipping: shorter, but which way?");
  chapter.report.table(table);
  chapter.report.text(
      "The norm's clipping keeps the direction. It must be the norm of <em>all</em> parameters together: each on its own "
      "turns the step, too, and as each tensor has one number here, clips like by value.");
}

// --- one wrong line: what has been published ---------------------------------------------------------------------------

Line rates(const Recipe& recipe, const std::string& name, const std::string& colour) {
  Line line{.name = name, .x = {}, .y = {}, .colour = colour};
  for (std::int64_t t = 0; t <= 1000; t += 5) {
    line.x.push_back(static_cast<double>(t));
    line.y.push_back(recipe.schedule(kLongWarmup, t));
  }
  return line;
}

void one_wrong_line(Chapter& chapter, const std::string& bug, int steps) {
  const Recipe right = right_recipe(), wrong = published(wrong_recipes(), bug);
  if (bug.starts_with("schedule/")) {
    const Line meant = rates(right, "right", "f1"), found = rates(wrong, "wrong", "wrong");
    return chapter.report.figure(
        {"When the warm-up ends the rate drops.",
         draw(Plot{.title = "The rate with a long warm-up, right and as published",
                   .alt = fmt::format("Line plot. x: steps 0 to 1,000; y: rate, 0 to 1. Both rise to 1 at 400; then the wrong one drops to "
                                      "{:.2f}. At 700 they are {:.2f} and {:.2f}.",
                                      found.y[80], meant.y[140], found.y[140]),
                   .x = {"step", false, 0, 1000},
                   .y = {"rate, relative to the greatest", false, 0, 1.08},
                   .lines = {meant, found}}),
         "A cosine after 400 steps of warm-up, from 1 to 0.1 at 1,000 steps."});
  }
  if (bug.starts_with("clip/")) return;  // the table of clipped gradients has it
  const auto walked = [&](const Recipe& recipe) {
    return walk([&](const Tensor& p) { return recipe.adam(p, {.lr = 0.05, .eps = 0.01, .decay = 0.1}); }, steps);
  };
  const Walk good = walked(right), bad = walked(wrong);
  chapter.number("banana.right", good.losses.back());
  chapter.number("banana.wrong", bad.losses.back());
  chapter.report.figure({"The same rule but for one line.", panels({panel_of("right", good, "f1"), panel_of(bug, bad, "wrong")}, 15),
                         fmt::format("AdamW on the banana, lr 0.05, ε 0.01, λ 0.1, {} steps.", steps)});
}

}  // namespace

int main(int argc, char** argv) {
  double beta = 0.9;
  std::string bug;
  const ChapterText text{"10", "Optimisation", "The gradient says which way is down; how far to go is the optimizer's.", banana_tape};
  const std::vector<Knob> knobs{{.flag = "--momentum", .value = &beta, .help = "β, of momentum and Nesterov", .least = 0, .most = 0.999},
                                {"--bug", &bug, "a published wrong version beside the right one", ids_of(wrong_recipes())}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    const int steps = 400;
    const Decays decays = measure_decay(chapter.full());
    const std::size_t middle = decays.scales.size() / 2, last = decays.scales.size() - 1;
    const auto three = [&](const std::vector<double>& w) { return fmt::format("{:.2f} {:.2f} {:.2f}", w[0], w[middle], w[last]); };
    chapter.report.one_number(three(decays.decoupled),
                              fmt::format("The one number, or three: what decoupled decay leaves of weights that see "
                                          "only noise of scale 0.1, 1 and 10. L2 inside Adam leaves {}.",
                                          three(decays.coupled)));
    chapter.ask(
        {"Two weights see only noise, one ten times as strong as the other. Adam, with λθ\n"
         "added to the gradient. Which one decays faster?",
         {"both alike: λ is the same", "the one with the stronger noise", "the one with the weaker noise"},
         2,
         "Adam divides λθ by √v̂, too,\nwhich is as large as the noise"});
    paths(chapter, beta, steps);
    knob(chapter, beta, steps);
    first_step(chapter);
    weight_decay(chapter, decays);
    draw_schedules(chapter);
    clipping(chapter);
    write_published(chapter, right_recipe(), wrong_recipes(), bug, probes_of);
    if (!bug.empty()) one_wrong_line(chapter, bug, steps);
    chapter.finish(fmt::format("{} decoupled against {} with L2 inside Adam", three(decays.decoupled), three(decays.coupled)));
  });
}
