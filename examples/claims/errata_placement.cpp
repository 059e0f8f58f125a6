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
                                       return held_out_losses({.residual = residual_at(where), .layers = number_at(where, "layers")},
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

Claim residuals_against_overfitting() {
  return {.id = "erratum-3",
          .sources = {{2, 15}},
          .quote = "resnet残差,防止过拟合",
          .says = "Residual connections, as in ResNet, are there against overfitting.",
          .meant =
              "They make depth trainable: without them deep networks fit even their training data worse. Where both train, "
              "residual connections with quiet branches give a deep network what a shallow one knows of other data, and no more.",
          .predicted = Verdict::refuted,
          .because =
              "He et al. (2015) added them because of a training error that grew with depth; with 18 layers, where both train, "
              "they saw 27.9 % of errors with them and without.",
          .rule = {.statistic = "loss on other images with residual connections − without, each when its training loss has just "
                                "fallen to the same value",
                   .unit = "nats",
                   .side = Side::below,
                   .bound = -0.02,
                   .must_train = MustTrain::each},
          .beyond =
              "Networks with norms and convolutions, as ResNet is; and those without residual connections that do not reach "
              "the training loss at all, which are void here.",
          .measure = residuals_against_none};
}

Claim x_is_the_output() {
  return {.id = "erratum-10",
          .sources = {{2, 134}},
          .quote = "x 代表 Token-mixer 的输出",
          .says = "In DeepNorm’s αx + f(x), x is the output of attention or of the feed-forward layer.",
          .meant = "x is its input. With the output α would drop out, norm((α + 1) f(x)) = norm(f(x)), and no residual would be left.",
          .predicted = Verdict::refuted,
          .because = "norm(cy) = norm(y), and Wang et al. (2022) make the residual connection louder by α.",
          .rule = {.statistic = "how far α = (2L)^¼ for 24 blocks in place of 1 moves norm(αx + f(x)), x the output, as a share",
                   .side = Side::above,
                   .bound = 1e-3,
                   .sample = "draws"},
          .measure = [](Lab& lab) {
            return lab.each({{}}, [](const Where&, std::uint64_t seed) { return moved_by_alpha(WhatXIs::output, 24, seed); });
          }};
}

// --- how gradients lie by depth ---------------------------------------------------------------------------------------

const std::string kPostGrows = "post-norm: larger at the top", kPreEqual = "pre-norm: equal", kPreFalls = "pre-norm: larger at the bottom";

// By how many doublings the gradients of this place lie on the sentence’s side of a factor of 1.5.
double margin_of(const Where& where, const Corpus& corpus, std::uint64_t seed) {
  const std::string& sentence = level(where, "sentence");
  const StackChoice choice = stack_at(where, sentence == kPostGrows ? "post" : "pre");
  const std::vector<double> gradients =
      trained_block_gradients(choice, {.max_lr = 1e-3, .warmup = 0}, corpus, seed, number_at(where, "steps")).gradients;
  const double limit = std::log2(1.5), bottom = std::log2(bottom_over_top(gradients));
  if (sentence == kPostGrows) return -bottom - limit;
  return sentence == kPreFalls ? bottom - limit : limit - std::log2(largest_over_smallest(gradients));
}

std::vector<Where> places(bool full) {
  const std::pair<std::string, std::vector<std::string>> sentence{"sentence", {kPostGrows, kPreEqual, kPreFalls}},
      init{"init", {"xavier-normal", "gpt2"}}, feed_forward{"feed-forward", {"relu", "swiglu"}};
  std::vector<Where> all = crossed({sentence, init, {"blocks", {"12", "48"}}, feed_forward, {"steps", {"0"}}});
  for (const Where& where : crossed({sentence, init, {"blocks", {full ? "24" : "12"}}, feed_forward, {"steps", {"30"}}})) {
    all.push_back(where);
  }
  return all;
}

Claim gradients_by_depth() {
  return {.id = "erratum-13",
          .sources = {{2, 68}, {2, 73}, {2, 74}, {2, 148}},
          .quote = "深层的梯度范数逐渐增大",
          .says =
              "Post-norm’s gradients grow with depth, its trouble is that they vanish below; pre-norm’s are equal in all "
              "layers, and larger at the bottom.",
          .meant =
              "It depends on how the weights begin, on the depth, on the feed-forward layer and on the seed; and what is "
              "equal is not larger at the bottom.",
          .predicted = Verdict::depends,
          .because =
              "All of it follows from how loud the sublayers are beside the stream: with weights N(0, 0.02²) they are "
              "hardly heard, whatever the placement.",
          .rule = {.statistic = "log₂ of how far the blocks’ gradients are on the sentence’s side of a factor of 1.5", .side = Side::above},
          .beyond = "Runs longer than 30 steps, and models of another width.",
          .measure = [](Lab& lab) {
            const Corpus& corpus = lab.corpus(StackChoice{}.context);
            return lab.each(places(lab.full()), [&](const Where& where, std::uint64_t seed) { return margin_of(where, corpus, seed); });
          }};
}

}  // namespace

std::vector<Claim> placement_errata() { return {residuals_against_overfitting(), x_is_the_output(), gradients_by_depth()}; }

}  // namespace gradus::examples
