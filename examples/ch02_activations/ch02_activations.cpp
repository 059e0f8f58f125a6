// ch02_activations: what a bend is good for: curves and derivatives, gradients through twenty layers, dead units, XOR.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/ch02_activations/curves.h"
#include "examples/ch02_activations/dead_units.h"
#include "examples/ch02_activations/deep_digits.h"
#include "examples/ch02_activations/swish.h"
#include "examples/ch02_activations/xor.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/study/deep_gradient.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

struct Named {
  std::string name;
  nn::Activation f;
  double gain = 1;  // of the weights' deviation gain / √fan_in
};

// --- curves, with their derivatives from the tape ------------------------------------------------------------------------

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

// --- numbers by hand -----------------------------------------------------------------------------------------------------

void by_hand(Chapter& chapter, const std::vector<Named>& all) {
  for (const Named& activation : all) {
    const Curve c = curve(activation.f, -1, 1, 3);
    chapter.number("hand." + activation.name, {c.y[2], c.slope[2], c.slope[0]});
  }
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
