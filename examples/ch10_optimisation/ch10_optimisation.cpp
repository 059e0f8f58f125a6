// ch10_optimisation: how to walk downhill: momentum, Adam, weight decay that is not L2, schedules, clipping.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/core.h"
#include "examples/ch10_optimisation/banana.h"
#include "examples/ch10_optimisation/decay.h"
#include "examples/ch10_optimisation/wrong_line.h"
#include "examples/shared/mistakes/recipes.h"
#include "examples/shared/report/chapter.h"
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
  const std::vector<std::tuple<std::string, std::string, MakeIt>> all{
      {"sgd", "SGD", [](const Tensor& p) { return std::make_unique<optim::SGD>(only(p), optim::SGDOptions{.lr = lr}); }},
      {"momentum", fmt::format("momentum {}", beta), with_momentum(lr, beta)},
      {"nesterov", fmt::format("Nesterov {}", beta),
       [=](const Tensor& p) { return std::make_unique<optim::Nesterov>(only(p), optim::NesterovOptions{.lr = lr, .momentum = beta}); }},
      {"adam", "Adam, lr 0.05", [](const Tensor& p) { return std::make_unique<optim::Adam>(only(p), optim::AdamOptions{.lr = 0.05}); }}};
  for (const auto& [id, title, make] : all) {
    const Walk walked = walk(make, steps);
    chapter.number("banana." + id, walked.losses.back());
    chapter.tell(fmt::format("  {:<14} f = {:.1e} after {} steps", title, walked.losses.back(), steps));
    chapter.series("walks." + id, walked.path);
  }
  chapter.number("banana.curvature_flat", flat);
  chapter.number("banana.curvature_steep", steep);
  chapter.number("banana.critical_momentum", critical);
  chapter.tell(fmt::format("  momentum {} is {} (critical: {:.3f})\n", beta, regime.substr(0, regime.find(':')), critical));
  chapter.series("momentum", beta);
  chapter.series("steps", steps);
  chapter.series("regime", regime);
}

void knob(Chapter& chapter, double beta, int steps) {
  std::vector<double> momenta{0, 0.5, 0.9, 0.96};
  if (std::find(momenta.begin(), momenta.end(), beta) == momenta.end()) momenta.push_back(beta);
  std::vector<double> ends;
  std::vector<std::vector<double>> losses;
  for (const double momentum : momenta) {
    losses.push_back(walk(with_momentum(1e-3, momentum), steps).losses);
    losses.back().resize(static_cast<std::size_t>(steps) + 1, std::nan(""));
    ends.push_back(losses.back().back());
  }
  chapter.number("knob.ends", ends);
  chapter.series("knob.momenta", momenta);
  chapter.series("knob.losses", losses);
}

// --- numbers by hand ---------------------------------------------------------------------------------------------------

void first_step(Chapter& chapter) {
  Tensor w = zeros({3}, DType::f64).set_requires_grad();
  optim::Adam adam(only(w), {.lr = 0.1});
  const Tensor g = tensor({10, -0.1, 0.001}, DType::f64);
  w.set_grad(g);
  adam.step();
  chapter.series("hand.g", to_vector(g));
  chapter.series("hand.m", to_vector(adam.state()[0].tensor));
  chapter.series("hand.v", to_vector(adam.state()[1].tensor));
  chapter.number("hand.theta", to_vector(w));
}

// --- schedules and clipping --------------------------------------------------------------------------------------------

void schedules(Chapter& chapter) {
  const optim::ScheduleOptions options{.max_lr = 1e-3, .min_lr = 1e-4, .warmup = 100, .total = 1000};
  std::vector<double> steps;
  for (std::int64_t t = 0; t <= 1000; t += 5) steps.push_back(static_cast<double>(t));
  chapter.series("schedules.step", steps);
  for (const std::string name : {"inverse-sqrt", "wsd", "linear", "cosine"}) {
    std::vector<double> rate;
    for (std::int64_t t = 0; t <= 1000; t += 5) rate.push_back(optim::schedules().find(name).value(options, t));
    chapter.number(fmt::format("schedule.{}_half_way", name), rate[100]);
    chapter.series("schedules." + name, rate);
  }
}

void clipping(Chapter& chapter) {
  const auto by_norm = clipped(right_recipe().clip), by_value = clipped(optim::clip_grad_value);
  const auto each = clipped(published(wrong_recipes(), "clip/per-tensor").clip);
  chapter.number("clip.by_norm", by_norm);
  chapter.number("clip.by_value", by_value);
  chapter.number("clip.each", each);
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
    schedules(chapter);
    clipping(chapter);
    write_published(chapter, right_recipe(), wrong_recipes(), bug, probes_of);
    if (!bug.empty()) one_wrong_line(chapter, bug, steps);
    chapter.finish(fmt::format("{} decoupled against {} with L2 inside Adam", three(decays.decoupled), three(decays.coupled)));
  });
}
