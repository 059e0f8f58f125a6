// The depth lab: the variance of the stream and the norm of its gradient by block, at the start and in the first steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/core.h"
#include "examples/widgets/deep_stack.h"
#include "examples/widgets/models.h"
#include "examples/widgets/training.h"

namespace gradus::widgets {
namespace {

std::string spoken(const std::string& placement) {
  if (placement == "pre") return "Pre-norm";
  if (placement == "post") return "Post-norm";
  if (placement == "sandwich") return "Sandwich-norm";
  if (placement == "output") return "Output-norm";
  if (placement == "deepnorm") return "DeepNorm";
  if (placement == "residual") return "A plain sum";
  if (placement == "residual-scale") return "A sum scaled by 1/√(2L)";
  return placement == "rezero" ? "ReZero" : "LayerScale";
}

// Two digits, or all of a whole number: 14, 1672, 0.47, 3.4·10⁴, 4.0·10⁻⁵.
std::string few_digits(double x) {
  if (!std::isfinite(x) || (x >= 0.001 && x < 9'950)) return x >= 10 ? fmt::format("{:.0f}", x) : fmt::format("{:.2g}", x);
  const std::string text = fmt::format("{:.1e}", x);  // 3.4e+04
  const std::size_t at = text.find('e');
  std::string all = text.substr(0, at) + "·10";
  if (text[at + 1] == '-') all += "⁻";
  for (const char c : fmt::format("{}", std::abs(std::atoi(text.c_str() + at + 1)))) {
    const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    all += raised[c - '0'];
  }
  return all;
}

// Does each block of it add the same, before training, or multiply by the same?
bool adds(const std::string& placement) { return placement == "pre" || placement == "sandwich" || placement == "output"; }
bool multiplies(const std::string& placement) { return placement == "residual" || placement == "residual-scale"; }

std::string law_of_variance(const DeepStackOptions& o, std::int64_t step, const std::vector<double>& variances) {
  const double bottom = variances.front(), top = variances.back();
  const auto depth = static_cast<double>(o.depth);
  const std::string over = fmt::format("over {} block{}", o.depth, o.depth == 1 ? "" : "s");
  if (!std::isfinite(top)) return fmt::format("{}: the numbers of the stream overflow {}.", spoken(o.placement), over);
  if (top > bottom / 1.5 && top < 1.5 * bottom) {
    return fmt::format("{}: the variance of the stream stays near {} {}.", spoken(o.placement), few_digits(bottom), over);
  }
  std::string all =
      fmt::format("{}: the variance of the stream goes from {} to {} {}", spoken(o.placement), few_digits(bottom), few_digits(top), over);
  if (step > 0) return all + ".";
  if (adds(o.placement)) all += fmt::format(", about {} a block", few_digits((top - bottom) / depth));
  if (multiplies(o.placement)) all += fmt::format(", times {} with each block", few_digits(std::pow(top / bottom, 1 / depth)));
  return all + ".";
}

// Attention's scores are as large as the variance of an unnormed stream. Beyond this, e to the difference of two of them has
// too few right digits, even in f64, for a gradient that is a difference of such numbers.
constexpr double kLoudest = 1e8;

std::string law_of_gradient(const std::vector<double>& gradients) {
  const double ratio = gradients.front() / gradients.back();
  if (ratio > 1 / 1.5 && ratio < 1.5) return " The gradient is about the same at the bottom and at the top.";
  if (ratio < 0.01) {
    return fmt::format(" Next to nothing of the gradient arrives at the bottom: {} of that at the top.", few_digits(ratio));
  }
  return fmt::format(" The gradient at the bottom is {} times that at the top.", few_digits(ratio));
}

// Those of these norms, over that at the top.
std::vector<double> over_the_top(std::vector<double> norms) {
  const double top = norms.back();
  for (double& x : norms) x /= top;
  return norms;
}

// What a sublayer of these hands back does not depend on how loud it is: the gradient grows on its way down as the stream has
// grown on its way up.
bool has_theory_of_gradient(const std::string& placement) {
  return placement == "pre" || placement == "sandwich" || placement == "deepnorm" || placement == "rezero";
}

std::vector<double> gradients_in_theory(const std::vector<double>& variances) {
  std::vector<double> all;
  for (const double v : variances) all.push_back(std::sqrt(variances.back() / v));
  return all;
}

DeepStackOptions asked_of(Knobs& knobs) {
  const std::string placement = knobs.choice("placement", "placement", "pre", stack_placements());
  const std::int64_t depth = knobs.whole("depth", "blocks L", 12, {1, 40, 1});
  const double gain = knobs.number("gain", "all weights times", 1, {0.2, 3, 0.1});
  const double alpha = knobs.number("alpha", "DeepNorm's α; 0: as published", 0, {0, 5, 0.1});
  const double beta = knobs.number("beta", "DeepNorm's β; 0: as published", 0, {0, 2, 0.05});
  const double rate = knobs.number("lr", "learning rate", 0.01, {0.001, 0.05, 0.001});
  const std::int64_t warmup = knobs.whole("warmup", "steps of warm-up", 0, {0, 20, 1});
  const auto seed = static_cast<std::uint64_t>(knobs.whole("seed", "seed", 0, {0, 99, 1}));
  if (placement != "deepnorm") knobs.set_idle({"alpha", "beta"}, "of deepnorm alone");
  return {placement, depth, gain, alpha, beta, rate, warmup, seed};
}

}  // namespace

Seen depth(Knobs& knobs) {
  const std::int64_t asked = knobs.whole("steps", "steps of training", 0, {.least = 0, .most = 20, .step = 1, .play = 1});
  const DeepStackOptions options = asked_of(knobs);
  const auto& training = training_of<DeepTraining>(options, asked, knobs);
  const std::int64_t step = training.step();
  const std::vector<double> variances = training.variances(), gradients = training.gradients();
  const std::vector<double> theory = variances_in_theory(options);
  const bool loud = !std::all_of(variances.begin(), variances.end(), [](double v) { return v < kLoudest; });  // also for NaN
  const nn::DeepNormScale scale = scale_of(options);
  Seen seen;
  seen.add("placement", options.placement)
      .add("step", step)
      .add("goes_on", step < asked)
      .add("variance", variances)
      .add("variance_in_theory", theory)
      .add("losses", training.losses())
      .add("alpha", scale.alpha)
      .add("beta", scale.beta)
      .say(law_of_variance(options, step, variances) +
           (loud ? " So large scores leave too few digits for a gradient." : law_of_gradient(gradients)));
  if (!loud) seen.add("gradient", over_the_top(gradients));
  if (has_theory_of_gradient(options.placement)) seen.add("gradient_in_theory", gradients_in_theory(theory));
  return seen;
}

}  // namespace gradus::widgets
