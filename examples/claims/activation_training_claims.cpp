// What the notes claim of networks that learn with one activation or another.
#include <cmath>

#include "core/core.h"
#include "examples/claims/activation_training.h"
#include "examples/claims/all_claims.h"
#include "examples/claims/natural_gradient.h"
#include "examples/claims/unit_measures.h"
#include "nn/activation/elu.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/swish.h"
#include "nn/init.h"

namespace gradus::examples {
namespace {

using namespace nn;

constexpr int kSgdSteps = 100;

Activation named(const std::string& g) {
  return g == "sigmoid"      ? act::sigmoid
         : g == "tanh"       ? act::tanh
         : g == "ReLU"       ? act::relu
         : g == "leaky ReLU" ? act::leaky_relu()
                             : act::identity;
}

// Its weights start with the gain that keeps what the activation gives at its size.
DeepNet net_of(const std::string& g, int layers) {
  return {named(g), init_gain(g == "ReLU" ? "relu" : g == "leaky ReLU" ? "leaky-relu" : g), layers};
}

// As deep as the place says, started as with ReLU.
DeepNet with_f(const Activation& f, const Where& where) { return {f, init_gain("relu"), whole_at(where, "hidden layers")}; }

// f moved down, so that its mean over standard normal inputs is 0: the same slopes.
const Activation centred_sigmoid{"centred_sigmoid", "Sigmoid - 1/2", [](const Tensor& x) { return sigmoid(x) - 0.5; }};
const Activation centred_relu{"centred_relu", "ReLU - 0.399", [](const Tensor& x) { return relu(x) - 0.39894228040143268; }};

const Factor kUncentred{"f", {"sigmoid", "ReLU"}};
DeepNet moved_down(const std::string& f, int layers) {
  DeepNet shape = net_of(f, layers);
  shape.f = f == "ReLU" ? centred_relu : centred_sigmoid;
  return shape;
}

}  // namespace

Experiments activation_training_experiments() {
  return {
      {"claim-relu-converges-fast-with-sgd",
       [](Lab& lab) {
         const Factor steps{"steps", lab.steps(kSgdSteps)}, f{"f", {"ReLU", "leaky ReLU"}}, g{"g", {"sigmoid", "tanh"}};
         return at_each(crossed({steps, f, g, {"hidden layers", {"1", "3", "5"}}}), [&](const Where& where) {
           const int layers = whole_at(where, "hidden layers");
           return after_sgd(lab, where, net_of(level(where, "f"), layers), net_of(level(where, "g"), layers));
         });
       }},

      {"claim-leaky-relu-nearly-linear",
       [](Lab& lab) {
         const Factor steps{"steps", lab.steps(1000)}, task{"task", {"spirals", "checkerboard"}}, g{"g", {"ReLU", "tanh"}};
         return at_each(crossed({steps, task, g, {"slope", {"0.01", "0.3", "0.9"}}}), [&](const Where& where) {
           constexpr int layers = 2;
           const double slope = number_at(where, "slope");
           const DeepNet leaky{act::leaky_relu(slope), init_gain("leaky-relu", slope), layers};
           return hard_task(lab, where, level(where, "task"), leaky, net_of(level(where, "g"), layers));
         });
       }},

      {"claim-elu-nearer-the-natural-gradient",
       each({{"hidden layers", {"1", "5"}}, {"when", {"at the start", "after training"}}, {"damping", {"0.001", "0.1"}}},
            [](const Where& where, std::uint64_t seed) {
              const Digits digits = read_digits();
              const auto cosine = [&](const Activation& f) {
                const DeepNet shape = with_f(f, where);
                Sequential net = level(where, "when") == "at the start" ? untrained(shape, seed) : trained(shape, digits, seed);
                return cosine_with_natural_gradient(net, digits, number_at(where, "damping"));
              };
              return cosine(act::elu()) - cosine(act::relu);
            })},

      {"claim-elu-learns-faster",
       [](Lab& lab) {
         const Factor steps{"steps", lab.steps(kSgdSteps)}, g{"g", {"ReLU", "leaky ReLU"}};
         return at_each(crossed({steps, g, {"hidden layers", {"1", "3", "5"}}}), [&](const Where& where) {
           return after_sgd(lab, where, with_f(act::elu(), where), with_f(named(level(where, "g")), where));
         });
       }},

      {"claim-elu-varies-less", each({{"g", {"a straight line", "leaky ReLU", "ReLU"}}, {"hidden layers", {"1", "5"}}},
                                     [](const Where& where, std::uint64_t seed) {
                                       const Digits digits = read_digits();
                                       Sequential net = trained(with_f(act::elu(), where), digits, seed);
                                       return deviation_below_zero(net, act::elu(), digits) -
                                              deviation_below_zero(net, named(level(where, "g")), digits);
                                     })},

      {"claim-swish-bounds-regularise",
       [](Lab& lab) {
         const Factor losses{"training loss", lab.usual_and_long<std::string>({"0.05"}, {"0.01"})},  // which takes four times the steps
             g{"g", {"ReLU", "leaky ReLU of slope 0.25"}}, images{"images", {"100", "500"}};
         return at_each(crossed({losses, g, images, {"hidden layers", {"1", "5"}}}), [&](const Where& where) {
           const Activation other = level(where, "g") == "ReLU" ? act::relu : act::leaky_relu(0.25);
           return once_learned(lab, where, whole_at(where, "images"), with_f(act::silu, where), with_f(other, where));
         });
       }},

      {"claim-larger-softmax-is-likelier",
       [](Lab& lab) {
         const std::vector<Where> places =
             crossed({{"steps", lab.steps(net_of("ReLU", 1).steps)}, {"images", {"100", "1500"}}, {"hidden layers", {"1", "5"}}});
         return lab.each(places, {{"ReLU", {}, one_pixel_line(DigitsPart::held_out)}}, [](const Where& where, std::uint64_t seed) {
           DeepNet net = net_of("ReLU", whole_at(where, "hidden layers"));
           net.steps = whole_at(where, "steps");
           return surer_half(net, whole_at(where, "images"), seed);
         });
       }},

      {"claim-uncentred-outputs-one-direction", each({kUncentred, {"hidden layers", {"1", "5"}}, {"images", {"1", "64", "1500"}}},
                                                     [](const Where& where, std::uint64_t seed) {
                                                       const Digits digits = read_digits();
                                                       const auto agreement = [&](const DeepNet& shape) {
                                                         Sequential net = untrained(shape, seed);
                                                         return sign_agreement(net, digits, whole_at(where, "images"));
                                                       };
                                                       const int layers = whole_at(where, "hidden layers");
                                                       return agreement(net_of(level(where, "f"), layers)) -
                                                              agreement(moved_down(level(where, "f"), layers));
                                                     })},

      {"claim-zero-centred-outputs",
       [](Lab& lab) {
         const Factor steps{"steps", lab.steps(kSgdSteps)};
         return at_each(crossed({steps, kUncentred, {"hidden layers", {"1", "3", "5"}}}), [&](const Where& where) {
           const int layers = whole_at(where, "hidden layers");
           return after_sgd(lab, where, net_of(level(where, "f"), layers), moved_down(level(where, "f"), layers));
         });
       }},
  };
}

}  // namespace gradus::examples
