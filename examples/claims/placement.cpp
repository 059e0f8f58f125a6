#include <cmath>

#include "examples/claims/all_claims.h"
#include "examples/claims/placement_measures.h"
#include "examples/claims/placement_training.h"

namespace gradus::examples {
namespace {

const std::string kBiggerModels = "Models a thousand times as wide, and runs a thousand times as long";

using Levels = std::vector<std::string>;
Levels depths(const Lab& lab) { return lab.full() ? Levels{"2", "6", "12"} : Levels{"2", "6"}; }

// Those of the usual length, and of four times the steps.
std::vector<Where> usual_and_long(const Lab& lab, const std::vector<Where>& usual, const std::vector<Where>& longer) {
  std::vector<Where> places;
  const auto add = [&](const std::vector<Where>& more, int64_t steps) {
    for (Where where : more) {
      where.insert(where.begin(), {"steps", std::to_string(steps)});
      if (lab.wanted(where)) places.push_back(where);
    }
  };
  if (lab.usual_too()) add(usual, deep_steps(lab));
  if (lab.longer_too()) add(longer, 4 * deep_steps(lab));
  return places;
}

// --- do they train? ---------------------------------------------------------------------------------------------------

Claim pre_norm_stable() {
  return {.id = "claim-pre-norm-stable",
          .sources = {{0, 13}, {0, 17}, {2, 74}, {2, 75}},
          .quote = "将层归一化转到输入之前，可以让训练更加稳定",
          .says = "With the norm before the sublayers training is more stable than with the norm behind them.",
          .predicted = Verdict::confirmed,
          .because = "At the start post-norm’s gradients are large near the output, pre-norm’s are not (Xiong et al., 2020).",
          .rule = {.statistic = "mean loss over the rates 0.00025, 0.001, 0.004 and 0.016, of pre-norm − of post-norm",
                   .unit = "nats",
                   .must_train = MustTrain::one},
          .beyond = kBiggerModels + ", where a run may fail after thousands of good steps.",
          .measure = [](Lab& lab) {
            Evidence evidence;
            for (const Where& where : usual_and_long(lab, crossed({{"blocks", depths(lab)}, {"warm-up", {"none", "a tenth"}}}),
                                                     crossed({{"blocks", {"2", "6"}}, {"warm-up", {"a tenth"}}}))) {
              const auto arm = [&](const char* placement) { return arm_over_rates(lab, placement, deep_run(where, placement)); };
              evidence.push_back(compared(where, arm("pre"), arm("post")));
            }
            return evidence;
          }};
}

Claim warmup_rescues_post_norm() {
  return {
      .id = "claim-warmup-rescues-post-norm",
      .sources = {{2, 68}, {2, 69}, {2, 81}},
      .quote = "容易不稳定,warm up可以缓解",
      .says = "Post-norm trains badly at first; warming the learning rate up helps it.",
      .predicted = Verdict::depends,
      .because =
          "At the start the gradients of the blocks near the output are large, and the first steps too "
          "(Xiong et al., 2020). So warm-up should help at high rates if it is long enough, and cost a little at low "
          "ones.",
      .rule = {.statistic = "loss of post-norm with a warm-up − without one", .unit = "nats", .bound = -0.1, .must_train = MustTrain::one},
      .beyond = kBiggerModels + ".",
      .measure = [](Lab& lab) {
        Evidence evidence;
        std::vector<Where> longer = crossed({{"blocks", {"2", "6"}}, {"rate", {"0.004"}}, {"warm-up", {"a tenth", "half"}}});
        longer.push_back({{"blocks", "12"}, {"rate", "0.001"}, {"warm-up", "half"}});
        for (const Where& where : usual_and_long(
                 lab, crossed({{"blocks", depths(lab)}, {"rate", {"0.001", "0.004"}}, {"warm-up", {"a tenth", "half"}}}), longer)) {
          const auto arm = [&](const char* name, Warmup warmup) {
            const TrainOptions run = deep_run("post", number_at(where, "blocks"), warmup, number_at(where, "steps"));
            return lab.arm(name, with_rate(run, std::stod(level(where, "rate"))));
          };
          evidence.push_back(compared(where, arm("with", warmup_at(where)), arm("without", Warmup::none)));
        }
        return evidence;
      }};
}

Claim post_norm_better_when_it_trains() {
  return {.id = "claim-post-norm-better-when-it-trains",
          .sources = {{2, 71}, {2, 69}, {2, 77}, {2, 81}},
          .quote = "训练完成后效果更优",
          .says = "Once it trains, post-norm ends better than pre-norm of the same depth.",
          .predicted = Verdict::confirmed,
          .because = "Liu et al. (2020) saw it where both converged; so did Su (2022), whom the note follows.",
          .rule = {.statistic = "loss with post-norm − with pre-norm, each warmed up and at its best rate",
                   .unit = "nats",
                   .must_train = MustTrain::each},
          .beyond = "Runs until nothing is left to learn, and what Su compared: the use of a model for other tasks afterwards.",
          .measure = [](Lab& lab) {
            std::vector<Contest> contests;
            std::vector<Where> longer = crossed({{"blocks", {"2", "6"}}, {"warm-up", {"a tenth"}}});
            longer.push_back({{"blocks", "12"}, {"warm-up", "a quarter"}});
            for (const Where& where : usual_and_long(lab, crossed({{"blocks", depths(lab)}, {"warm-up", {"a tenth"}}}), longer)) {
              contests.push_back({where, deep_run(where, "post"), deep_run(where, "pre"), "post", "pre"});
            }
            return lab.differences(contests);
          }};
}

Claim post_norm_regularises_parameters() {
  return {.id = "claim-post-norm-regularises-parameters",
          .sources = {{2, 80}, {2, 69}},
          .quote = "Post-Norm在残差之后做归一化，对参数正则化的效果更强",
          .says =
              "Post-norm regularises the parameters more than pre-norm, which adds a part of them without a norm. Taken to "
              "mean: where both know the training text equally well, post-norm knows other text better.",
          .predicted = Verdict::undecided,
          .because =
              "The norm bounds what a block hands on, however large its weights get; but nothing in either formula says which of "
              "two functions that fit the same text is nearer to the others.",
          .rule = {.statistic = "loss on other text with post-norm − with pre-norm, once the loss on the training text is below "
                                "a given number of nats",
                   .unit = "nats"},
          .beyond = "Another meaning of the word than less overfitting; large models, which see each text once.",
          .measure = [](Lab& lab) {
            const Corpus& corpus = lab.corpus(StackChoice{}.context);
            const std::vector<Where> places = crossed({{"training loss", {"1.5", "0.5"}}, {"blocks", {"2", "6"}}});
            return lab.each(places, [&](const Where& where, std::uint64_t seed) {
              const auto loss = [&](const char* placement) {
                return held_out_loss_at(std::stod(level(where, "training loss")), stack_at(where, placement), corpus, seed);
              };
              return loss("post") - loss("pre");
            });
          }};
}

// --- gradients --------------------------------------------------------------------------------------------------------

// At the start; early in training; and where both have trained, or might have.
std::vector<Where> stages_of_training(const Lab& lab) {
  const bool full = lab.full();
  const Levels inits{"xavier-normal", "gpt2"}, blocks = full ? Levels{"12", "24"} : Levels{"12"},
                                               layers = full ? Levels{"relu", "swiglu"} : Levels{"relu"};
  std::vector<Where> places;
  const auto add = [&](const Levels& init, const Levels& depth, const Levels& layer, const Levels& steps, const Levels& rate,
                       const Levels& warmup) {
    for (const Where& where :
         crossed({{"init", init}, {"blocks", depth}, {"feed-forward", layer}, {"steps", steps}, {"rate", rate}, {"warm-up", warmup}}))
      places.push_back(where);
  };
  if (lab.usual_too()) {
    add(inits, blocks, layers, {"0", "30"}, {"0.001"}, {"none"});
    add(inits, {"12"}, {"relu"}, {"30"}, {"0.001"}, {"30 steps"});
    add(inits, {"12"}, {"relu"}, {"30"}, {"0.00025"}, {"none", "30 steps"});
  }
  if (lab.longer_too()) {
    add({"xavier-normal"}, {"6", "12"}, {"relu"}, {"1000"}, {"0.001", "0.00025"}, {"none", "250 steps"});
    add({"xavier-normal"}, {"6", "12"}, {"relu"}, {"4000"}, {"0.001"}, {"1000 steps"});
  }
  return places;
}

Evidence evenness_of_gradients(Lab& lab) {
  const Corpus& corpus = lab.corpus(StackChoice{}.context);
  const std::vector<Where> places = stages_of_training(lab);
  const std::vector<std::string> placements{"pre", "post"};
  const Baseline pairs = pairs_line(corpus);
  const Evidence measured = lab.each(places, "of", {"unevenness", "pre", "post"}, [&](const Where& where, std::uint64_t seed) {
    std::vector<double> unevenness, losses;
    for (const std::string& placement : placements) {
      const std::string &rate = level(where, "rate"), &warmup = level(where, "warm-up");
      const optim::ScheduleOptions schedule{.max_lr = std::stod(rate), .warmup = warmup == "none" ? 0 : std::stoll(warmup)};
      const TrainedStack stack = trained_block_gradients(stack_at(where, placement), schedule, corpus, seed, number_at(where, "steps"));
      unevenness.push_back(std::log2(largest_over_smallest(stack.gradients)));
      losses.push_back(stack.loss);
    }
    return std::vector{unevenness[0] - unevenness[1], losses[0], losses[1]};
  });
  Evidence evidence;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Condition place{places[i], measured[3 * i].values, {}, measured[3 * i].commits};
    for (std::size_t a = 0; a < 2 && number_at(places[i], "steps") >= 1000; ++a) {
      place.arms.push_back({.name = placements[a], .losses = measured[3 * i + 1 + a].values, .line = pairs});
    }
    evidence.push_back(place);
  }
  return evidence;
}

Claim gradient_norms_by_placement() {
  return {.id = "claim-gradient-norms-by-placement",
          .sources = {{2, 74}, {2, 68}, {2, 75}, {0, 17}},
          .quote = "每层的梯度范数近似相等",
          .says = "The gradients of the layers are more nearly equal with pre-norm than with post-norm.",
          .predicted = Verdict::depends,
          .because =
              "Each of post-norm’s norms divides what goes back through it by √(1 + v), v the variance that a sublayer "
              "adds (Xiong et al., 2020); where weights begin N(0, 0.02²), v is nearly 0 and both are even.",
          .rule = {.statistic = "log₂ of (the largest gradient of a block / the smallest), pre-norm − post-norm",
                   .must_train = MustTrain::each},
          .beyond = "At the start, and after 30 steps, no model has trained, and none has to. " + kBiggerModels + ".",
          .measure = evenness_of_gradients};
}

Claim pre_norm_bottom_gradients_larger() {
  return {
      .id = "claim-pre-norm-bottom-gradients-larger",
      .sources = {{2, 148}},
      .quote = "Pre-LN在底层的梯度往往大于顶层",
      .says = "With pre-norm the gradients of the bottom layers are often larger than those of the top.",
      .predicted = Verdict::depends,
      .because =
          "The norm before a sublayer divides its gradient by σ, the size of the stream: from the top down gradients "
          "grow as σ grew on the way up, and with quiet sublayers it hardly grew.",
      .rule = {.statistic = "‖dL/dθ‖ of the first block / of the last", .side = Side::above, .bound = 1.5},
      .beyond = kBiggerModels + ".",
      .measure = [](Lab& lab) {
        const Corpus& corpus = lab.corpus(StackChoice{}.context);
        return lab.each(
            crossed({{"init", {"xavier-normal", "gpt2", "depth-scaled"}}, {"blocks", {"12", "48"}}, {"feed-forward", {"relu", "swiglu"}}}),
            [&](const Where& where, std::uint64_t seed) { return bottom_over_top(block_gradients(stack_at(where, "pre"), corpus, seed)); });
      }};
}

}  // namespace

std::vector<Claim> placement_claims() {
  return {pre_norm_stable(),
          warmup_rescues_post_norm(),
          gradient_norms_by_placement(),
          pre_norm_bottom_gradients_larger(),
          post_norm_better_when_it_trains(),
          post_norm_regularises_parameters()};
}

}  // namespace gradus::examples
