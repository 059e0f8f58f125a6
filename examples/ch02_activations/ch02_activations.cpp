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
  double gain = 1;  // of the weights' deviation gain / √fan_in
};

// --- curves, with their derivatives from the tape ------------------------------------------------------------------------

struct Curve { std::vector<double> x, y, slope; };

Curve curve(const nn::Activation& f, double from, double to, int points) {
  const Tensor x = linspace(from, to, points, DType::f64).set_requires_grad();
  const Tensor y = f(x);
  return {to_vector(x), to_vector(y), to_vector(grad({sum(y)}, {x})[0])};
}

void curves(Chapter& chapter, const std::vector<Named>& all) {
  for (const Named& activation : all) {
    const Curve c = curve(activation.f, -4, 4, 161);
    chapter.series("curves.f." + activation.name + ".y", c.y);
    chapter.series("curves.f." + activation.name + ".slope", c.slope);
  }
}

// --- the gradient through twenty layers ----------------------------------------------------------------------------------

// The median over seeds at each layer, and the least and greatest.
Band over_seeds(const Named& activation, int layers, std::uint64_t first_seed, int seeds) {
  std::vector<std::vector<double>> runs;
  for (int i = 0; i < seeds; ++i) {
    runs.push_back(surviving(activation.f, activation.gain, layers, first_seed + static_cast<std::uint64_t>(i)));
  }
  Band line;
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

void twenty_layers(Chapter& chapter, const std::vector<Named>& all) {
  constexpr int layers = 20;
  const int seeds = chapter.full() ? 25 : 5;
  chapter.series("seeds.survives", seeds);
  for (const Named& activation : all) {
    const Band line = over_seeds(activation, layers, chapter.seed(), seeds);
    const double median = line.y.back(), least = line.low.back(), greatest = line.high.back();
    chapter.series("survives." + activation.name, line);
    chapter.number("survives." + activation.name + ".median", median);
    chapter.number("survives." + activation.name + ".least", least);
    chapter.number("survives." + activation.name + ".greatest", greatest);
    chapter.tell(fmt::format("  {:<8} {:#.2g} of the gradient is left after {} layers ({:#.2g} to {:#.2g})", activation.name, median,
                             layers, least, greatest));
  }
  chapter.tell();
}

// --- dead units: those that are negative on every row --------------------------------------------------------------------

void dead_units(Chapter& chapter, const std::vector<Named>& all) {
  for (const Named& activation : all) {
    for (const double below : {0.0, 3.0, 6.0}) {
      chapter.number(fmt::format("dead.{}.bias_{}", activation.name, below), dead_share(activation.f, -below));
    }
  }
  count_preactivations(chapter, {0, -3, -6});
  const double relu = dead_share(nn::act::relu, -6), leaky = dead_share(nn::act::leaky_relu(), -6);
  chapter.claim("relu-units-die", "A ReLU unit can be dead: it is negative whatever comes in, and learns no more.",
                relu > 0.05 && leaky == 0 ? Verdict::confirmed : Verdict::refuted,
                fmt::format("{:.0f} % at bias −6; leaky ReLU {:.0f} %. Rule: above 5 %, and 0.", 100 * relu, 100 * leaky));
}

// --- the knob: β of Swish ------------------------------------------------------------------------------------------------

void swish(Chapter& chapter, double beta) {
  std::vector<double> betas{0, 1, 5, 50};
  if (std::find(betas.begin(), betas.end(), beta) == betas.end()) betas.push_back(beta);
  std::vector<std::vector<double>> y;
  for (const double b : betas) y.push_back(curve(nn::act::swish(b), -4, 4, 161).y);
  const Curve half = curve(nn::act::swish(0), -4, 4, 161), sharp = curve(nn::act::swish(50), -0.1, 0.1, 20001);
  const Curve fine = curve(nn::act::silu, -2, 0, 20001);
  double from_half = 0, from_relu = 0;
  for (std::size_t i = 0; i < half.x.size(); ++i) from_half = std::max(from_half, std::abs(half.y[i] - half.x[i] / 2));
  for (std::size_t i = 0; i < sharp.x.size(); ++i) from_relu = std::max(from_relu, std::abs(sharp.y[i] - std::max(0.0, sharp.x[i])));
  const auto least = static_cast<std::size_t>(std::min_element(fine.y.begin(), fine.y.end()) - fine.y.begin());
  chapter.number("swish.from_half_at_0", from_half);
  chapter.number("swish.from_relu_at_50", from_relu);
  chapter.number("swish.minimum", fine.y[least]);
  chapter.number("swish.minimum_at", fine.x[least]);
  chapter.series("curves.x", half.x);
  chapter.series("swish.betas", betas);
  chapter.series("swish.y", y);
}

void by_hand(Chapter& chapter, const std::vector<Named>& all) {
  for (const Named& activation : all) {
    const Curve c = curve(activation.f, -1, 1, 3);
    chapter.number("hand." + activation.name, {c.y[2], c.slope[2], c.slope[0]});
  }
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
  chapter.series("xor.tanh", with);
  chapter.series("xor.linear", without);
}

}  // namespace

int main(int argc, char** argv) {
  double beta = 1.702;
  const ChapterText text{"02", "Activations", "A bend between two linear maps: without it, any number of layers is one.", dead_unit_tape};
  return run_chapter(argc, argv, text, {{"--beta", &beta, "of Swish: 0 is x/2, 50 is ReLU"}}, [&](Chapter& chapter) {
    const double root_2 = std::sqrt(2);
    const std::vector<Named> all{{"sigmoid", nn::act::sigmoid},   {"tanh", nn::act::tanh},
                                 {"ReLU", nn::act::relu, root_2}, {"leaky", nn::act::leaky_relu(), root_2},
                                 {"SiLU", nn::act::silu, root_2}, {"GELU", nn::act::gelu, root_2},
                                 {"ELU", nn::act::elu(), root_2}};
    const std::vector<Named> four{all[0], all[1], all[2], all[4]};
    const double sigmoid = over_seeds(all[0], 20, chapter.seed(), chapter.full() ? 25 : 5).y.back();
    chapter.ask(
        {"Twenty layers of sigmoid, width 256. How much of the gradient at the top reaches the\n"
         "bottom?",
         {"about a quarter: σ' is at most 1/4", "about a millionth", "less than a millionth of a millionth"},
         2,
         "Each layer\nmultiplies it by W and by σ', at most 1/4; W keeps its length: 4^-20 = 9e-13"});
    twenty_layers(chapter, four);
    std::vector<DeepActivation> deep;
    for (const Named& activation : four) deep.push_back({activation.name, activation.f, activation.gain});
    deep_digits(chapter, deep);  // and what such a network learns
    curves(chapter, all);
    by_hand(chapter, all);
    swish(chapter, beta);
    dead_units(chapter, all);
    xor_problem(chapter);
    chapter.finish(fmt::format("{:.1e} of the gradient survives 20 sigmoid layers", sigmoid));
  });
}
