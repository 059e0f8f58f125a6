#include <cmath>

#include "examples/claims/all_claims.h"
#include "examples/claims/placement_measures.h"
#include "examples/claims/placement_training.h"
#include "examples/shared/data/ngrams.h"

namespace gradus::examples {
namespace {

// --- what the norm does to the stream ---------------------------------------------------------------------------------

Claim post_norm_weakens_identity() {
  return {.id = "claim-post-norm-weakens-identity",
          .sources = {{2, 81}},
          .quote = "它每Norm一次就削弱一次恒等分支的权重",
          .says =
              "Each of post-norm’s norms weakens the identity branch. Taken to mean: after l sublayers 2^(−l/2) of the "
              "first stream is left, as if each added a variance of 1.",
          .predicted = Verdict::depends,
          .because =
              "The norm divides by √(1 + v), where a sublayer adds variance v to a stream of variance 1 and is not "
              "correlated with it. That is √2 for v = 1 (Su, 2022), and nothing for v = 0.",
          .rule = {.statistic = "|(times that what is left was halved) / (l/2) − 1|", .bound = 0.2},
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"sublayers", {"noise of variance 1", "gpt2", "xavier-normal", "kaiming"}}}),
                            [](const Where& where, std::uint64_t seed) {
                              StackChoice choice{.placement = "post", .depth = 12};
                              const std::string& sublayers = level(where, "sublayers");
                              if (sublayers == "noise of variance 1") {
                                choice.placement = post_norm_of_noise;
                              } else {
                                choice.init = sublayers;
                              }
                              return std::abs(halvings_over_theory(choice, seed) - 1);
                            });
          }};
}

Claim pre_norm_wider_not_deeper() {
  return {
      .id = "claim-pre-norm-wider-not-deeper",
      .sources = {{2, 81}, {2, 77}, {2, 74}},
      .quote = "无形地增加了模型的宽度而降低了模型的深度",
      .says = "Pre-norm adds width and takes depth away: its neighbouring blocks do nearly the same side by side.",
      .predicted = Verdict::confirmed,
      .because = "The stream that pre-norm adds to grows, so that the next block sees nearly what this one saw (Su, 2022).",
      .rule = {.statistic = "share of what two neighbouring blocks add that is lost side by side, with pre-norm, 12 blocks", .bound = 0.1},
      .beyond = "Whether the depth that is left is enough: depth is worth more where a task takes many steps.",
      .measure = [](Lab& lab) {
        const Corpus& corpus = lab.corpus(StackChoice{}.context);
        const std::vector<std::string> placements{"pre", "post"};
        std::vector<std::string> steps;
        if (lab.usual_too()) steps = {"0", "50"};
        if (lab.longer_too()) steps.emplace_back("1000");
        const std::vector<Where> places = crossed({{"steps", steps}, {"init", {"xavier-normal", "gpt2"}}});
        const Evidence lost = lab.each(places, "placement", placements, [&](const Where& where, std::uint64_t seed) {
          std::vector<double> shares;
          for (const std::string& placement : placements) {
            StackChoice choice = stack_at(where, placement);
            choice.depth = 12;
            shares.push_back(lost_side_by_side(choice, corpus, seed, number_at(where, "steps")));
          }
          return shares;
        });
        Evidence evidence;
        for (std::size_t i = 0; i < places.size(); ++i) {
          const auto& [pre, post] = std::pair(lost[2 * i].values, lost[2 * i + 1].values);
          evidence.push_back({places[i], pre, {{"pre", pre}, {"post", post}}, lost[2 * i].commits});
        }
        return evidence;
      }};
}

Claim sandwich_bounds_activations() {
  return {.id = "claim-sandwich-bounds-activations",
          .sources = {{2, 78}},
          .quote = "有效控制每一层的激活值，避免它们过大",
          .says = "Sandwich-norm keeps the activations of every layer from growing too large.",
          .predicted = Verdict::confirmed,
          .because =
              "Its second norm lets each sublayer add a variance of at most 1, whatever its weights (Ding et al., 2021): after "
              "l sublayers 1 + l, if they add up like noise.",
          .rule = {.statistic = "variance of the stream after 24 blocks, of 1 + the number of sublayers", .bound = 2},
          .beyond = "What a long training makes of the weights and of the norms’ gains.",
          .measure = [](Lab& lab) {
            const std::vector<std::string> inits{"xavier-normal", "gpt2"};
            std::vector<Where> places;
            if (lab.usual_too()) places = crossed({{"steps", {"0"}}, {"init", inits}, {"weights", {"as drawn", "4 times as large"}}});
            if (lab.longer_too()) {
              for (const Where& where : crossed({{"steps", {"500"}}, {"init", inits}, {"weights", {"as drawn"}}})) places.push_back(where);
            }
            const Corpus& corpus = lab.corpus(StackChoice{}.context);
            return lab.each(places, [&](const Where& where, std::uint64_t seed) {
              constexpr double kSublayers = 2 * 24;
              const StackChoice choice = stack_at(where, "sandwich");
              const int64_t steps = number_at(where, "steps");
              const double times = level(where, "weights") == "as drawn" ? 1 : 4;
              return (steps == 0 ? top_variance(choice, times, seed) : trained_top_variance(choice, corpus, seed, steps)) /
                     (1 + kSublayers);
            });
          }};
}

Claim sandwich_may_diverge() {
  return {.id = "claim-sandwich-may-diverge",
          .sources = {{2, 78}},
          .quote = "训练不稳定,可能导致崩溃",
          .says = "Sandwich-norm trains less stably than pre-norm, and may collapse.",
          .predicted = Verdict::refuted,
          .because =
              "Zeng et al. (2022) saw it at 130 billion parameters in half precision. In a small model in f32 a sublayer "
              "whose result is normalised can add no more than it did at the start.",
          .rule = {.statistic = "loss at a rate of 0.064, 16 times the models’ own, with sandwich-norm − with pre-norm",
                   .unit = "nats",
                   .side = Side::above,
                   .must_train = MustTrain::one},
          .beyond = "Whether it may happen at all: large models in half precision would show it.",
          .measure = [](Lab& lab) {
            Evidence evidence;
            for (const Where& where :
                 crossed({{"steps", lab.steps(deep_steps(lab))}, {"blocks", {lab.full() ? "12" : "6"}}, {"warm-up", {"none", "half"}}})) {
              const auto arm = [&](const char* placement) { return lab.arm(placement, with_rate(deep_run(where, placement), 0.064)); };
              evidence.push_back(compared(where, arm("sandwich"), arm("pre")));
            }
            return evidence;
          }};
}

// --- DeepNorm ---------------------------------------------------------------------------------------------------------

Claim deepnorm_1000_layers() {
  return {.id = "claim-deepnorm-1000-layers",
          .sources = {{3, 39}, {2, 130}},
          .quote = "Transformer 的层数可以被成功地扩展至 1,000 层",
          .says = "With DeepNorm a Transformer of a thousand layers can be trained.",
          .predicted = Verdict::confirmed,
          .because = "Wang et al. (2022) did it, with α = (2L)^¼ and β = (8L)^−¼.",
          .rule = {.statistic = "loss after some steps in which only the lowest 100 of 1000 blocks learn − before",
                   .unit = "nats",
                   .bound = -0.1,
                   .must_train = MustTrain::each},
          .beyond =
              "Whether a thousand blocks can be trained: that the lowest learn shows that their gradient is of use, and no more. "
              "A thousand trained below what counting costs, beside a thousand of post-norm, would decide it.",
          .measure = [](Lab& lab) {
            const StackChoice thousand{.placement = "deepnorm", .depth = 1000, .d_model = 16, .context = 8, .batch = 2, .heads = 2};
            const Corpus& corpus = lab.corpus(thousand.context);
            const std::vector<Where> places = crossed({{"steps", lab.steps(24)}});
            const Evidence losses =
                lab.each(places, "loss", {"before", "after", "on other text"}, [&](const Where& where, std::uint64_t seed) {
                  return losses_from_below(thousand, corpus, 100, number_at(where, "steps"), seed);
                });
            Evidence evidence;
            for (std::size_t i = 0; i < losses.size(); i += 3) {
              const auto values = [&](std::size_t which) { return losses[i + which].values; };
              Condition gained = compared(places[i / 3], {"after", values(1)}, {"before", values(0)});
              gained.arms = {{.name = "1,000 blocks", .losses = values(2), .line = pairs_line(corpus)}};
              gained.commits = losses[i].commits;
              evidence.push_back(gained);
            }
            return evidence;
          }};
}

Claim deepnorm_bounded_updates() {
  return {.id = "claim-deepnorm-bounded-updates",
          .sources = {{2, 130}},
          .quote = "模型更新限制在常数",
          .says = "DeepNorm bounds by a constant how far one step moves the model’s result, however deep it is.",
          .predicted = Verdict::depends,
          .because =
              "A step of gradient descent on the linear maps moves it by the sum over 2L sublayers of β²/α² or so, which "
              "is ½ for every L (Wang et al., 2022). Adam’s first step moves each weight by the same, which makes it a "
              "sum of β/α: it grows as √L. The bound stands halfway between. Their proof leaves out the norms’ own "
              "parameters: neither α nor β shrinks what they add, which grows as L.",
          .rule = {.statistic = "slope of ln ‖ΔF‖ over ln L, 8 to 128 blocks", .bound = 0.25},
          .beyond = "Steps after the first.",
          .measure = [](Lab& lab) {
            const std::vector<int64_t> depths{8, 16, 32, 64, 128};
            return lab.each(crossed({{"step", {"gradient descent", "Adam’s first"}}, {"parameters", {"linear maps", "all"}}}),
                            [&](const Where& where, std::uint64_t seed) {
                              const bool descent = level(where, "step") == "gradient descent";
                              const bool maps = level(where, "parameters") == "linear maps";
                              return update_growth({.placement = "deepnorm", .d_model = 32, .context = 16}, depths,
                                                   descent ? DescentStep::gradient : DescentStep::sign,
                                                   maps ? Moved::linear_maps : Moved::all, seed);
                            });
          }};
}

}  // namespace

std::vector<Claim> stream_claims() {
  return {post_norm_weakens_identity(), pre_norm_wider_not_deeper(), sandwich_bounds_activations(),
          sandwich_may_diverge(),       deepnorm_1000_layers(),      deepnorm_bounded_updates()};
}

}  // namespace gradus::examples
