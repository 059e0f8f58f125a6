// What the notes claim of feed-forward layers.
#include "examples/claims/all_claims.h"
#include "examples/claims/feed_forward_measures.h"
#include "examples/claims/lab.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/swish.h"
#include "nn/feed_forward/feed_forward_table.h"

namespace gradus::examples {
namespace {

using namespace nn;

Claim swiglu_beats_others() {
  return {.id = "claim-swiglu-beats-others-at-equal-parameters",
          .sources = {{2, 160}, {2, 175}, {0, 96}},
          .quote = "通常使用SwiGLU替换掉传统的FFN结构",
          .says =
              "Large models usually have SwiGLU in place of the old feed-forward layer. Taken to mean: with as many "
              "parameters it is better than the others.",
          .predicted = Verdict::depends,
          .because =
              "Shazeer (2020): 1.636 nats a token against 1.677 with ReLU, 1.679 with GELU, 1.683 with Swish and 1.663 "
              "with GLU; but 1.633 with GeGLU.",
          .rule = {.statistic = "loss with SwiGLU − loss with the other, each at its best learning rate",
                   .unit = "nats",
                   .must_train = MustTrain::each},
          .beyond = "Differences of a few hundredths of a nat, and models a thousand times as large.",
          .measure = [](Lab& lab) {
            const TrainOptions swiglu = lab.model_with("feed_forward", "swiglu");
            std::vector<Contest> contests;
            for (const char* other : {"relu", "gelu", "silu", "glu", "geglu"}) {
              contests.push_back({{{"against", other}}, swiglu, lab.model_with("feed_forward", other), "swiglu", other});
            }
            return lab.differences_at(lab.steps(swiglu.schedule.total), contests);
          }};
}

Claim gelu_beats_relu() {
  return {.id = "claim-gelu-beats-relu",
          .sources = {{0, 96}, {0, 94}, {2, 184}, {1, 52}},
          .quote = "传统ReLU GELU,SILU(无门控)与SwiGLU对比",
          .says = "ReLU and GELU, both without a gate, are to be compared. Taken to mean: with GELU the model ends better.",
          .predicted = Verdict::confirmed,
          .because =
              "Hendrycks and Gimpel (2016) saw it in nine tasks; Shazeer (2020), 1.677 nats a token with ReLU and 1.679 with "
              "GELU, did not.",
          .rule = {.statistic = "loss with GELU − loss with ReLU, each at its best learning rate",
                   .unit = "nats",
                   .must_train = MustTrain::each},
          .beyond = "Differences of a few thousandths of a nat, which larger models may have.",
          .measure = [](Lab& lab) {
            return lab.differences_at(
                lab.steps(lab.model().schedule.total),
                {{{}, lab.model_with("feed_forward", "gelu"), lab.model_with("feed_forward", "relu"), "gelu", "relu"}});
          }};
}

Claim glu_keeps_a_linear_gradient_path() {
  return {.id = "claim-glu-keeps-a-linear-gradient-path",
          .sources = {{0, 120}, {1, 31}},
          .quote = "为梯度提供线性路径同时保留非线性能力，从而减少深度架构的梯度消失问题",
          .says = "A gated linear unit keeps a linear path for the gradient, and so lets it vanish less in deep networks.",
          .predicted = Verdict::confirmed,
          .because =
              "Along the value b, σ(a) ⊙ b hands back σ(a) whatever b is; σ(a) ⊙ tanh(b) hands back σ(a)(1 − tanh²b) "
              "(Dauphin et al., 2017).",
          .rule = {.statistic = "gradient left by σ(a) ⊙ b / by σ(a) ⊙ tanh(b), as a logarithm", .unit = "decades", .side = Side::above},
          .beyond = "Training: this is the start. And a residual stream, which is a linear path without a gate.",
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"layers", {"5", "20"}}, {"outputs", {"as they come", "scaled to size 1"}}}),
                            [](const Where& where, std::uint64_t seed) {
                              const bool scaled = level(where, "outputs") == "scaled to size 1";
                              return decades_over_tanh(act::sigmoid, std::stoi(level(where, "layers")), scaled, seed);
                            });
          }};
}

Claim multiples_of_64_run_faster() {
  return {.id = "claim-multiples-of-64-run-faster",
          .sources = {{0, 140}},
          .quote = "前馈层的维度数量要向上取整到64的倍数，此时内存读取效率最高",
          .says = "A hidden width that is rounded up to a multiple of 64 runs faster: memory is then read best.",
          .predicted = Verdict::depends,
          .because =
              "A line of memory and a vector register hold 16 floats, so that a tail costs one step in many; and the "
              "wider layer does more work.",
          .rule = {.statistic = "time with the multiple of 64 / with the other width",
                   .side = Side::below,
                   .bound = 0.98,
                   .sample = "repetitions"},
          .beyond = "A GPU, whose matrix units work on whole tiles: measure it there.",
          .measure =
              [](Lab& lab) {
                return lab.in_turn(crossed({{"other width", {"8d/3", "one less"}}, {"d", {"128", "256", "512"}}}),
                                   [](const Where& where, std::uint64_t) {
                                     const int64_t d = std::stoll(level(where, "d")), rounded = feed_forward_width(d, true, 64);
                                     const bool exact = level(where, "other width") == "8d/3";
                                     return time_of_widths(d, rounded, exact ? feed_forward_width(d, true, 1) : rounded - 1);
                                   });
              },
          .timed = true};
}

}  // namespace

std::vector<Claim> feed_forward_claims() {
  return {swiglu_beats_others(), gelu_beats_relu(), glu_keeps_a_linear_gradient_path(), multiples_of_64_run_faster()};
}

}  // namespace gradus::examples
