#include <cmath>

#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/placement_measures.h"
#include "examples/claims/residual_measures.h"

namespace gradus::examples {
namespace {

const std::vector<std::pair<std::string, Residual>> kResiduals{
    {"none", Residual::none}, {"x + f(x)", Residual::whole}, {"x + f(x)/√layers", Residual::quiet}};

Residual residual_at(const Where& where) {
  for (const auto& [name, residual] : kResiduals) {
    if (name == level(where, "residual")) return residual;
  }
  throw ValueError("there is no residual " + text_of(where));
}

// Both kinds of residual connections against none, at each depth and training loss.
Evidence residuals_against_none(Lab& lab) {
  const std::vector<std::string> layers{"2", "6", "24"}, losses{"0.5", "0.05"};
  const std::size_t kinds = kResiduals.size();
  std::vector<std::string> names;
  for (const auto& [name, residual] : kResiduals) names.push_back(name);
  const Evidence held_out = lab.each(crossed({{"layers", layers}, {"residual", names}}), "training loss", losses,
                                     [draws = lab.full() ? 4 : 1](const Where& where, std::uint64_t seed) {
                                       return held_out_losses({.residual = residual_at(where), .layers = whole_at(where, "layers")},
                                                              read_digits(), {0.5, 0.05}, draws, seed);
                                     });
  Evidence evidence;
  for (std::size_t depth = 0; depth < layers.size(); ++depth) {
    const auto arm = [&](std::size_t kind, std::size_t loss) {
      const Condition& condition = held_out[(depth * kinds + kind) * losses.size() + loss];
      return Arm{level(condition.where, "residual"), condition.values, one_pixel_line(DigitsPart::held_out), {}, condition.commits};
    };
    for (std::size_t kind = 1; kind < kinds; ++kind) {
      for (std::size_t loss = 0; loss < losses.size(); ++loss) {
        const Where where{{"layers", layers[depth]}, {"residual", names[kind]}, {"training loss", losses[loss]}};
        evidence.push_back(compared(where, arm(kind, loss), arm(0, loss)));
      }
    }
  }
  return evidence;
}

// --- how gradients lie by depth ---------------------------------------------------------------------------------------

const std::string kPostGrows = "post-norm: larger at the top", kPreEqual = "pre-norm: equal", kPreFalls = "pre-norm: larger at the bottom";

// By how many doublings the gradients of this place lie on the sentence’s side of a factor of 1.5.
double margin_of(const Where& where, const Corpus& corpus, std::uint64_t seed) {
  const std::string& sentence = level(where, "sentence");
  const StackChoice choice = stack_at(where, sentence == kPostGrows ? "post" : "pre");
  const std::vector<double> gradients =
      trained_block_gradients(choice, {.max_lr = 1e-3, .warmup = 0}, corpus, seed, whole_at(where, "steps")).gradients;
  const double limit = std::log2(1.5), bottom = std::log2(bottom_over_top(gradients));
  if (sentence == kPostGrows) return -bottom - limit;
  return sentence == kPreFalls ? bottom - limit : limit - std::log2(largest_over_smallest(gradients));
}

std::vector<Where> places(bool full) {
  const Factor sentence{"sentence", {kPostGrows, kPreEqual, kPreFalls}}, init{"init", {"xavier-normal", "gpt2"}},
      feed_forward{"feed-forward", {"relu", "swiglu"}};
  return joined(crossed({sentence, init, {"blocks", {"12", "48"}}, feed_forward, {"steps", {"0"}}}),
                crossed({sentence, init, {"blocks", {full ? "24" : "12"}}, feed_forward, {"steps", {"30"}}}));
}

}  // namespace

Experiments placement_errata() {
  return {
      {"erratum-3", residuals_against_none},

      {"erratum-10", each({}, [](const Where&, std::uint64_t seed) { return moved_by_alpha(WhatXIs::output, 24, seed); })},

      {"erratum-13",
       [](Lab& lab) {
         const Corpus& corpus = lab.corpus(StackChoice{}.context);
         return lab.each(places(lab.full()), [&](const Where& where, std::uint64_t seed) { return margin_of(where, corpus, seed); });
       }},
  };
}

}  // namespace gradus::examples
