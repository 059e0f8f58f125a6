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

// f moved down, so that its mean over standard normal inputs is 0: the same slopes.
const Activation centred_sigmoid{"centred_sigmoid", "Sigmoid - 1/2", [](const Tensor& x) { return sigmoid(x) - 0.5; }};
const Activation centred_relu{"centred_relu", "ReLU - 0.399", [](const Tensor& x) { return relu(x) - 0.39894228040143268; }};

const std::vector<std::string> kUncentred{"sigmoid", "ReLU"};
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
         Evidence evidence;
         for (const Where& where : crossed({{"steps", lab.steps(kSgdSteps)},
                                            {"f", {"ReLU", "leaky ReLU"}},
                                            {"g", {"sigmoid", "tanh"}},
                                            {"hidden layers", {"1", "3", "5"}}})) {
           evidence.push_back(after_sgd(lab, where, net_of(level(where, "f"), whole_at(where, "hidden layers")),
                                        net_of(level(where, "g"), whole_at(where, "hidden layers"))));
         }
         return evidence;
       }},

      {"claim-leaky-relu-nearly-linear",
       [](Lab& lab) {
         Evidence evidence;
         for (const Where& where : crossed({{"steps", lab.steps(1000)},
                                            {"task", {"spirals", "checkerboard"}},
                                            {"g", {"ReLU", "tanh"}},
                                            {"slope", {"0.01", "0.3", "0.9"}}})) {
           constexpr int layers = 2;
           const double slope = number_at(where, "slope");
           const DeepNet leaky{act::leaky_relu(slope), init_gain("leaky-relu", slope), layers};
           evidence.push_back(hard_task(lab, where, level(where, "task"), leaky, net_of(level(where, "g"), layers)));
         }
         return evidence;
       }},

      {"claim-elu-nearer-the-natural-gradient",
       [](Lab& lab) {
         return lab.each(
             crossed({{"hidden layers", {"1", "5"}}, {"when", {"at the start", "after training"}}, {"damping", {"0.001", "0.1"}}}),
             [](const Where& where, std::uint64_t seed) {
               const Digits digits = read_digits();
               const auto cosine = [&](const Activation& f) {
                 const DeepNet shape{f, init_gain("relu"), whole_at(where, "hidden layers")};
                 Sequential net = level(where, "when") == "at the start" ? untrained(shape, seed) : trained(shape, digits, seed);
                 return cosine_with_natural_gradient(net, digits, number_at(where, "damping"));
               };
               return cosine(act::elu()) - cosine(act::relu);
             });
       }},

      {"claim-elu-learns-faster",
       [](Lab& lab) {
         Evidence evidence;
         for (const Where& where :
              crossed({{"steps", lab.steps(kSgdSteps)}, {"g", {"ReLU", "leaky ReLU"}}, {"hidden layers", {"1", "3", "5"}}})) {
           const double gain = init_gain("relu");
           evidence.push_back(after_sgd(lab, where, {act::elu(), gain, whole_at(where, "hidden layers")},
                                        {named(level(where, "g")), gain, whole_at(where, "hidden layers")}));
         }
         return evidence;
       }},

      {"claim-elu-varies-less",
       [](Lab& lab) {
         return lab.each(crossed({{"g", {"a straight line", "leaky ReLU", "ReLU"}}, {"hidden layers", {"1", "5"}}}),
                         [](const Where& where, std::uint64_t seed) {
                           const Digits digits = read_digits();
                           Sequential net = trained({act::elu(), init_gain("relu"), whole_at(where, "hidden layers")}, digits, seed);
                           return deviation_below_zero(net, act::elu(), digits) -
                                  deviation_below_zero(net, named(level(where, "g")), digits);
                         });
       }},

      {"claim-swish-bounds-regularise",
       [](Lab& lab) {
         Evidence evidence;
         std::vector<std::string> losses;  // the second takes about four times the steps
         if (lab.usual_too()) losses.emplace_back("0.05");
         if (lab.longer_too()) losses.emplace_back("0.01");
         for (const Where& where : crossed({{"training loss", losses},
                                            {"g", {"ReLU", "leaky ReLU of slope 0.25"}},
                                            {"images", {"100", "500"}},
                                            {"hidden layers", {"1", "5"}}})) {
           const Activation g = level(where, "g") == "ReLU" ? act::relu : act::leaky_relu(0.25);
           const double gain = init_gain("relu");
           evidence.push_back(once_learned(lab, where, whole_at(where, "images"), {act::silu, gain, whole_at(where, "hidden layers")},
                                           {g, gain, whole_at(where, "hidden layers")}));
         }
         return evidence;
       }},

      {"claim-larger-softmax-is-likelier",
       [](Lab& lab) {
         const std::vector<Where> places =
             crossed({{"steps", lab.steps(net_of("ReLU", 1).steps)}, {"images", {"100", "1500"}}, {"hidden layers", {"1", "5"}}});
         const Evidence both = lab.each(places, "measured", {"difference", "loss"}, [](const Where& where, std::uint64_t seed) {
           DeepNet net = net_of("ReLU", whole_at(where, "hidden layers"));
           net.steps = whole_at(where, "steps");
           return surer_half(net, whole_at(where, "images"), seed);
         });
         Evidence evidence;
         for (std::size_t i = 0; i < places.size(); ++i) {
           const Arm net{"ReLU", both[2 * i + 1].values, one_pixel_line(DigitsPart::held_out)};
           evidence.push_back({places[i], both[2 * i].values, {net}, both[2 * i].commits});
         }
         return evidence;
       }},

      {"claim-uncentred-outputs-one-direction",
       [](Lab& lab) {
         return lab.each(crossed({{"f", kUncentred}, {"hidden layers", {"1", "5"}}, {"images", {"1", "64", "1500"}}}),
                         [](const Where& where, std::uint64_t seed) {
                           const Digits digits = read_digits();
                           const auto agreement = [&](const DeepNet& shape) {
                             Sequential net = untrained(shape, seed);
                             return sign_agreement(net, digits, whole_at(where, "images"));
                           };
                           const std::string& f = level(where, "f");
                           return agreement(net_of(f, whole_at(where, "hidden layers"))) -
                                  agreement(moved_down(f, whole_at(where, "hidden layers")));
                         });
       }},

      {"claim-zero-centred-outputs",
       [](Lab& lab) {
         Evidence evidence;
         for (const Where& where : crossed({{"steps", lab.steps(kSgdSteps)}, {"f", kUncentred}, {"hidden layers", {"1", "3", "5"}}})) {
           const std::string& f = level(where, "f");
           evidence.push_back(
               after_sgd(lab, where, net_of(f, whole_at(where, "hidden layers")), moved_down(f, whole_at(where, "hidden layers"))));
         }
         return evidence;
       }},
  };
}

}  // namespace gradus::examples
