// What the notes claim of activations.
#include "core/core.h"
#include "examples/claims/activation_measures.h"
#include "examples/claims/activation_training.h"
#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/sentence_measures.h"
#include "examples/claims/unit_measures.h"
#include "examples/shared/study/deep_gradient.h"
#include "nn/activation/activation_table.h"
#include "nn/activation/elu.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/softmax.h"
#include "nn/init.h"

namespace gradus::examples {
using namespace nn;

Experiments activation_experiments() {
  return {
      {"claim-sigmoid-saturates",
       [](Lab& lab) {
         return lab.each({{{"layers", "1"}, {"inputs", "from 5 to 10, either sign"}},
                          {{"layers", "5"}, {"inputs", "as they come"}},
                          {{"layers", "20"}, {"inputs", "as they come"}}},
                         [](const Where& where, std::uint64_t seed) {
                           const int layers = whole_at(where, "layers");
                           return layers == 1 ? gradient_left_far_out(act::sigmoid, seed) : surviving(act::sigmoid, 1, layers, seed).back();
                         });
       }},

      {"claim-tanh-beats-sigmoid",
       [](Lab& lab) {
         const auto transformer = [&](const char* activation) {
           TrainOptions options = lab.model_with("feed_forward", "relu");
           options.model.activation = activation;
           return options;
         };
         const auto after = [&](int64_t times) {
           const std::string steps = std::to_string(times * DeepNet{.f = act::relu}.steps);
           const int64_t of_transformer = times * lab.model().schedule.total;
           const auto of_digits = [&](int layers) {
             const Where where{{"steps", steps}, {"network", fmt::format("digits, hidden layers {}", layers)}};
             return digit_losses(lab, where, {.f = act::tanh, .layers = layers}, {.f = act::sigmoid, .layers = layers});
           };
           const Where where{{"steps", std::to_string(of_transformer)}, {"network", "Transformer"}};
           const TrainOptions first = of_steps(transformer("tanh"), of_transformer),
                              second = of_steps(transformer("sigmoid"), of_transformer);
           return joined(Evidence{of_digits(1), of_digits(5)}, lab.differences({{where, first, second, "tanh", "sigmoid"}}));
         };
         Evidence evidence;
         for (const int64_t times : lab.usual_and_long<int64_t>({1}, {4})) evidence = joined(evidence, after(times));
         return evidence;
       }},

      {"claim-relu-units-die", each({{"hidden layers", {"1", "5"}}, {"rate", {"0.01", "0.1", "0.3"}}},
                                    [](const Where& where, std::uint64_t seed) {
                                      return share_that_died(
                                          {act::relu, init_gain("relu"), whole_at(where, "hidden layers"), number_at(where, "rate")}, seed);
                                    })},

      {"claim-leaky-revives",
       each({{"counted if they", {"get a gradient", "wake"}}, {"optimizer", {"momentum", "adam"}}, {"steps", {"200", "2000"}}},
            [](const Where& where, std::uint64_t seed) {
              const auto share = [&](const Activation& f) {
                const Revived r = revived({f, level(where, "optimizer"), whole_at(where, "steps")}, seed);
                return level(where, "counted if they") == "wake" ? r.wakes : r.gets_gradient;
              };
              return share(act::leaky_relu()) - share(act::relu);
            })},

      {"claim-elu-mean-nearer-zero",
       each({{"inputs", {"digits", "digits, centred"}}, {"hidden layers", {"1", "5"}}, {"when", {"at the start", "after training"}}},
            [](const Where& where, std::uint64_t seed) {
              const Digits digits = level(where, "inputs") == "digits" ? read_digits() : centred(read_digits());
              const bool started = level(where, "when") == "at the start";
              const auto distance = [&](const Activation& f) {
                const DeepNet shape{f, init_gain("relu"), whole_at(where, "hidden layers")};
                Sequential net = started ? untrained(shape, seed) : trained(shape, digits, seed);
                return distance_of_means_from_zero(net, digits);
              };
              return distance(act::elu()) - distance(act::relu);
            })},

      {"claim-exp-costs", in_turn({{"function", {"sigmoid", "tanh", "elu"}}, {"timed", {"alone", "in a layer"}}},
                                  [](const Where& where, std::uint64_t) {
                                    const std::string& name = level(where, "function");
                                    const Activation f = name == "sigmoid" ? act::sigmoid : name == "tanh" ? act::tanh : act::elu();
                                    return time_over_leaky_relu(f, level(where, "timed") == "alone");
                                  })},

      {"claim-stable-softmax", each({{"dtype", {"f16", "f32", "f64"}}, {"c", {"100", "1000"}}},
                                    [](const Where& where, std::uint64_t seed) {
                                      return softmax_error(act::softmax, dtype_from_name(level(where, "dtype")), whole_at(where, "c"),
                                                           seed);
                                    })},

      {"erratum-1",
       each({}, [](const Where&,
                   std::uint64_t seed) { return error_of_slope([](const Tensor& x) { return sigmoid(x) * sigmoid(1 - x); }, seed); })},

      {"erratum-2",
       each({{"gradient", {"none", "towards a target"}}},
            [](const Where& where, std::uint64_t seed) { return decay_against_schedule(level(where, "gradient") != "none", seed); })},

      {"erratum-6", each({},
                         [](const Where&, std::uint64_t seed) {
                           return distance_of_cross_attention({.queries = From::encoder, .keys = From::encoder, .values = From::decoder},
                                                              seed);
                         })},

      {"erratum-11", each({{"negative on", {"one image", "every image"}}, {"gradient of", {"the unit", "the units after it"}}},
                          [](const Where& where, std::uint64_t seed) {
                            const Silence silence{.on_every_image = level(where, "negative on") == "every image",
                                                  .layer_after = level(where, "gradient of") == "the units after it"};
                            return share_without_gradient(nn::act::relu, silence, seed);
                          })},
  };
}

}  // namespace gradus::examples
