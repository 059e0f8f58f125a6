// What the notes claim of activations.
#include "examples/claims/activation_measures.h"
#include "examples/claims/activation_training.h"
#include "examples/claims/all_claims.h"
#include "examples/claims/unit_measures.h"
#include "examples/shared/study/deep_gradient.h"
#include "nn/activation/activation_table.h"
#include "nn/activation/elu.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/softmax.h"
#include "nn/init.h"

namespace gradus::examples {
namespace {

using namespace nn;

}  // namespace

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
         Evidence evidence;
         const auto add = [&](int64_t steps, int64_t of_transformer) {
           for (const Condition& place : digit_losses(lab, act::tanh, act::sigmoid, {std::to_string(steps)}, {1, 5}))
             evidence.push_back(place);
           const std::vector<std::string> level{std::to_string(of_transformer)};
           const Contest contest{{{"network", "Transformer"}}, transformer("tanh"), transformer("sigmoid"), "tanh", "sigmoid"};
           for (const Condition& place : lab.differences_at(level, {contest})) evidence.push_back(place);
         };
         const int64_t of_digits = DeepNet{.f = act::relu}.steps, of_transformer = lab.model().schedule.total;
         if (lab.usual_too()) add(of_digits, of_transformer);
         if (lab.longer_too()) add(4 * of_digits, 4 * of_transformer);
         return evidence;
       }},

      {"claim-relu-units-die",
       [](Lab& lab) {
         return lab.each(crossed({{"hidden layers", {"1", "5"}}, {"rate", {"0.01", "0.1", "0.3"}}}),
                         [](const Where& where, std::uint64_t seed) {
                           const int layers = whole_at(where, "hidden layers");
                           const double rate = number_at(where, "rate");
                           return share_that_died({act::relu, init_gain("relu"), layers, rate}, seed);
                         });
       }},

      {"claim-leaky-revives",
       [](Lab& lab) {
         return lab.each(
             crossed({{"counted if they", {"get a gradient", "wake"}}, {"optimizer", {"momentum", "adam"}}, {"steps", {"200", "2000"}}}),
             [](const Where& where, std::uint64_t seed) {
               const auto share = [&](const Activation& f) {
                 const Revived r = revived({f, level(where, "optimizer"), whole_at(where, "steps")}, seed);
                 return level(where, "counted if they") == "wake" ? r.wakes : r.gets_gradient;
               };
               return share(act::leaky_relu()) - share(act::relu);
             });
       }},

      {"claim-elu-mean-nearer-zero",
       [](Lab& lab) {
         return lab.each(
             crossed(
                 {{"inputs", {"digits", "digits, centred"}}, {"hidden layers", {"1", "5"}}, {"when", {"at the start", "after training"}}}),
             [](const Where& where, std::uint64_t seed) {
               const Digits digits = level(where, "inputs") == "digits" ? read_digits() : centred(read_digits());
               const bool started = level(where, "when") == "at the start";
               const auto distance = [&](const Activation& f) {
                 const DeepNet shape{f, init_gain("relu"), whole_at(where, "hidden layers")};
                 Sequential net = started ? untrained(shape, seed) : trained(shape, digits, seed);
                 return distance_of_means_from_zero(net, digits);
               };
               return distance(act::elu()) - distance(act::relu);
             });
       }},

      {"claim-exp-costs",
       [](Lab& lab) {
         return lab.in_turn(crossed({{"function", {"sigmoid", "tanh", "elu"}}, {"timed", {"alone", "in a layer"}}}),
                            [](const Where& where, std::uint64_t) {
                              const std::string& name = level(where, "function");
                              const Activation f = name == "sigmoid" ? act::sigmoid : name == "tanh" ? act::tanh : act::elu();
                              return time_over_leaky_relu(f, level(where, "timed") == "alone");
                            });
       }},

      {"claim-stable-softmax",
       [](Lab& lab) {
         return lab.each(crossed({{"dtype", {"f16", "f32", "f64"}}, {"c", {"100", "1000"}}}), [](const Where& where, std::uint64_t seed) {
           const std::string& name = level(where, "dtype");
           const DType dtype = name == "f16" ? DType::f16 : name == "f32" ? DType::f32 : DType::f64;
           return softmax_error(act::softmax, dtype, whole_at(where, "c"), seed);
         });
       }},
  };
}

}  // namespace gradus::examples
