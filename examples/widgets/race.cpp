// The optimizer race: who comes down a surface, at which rate, and who flies away.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "core/core.h"
#include "examples/shared/mistakes/recipes.h"
#include "examples/widgets/models.h"
#include "examples/widgets/surface.h"
#include "optim/adam.h"
#include "optim/lion.h"
#include "optim/momentum.h"
#include "optim/nesterov.h"
#include "optim/rmsprop.h"
#include "optim/sgd.h"

namespace gradus::widgets {
namespace {

using examples::OptimizerPtr;

struct Constants {
  double rate, adaptive_rate, beta1, beta2, decay;
  double steep;  // the greatest curvature at the minimum
};

struct Runner {
  std::string name, words;  // words: what is wrong in it, if it was published with a mistake
  double lr;
  std::function<OptimizerPtr(const Tensor& p)> make;
  double limit = 0;  // a greater rate flies away from the minimum; 0: there is no such limit
};

struct Path {
  std::vector<Point> points;
  std::vector<double> losses;
  bool flew = false;  // far out of the frame, where it ends

  std::size_t steps() const { return points.size() - 1; }
};

constexpr double kFar = 20;        // |x| or |y| of who has flown away
constexpr double kArrived = 1e-3;  // f at the minimum and close to it

template <typename Optimizer, typename Options>
Runner runner(const std::string& name, const Options& options, double limit = 0) {
  return {name, "", options.lr, [=](const Tensor& p) { return std::make_unique<Optimizer>(Tensors{p}, options); }, limit};
}

Runner published(const std::string& id, const Constants& c) {
  const examples::Recipe recipe = examples::published(examples::wrong_recipes(), id);
  const examples::AdamLine line{.lr = c.adaptive_rate, .decay = c.decay};
  return {"published", recipe.line, line.lr, [=](const Tensor& p) { return recipe.adam(p, line); }, 0};
}

std::vector<std::string> published_adams() {
  std::vector<std::string> ids{"none"};
  for (const examples::Recipe& recipe : examples::wrong_recipes()) {
    if (recipe.id.rfind("adam", 0) == 0) ids.push_back(recipe.id);
  }
  return ids;
}

// Those that the reader lets run.
std::vector<Runner> runners(Knobs& knobs, const Constants& c) {
  using namespace optim;
  std::vector<Runner> all;
  const auto add = [&](const std::string& knob, bool first, const Runner& runner) {
    if (knobs.on(knob, runner.name, first)) all.push_back(runner);
  };
  const double lr = c.rate, adaptive = c.adaptive_rate, decay = c.decay, mu = c.beta1;
  const double limit = 2 / (c.steep + decay);  // the decay, through the gradient, is a curvature more
  add("sgd", true, runner<SGD>("SGD", SGDOptions{.lr = lr, .weight_decay = decay}, limit));
  add("momentum", true, runner<Momentum>("momentum", MomentumOptions{.lr = lr, .momentum = mu, .weight_decay = decay}, (1 + mu) * limit));
  add("nesterov", false,
      runner<Nesterov>("Nesterov", NesterovOptions{.lr = lr, .momentum = mu, .weight_decay = decay}, (1 + mu) / (1 + 2 * mu) * limit));
  add("rmsprop", false, runner<RMSprop>("RMSprop", RMSpropOptions{.lr = adaptive, .alpha = c.beta2, .weight_decay = decay}));
  add("lion", false, runner<Lion>("Lion", LionOptions{adaptive, c.beta1, c.beta2, decay}));
  add("adam", true, runner<Adam>("Adam", AdamOptions{.lr = adaptive, .beta1 = c.beta1, .beta2 = c.beta2, .weight_decay = decay}));
  add("adamw", false, runner<AdamW>("AdamW", AdamWOptions{.lr = adaptive, .beta1 = c.beta1, .beta2 = c.beta2, .weight_decay = decay}));
  const std::string wrong = knobs.choice("wrong", "an Adam as published, β 0.9 and 0.999", "none", published_adams());
  if (wrong != "none") all.push_back(published(wrong, c));
  return all;
}

// The constants that belong to nobody who runs.
void set_idle_constants(const std::vector<Runner>& all, Knobs& knobs) {
  const auto none_of = [&](const std::vector<std::string>& names) {
    return std::none_of(all.begin(), all.end(), [&](const Runner& one) { return std::count(names.begin(), names.end(), one.name) > 0; });
  };
  const std::string why = "of nobody who runs";
  if (none_of({"SGD", "momentum", "Nesterov"})) knobs.set_idle({"rate"}, why);
  if (none_of({"RMSprop", "Lion", "Adam", "AdamW", "published"})) knobs.set_idle({"lr"}, why);
  if (none_of({"momentum", "Nesterov", "Lion", "Adam", "AdamW"})) knobs.set_idle({"beta1"}, why);
  if (none_of({"RMSprop", "Lion", "Adam", "AdamW"})) knobs.set_idle({"beta2"}, why);
  if (all.empty()) knobs.set_idle({"decay"}, why);
}

struct Walker {
  Tensor p;
  OptimizerPtr optimizer;
  Path path;
};

// Notes where each is, with f there; not of those that have flown away.
void note_points(const Tensor& x, const Tensor& y, const Tensor& losses, std::vector<Walker>& walkers) {
  for (std::size_t i = 0; i < walkers.size(); ++i) {
    Path& path = walkers[i].path;
    if (path.flew) continue;
    const auto at = static_cast<std::int64_t>(i);
    path.points.emplace_back(x.at({at}), y.at({at}));
    path.losses.push_back(losses.at({at}));
    path.flew = !(std::abs(x.at({at})) < kFar && std::abs(y.at({at})) < kFar);
  }
}

// One step, to (x, y).
void take_step(Walker& walker, Point gradient, double& x, double& y) {
  walker.p.set_grad(tensor({gradient.first, gradient.second}, DType::f64));
  walker.optimizer->step();
  // Rounded, so that a path in which all small differences grow is the same one on every machine.
  x = static_cast<float>(walker.p.at({0}));
  y = static_cast<float>(walker.p.at({1}));
  const NoGrad off;
  walker.p.assign(tensor({x, y}, DType::f64));
}

// All at the same time, from the start; noise: [steps, 2], added to the gradients if it is defined.
std::vector<Path> walk(const Surface& f, const std::vector<Runner>& runners, std::int64_t steps, const Tensor& noise) {
  const auto [x_start, y_start] = f.start;
  const auto count = static_cast<std::int64_t>(runners.size());
  std::vector<double> xs(runners.size(), x_start), ys(runners.size(), y_start);
  std::vector<Walker> walkers;
  for (const Runner& runner : runners) {
    const Tensor p = tensor({x_start, y_start}, DType::f64).set_requires_grad();
    walkers.push_back({p, runner.make(p), {}});
  }
  for (std::int64_t t = 0; !runners.empty(); ++t) {
    const Tensor x = from_vector(xs, {count}).set_requires_grad(), y = from_vector(ys, {count}).set_requires_grad();
    const Tensor losses = f(x, y);
    note_points(x, y, losses, walkers);
    if (t == steps) break;
    const Tensors slopes = grad({sum(losses)}, {x, y});
    const Point added = noise.defined() ? Point{noise.at({t, 0}), noise.at({t, 1})} : Point{0, 0};
    for (std::size_t i = 0; i < walkers.size(); ++i) {
      if (walkers[i].path.flew) {
        xs[i] = x_start, ys[i] = y_start;  // it no longer counts
        continue;
      }
      const auto at = static_cast<std::int64_t>(i);
      take_step(walkers[i], {slopes[0].at({at}) + added.first, slopes[1].at({at}) + added.second}, xs[i], ys[i]);
    }
  }
  std::vector<Path> paths;
  for (Walker& walker : walkers) paths.push_back(std::move(walker.path));
  return paths;
}

double distance(Point a, Point b) { return std::hypot(a.first - b.first, a.second - b.second); }

// How often, in the last `count` steps, it went from one side of the valley to the other, by more than can be seen.
int crossings(const Surface& f, const Path& path, std::size_t count) {
  int times = 0;
  double before = f.across(path.points[path.steps() - count]);
  for (std::size_t t = path.steps() - count + 1; t <= path.steps(); ++t) {
    const double now = f.across(path.points[t]);
    times += before * now < 0 && std::abs(before - now) > 0.01;
    before = now;
  }
  return times;
}

// The step from which on it is at the minimum, if it is; with noise nobody stays there.
std::optional<std::ptrdiff_t> arrival(const Surface& f, const Path& path) {
  if (f.noise > 0 || !(path.losses.back() < kArrived)) return {};
  const auto last_above = std::find_if(path.losses.rbegin(), path.losses.rend(), [](double loss) { return loss >= kArrived; });
  return path.losses.rend() - last_above;
}

// What the path looks like at its end.
std::string regime(const Surface& f, const Path& path) {
  const std::size_t t = path.steps(), count = std::min<std::size_t>(t, 10);
  if (path.flew) return fmt::format("flies away at step {}", t);
  if (t == 0) return "at the start";
  const Point p = path.points.back();
  const double left = distance(p, f.minimum), moved = distance(p, path.points[t - count]);
  if (f.noise > 0 && left < 1) return "jumps about the minimum";
  if (const auto step = arrival(f, path)) return fmt::format("arrived at step {}", *step);
  if (f.name == "saddle" && std::abs(p.first) < 0.2) return "still on the saddle";
  const int times = crossings(f, path, count);
  if (times >= 8) return "jumps from wall to wall";
  if (times >= 2) return "swings across the valley";
  if (moved < 1e-3 * left) return "rests beside the minimum";
  if (moved < 0.01 * static_cast<double>(count) * left) return "creeps along the floor";
  return path.losses[t] < path.losses[t - 1] ? "on its way" : "overshoots";
}

// Two significant digits.
std::string shown(double value) { return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.2g}", value); }

std::string after(std::int64_t steps) { return fmt::format("{} step{}", steps, steps == 1 ? "" : "s"); }

std::string law_of_sgd(const Surface& f, const Runner& sgd, const Path& path, double decay) {
  const std::string where =
      fmt::format("SGD's rate is {:.2g} of its limit {} = {:.2g}", sgd.lr / sgd.limit, decay > 0 ? "2/(λ + decay)" : "2/λ", sgd.limit);
  const bool above = sgd.lr > sgd.limit;
  if (path.flew && above) return where + ", and it flies away. ";
  if (path.flew) return where + ", and still it flies away: on its way the surface is steeper than at the minimum. ";
  if (above) return where + ", but it has not flown away" + (f.noise > 0 ? ". " : " yet. ");
  return where + ", and it stays. ";
}

// Who arrived first, or is lowest.
std::string leader(const Surface& f, const std::vector<Runner>& all, const std::vector<Path>& paths, std::int64_t steps) {
  std::size_t first = 0, lowest = 0;
  const auto step_of = [&](std::size_t i) { return arrival(f, paths[i]).value_or(std::numeric_limits<std::ptrdiff_t>::max()); };
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (step_of(i) < step_of(first)) first = i;
    if (paths[i].losses.back() < paths[lowest].losses.back()) lowest = i;
  }
  if (const auto step = arrival(f, paths[first])) return fmt::format("First to arrive: {}, at step {}.", all[first].name, *step);
  return fmt::format("Lowest after {}: {}, f = {}.", after(steps), all[lowest].name, shown(paths[lowest].losses.back()));
}

std::string law(const Surface& f, const std::vector<Runner>& all, const std::vector<Path>& paths, double decay, std::int64_t steps) {
  if (all.empty()) return "Nobody runs.";
  if (steps == 0) return "All are at the start.";
  const std::string words = all[0].name == "SGD" ? law_of_sgd(f, all[0], paths[0], decay) : "";
  return words + leader(f, all, paths, steps);
}

Seen seen(const Surface& f, const Runner& runner, const Path& path) {
  std::vector<double> x, y;
  for (const auto& [px, py] : path.points) {
    x.push_back(px);
    y.push_back(py);
  }
  return Seen()
      .add("name", runner.name)
      .add("words", runner.words)
      .add("lr", runner.lr)
      .add("limit", runner.limit)
      .add("x", x)
      .add("y", y)
      .add("f", path.losses.back())
      .add("flew", path.flew)
      .add("regime", regime(f, path));
}

}  // namespace

Seen race(Knobs& knobs) {
  const std::string name = knobs.choice("surface", "surface", "bowl", surface_names());
  const std::int64_t steps = knobs.whole("step", "steps", 40, {0, 200, 1});
  const double part = knobs.number("rate", "rate of SGD and momentum, times 2/λ", 0.9, {0.02, 2, 0.02});
  const double adaptive = knobs.number("lr", "rate of the others", 0.05, {0.005, 0.3, 0.005});
  const double beta1 = knobs.number("beta1", "β₁, momentum", 0.9, {0, 0.99, 0.01});
  const double beta2 = knobs.number("beta2", "β₂", 0.999, {0, 0.999, 0.001});
  const double decay = knobs.number("decay", "weight decay", 0, {0, 1, 0.02});
  const double kappa = knobs.number("kappa", "κ of bowl and saddle", 25, {1, 100, 1});
  const std::int64_t seed = knobs.whole("seed", "seed of the noise", 1, {1, 99, 1});

  const Surface f = surface(name, kappa);
  if (f.name == "banana") knobs.set_idle({"kappa"}, "not of the banana");
  if (f.noise == 0) knobs.set_idle({"seed"}, "of the noisy bowl");
  const auto [flat, steep] = curvatures(f, f.minimum);
  const Constants c{2 * part / steep, adaptive, beta1, beta2, decay, steep};
  const std::vector<Runner> all = runners(knobs, c);
  set_idle_constants(all, knobs);
  Generator generator(static_cast<std::uint64_t>(seed));
  const Tensor noise = f.noise > 0 && steps > 0 ? f.noise * randn({steps, 2}, DType::f64, generator) : Tensor();
  const std::vector<Path> paths = walk(f, all, steps, noise);
  std::vector<Seen> runs;
  for (std::size_t i = 0; i < all.size(); ++i) runs.push_back(seen(f, all[i], paths[i]));
  const std::vector<double> frame{f.frame.left, f.frame.right, f.frame.low, f.frame.high};
  return Seen()
      .add("frame", frame)
      .add("levels", level_lines(f))
      .add("start", std::vector<double>{f.start.first, f.start.second})
      .add("minimum", std::vector<double>{f.minimum.first, f.minimum.second})
      .add("steps", steps)
      .add("curvatures", std::vector<double>{flat, steep})
      .add("runs", runs)
      .say(law(f, all, paths, decay, steps));
}

}  // namespace gradus::widgets
