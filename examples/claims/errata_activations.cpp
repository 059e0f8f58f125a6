// Sentences of the notes on activations, weight decay and cross-attention that are wrong as they stand.
#include "core/core.h"
#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/sentence_measures.h"
#include "examples/claims/unit_measures.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"

namespace gradus::examples {
namespace {

Claim slope_of_sigmoid() {
  return {.id = "erratum-1",
          .sources = {{2, 201}},
          .quote = "f'(x) = f(x)f(1-x)",
          .says = "The derivative of sigmoid is f(x) f(1 − x).",
          .meant = "f(x) (1 − f(x)), which is f(x) f(−x).",
          .predicted = Verdict::refuted,
          .because = "At 0 it gives ½ σ(1) = 0.366, and the slope is ¼.",
          .rule = {.statistic = "greatest |f(x) f(1 − x) − slope by the tape|, x from −8 to 8",
                   .side = Side::below,
                   .bound = 1e-6,
                   .sample = "draws"},
          .measure = [](Lab& lab) {
            return lab.each({{}}, [](const Where&, std::uint64_t seed) {
              return error_of_slope([](const Tensor& x) { return sigmoid(x) * sigmoid(1 - x); }, seed);
            });
          }};
}

Claim weight_decay_is_a_falling_rate() {
  return {.id = "erratum-2",
          .sources = {{1, 61}},
          .quote = "主要是指学习率的衰减",
          .says = "Weight decay mainly means that the learning rate decays.",
          .meant = "Weight decay shrinks the parameters, θ ← θ − lr λ θ. A falling learning rate is another thing; both exist.",
          .predicted = Verdict::refuted,
          .because = "A falling rate leaves a parameter without a gradient where it is (Loshchilov and Hutter, 2019).",
          .rule = {.statistic = "distance of θ after 100 steps with one from θ with the other / norm of θ at first",
                   .side = Side::below,
                   .bound = 0.01,
                   .sample = "draws"},
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"gradient", {"none", "towards a target"}}}), [](const Where& where, std::uint64_t seed) {
              return decay_against_schedule(level(where, "gradient") != "none", seed);
            });
          }};
}

Claim queries_and_keys_of_the_encoder() {
  return {.id = "erratum-6",
          .sources = {{4, 209}, {4, 193}},
          .quote = "q，k使用encoder的输出",
          .says = "In the decoder's second attention q and k come from the encoder.",
          .meant = "Keys and values do, as the note's code has it: it is cross-attention, and not self-attention.",
          .predicted = Verdict::refuted,
          .because = "Queries come from the layer before, keys and values from the encoder (Vaswani et al., 2017, 3.2.3).",
          .rule = {.statistic = "distance of the layer's result from that with q and k of the encoder / its norm",
                   .side = Side::below,
                   .bound = 0.001,
                   .sample = "draws"},
          .measure = [](Lab& lab) {
            return lab.each({{}}, [](const Where&, std::uint64_t seed) {
              return distance_of_cross_attention({.queries = From::encoder, .keys = From::encoder, .values = From::decoder}, seed);
            });
          }};
}

Claim a_negative_input_kills() {
  return {.id = "erratum-11",
          .sources = {{2, 235}},
          .quote = "这个神经元及之后的神经元梯度永远为0，不再对任何数据有所响应",
          .says = "Once its input is negative, the gradients of a ReLU unit and of the units after it are 0 for ever.",
          .meant = "For that input alone. Dead is a unit that is negative on every input; the units after it still learn.",
          .predicted = Verdict::depends,
          .because = "A gradient is summed over all inputs, and what a unit gets over all units before it (Maas et al., 2013).",
          .rule = {.statistic = "share of such units without a gradient from any of 1,500 images, after 100 steps",
                   .side = Side::above,
                   .bound = 0.99},
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"negative on", {"one image", "every image"}}, {"gradient of", {"the unit", "the units after it"}}}),
                            [](const Where& where, std::uint64_t seed) {
                              const Silence silence{.on_every_image = level(where, "negative on") == "every image",
                                                    .layer_after = level(where, "gradient of") == "the units after it"};
                              return share_without_gradient(nn::act::relu, silence, seed);
                            });
          }};
}

}  // namespace

std::vector<Claim> activation_errata() {
  return {slope_of_sigmoid(), weight_decay_is_a_falling_rate(), queries_and_keys_of_the_encoder(), a_negative_input_kills()};
}

}  // namespace gradus::examples
