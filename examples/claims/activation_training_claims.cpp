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
int layers_at(const Where& where) { return std::stoi(level(where, "hidden layers")); }

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

Claim relu_converges_fast() {
  return {.id = "claim-relu-converges-fast-with-sgd",
          .sources = {{2, 227}, {2, 251}},
          .quote = "由于ReLU线性、非饱和的性质，在SGD中能够快速收敛",
          .says = "ReLU and leaky ReLU are linear and do not saturate, so SGD converges fast with them.",
          .predicted = Verdict::confirmed,
          .because =
              "A network of four layers reached its training error six times sooner with ReLU than with tanh "
              "(Krizhevsky, Sutskever and Hinton, 2012).",
          .rule = {.statistic = "training loss after some steps of plain SGD with f − with g, each at its best rate",
                   .unit = "nats",
                   .must_train = MustTrain::one},
          .beyond =
              "Large convolutional networks, for which it was first said. That it is the linear half that does it: one "
              "would bend it, and keep the slope.",
          .measure = [](Lab& lab) {
            Evidence evidence;
            for (const Where& where : crossed({{"steps", lab.steps(kSgdSteps)},
                                               {"f", {"ReLU", "leaky ReLU"}},
                                               {"g", {"sigmoid", "tanh"}},
                                               {"hidden layers", {"1", "3", "5"}}})) {
              evidence.push_back(
                  after_sgd(lab, where, net_of(level(where, "f"), layers_at(where)), net_of(level(where, "g"), layers_at(where))));
            }
            return evidence;
          }};
}

Claim leaky_relu_nearly_linear() {
  return {.id = "claim-leaky-relu-nearly-linear",
          .sources = {{2, 259}},
          .quote = "有些近似线性，导致在复杂分类中效果不好",
          .says = "Leaky ReLU is nearly linear, so that it does badly in hard classification.",
          .predicted = Verdict::depends,
          .because =
              "On normal inputs the best straight line leaves 0.26 of its variance, 0.27 of ReLU's, and at α = 0.9 less than 0.01. "
              "Any bend is enough for any function, with units enough (Leshno et al., 1993).",
          .rule = {.statistic = "share of wrong answers with leaky ReLU − with g, each at its best rate",
                   .side = Side::above,
                   .bound = 0.01,
                   .must_train = MustTrain::one},
          .beyond = "Tasks of many inputs, where a line is a better beginning.",
          .measure = [](Lab& lab) {
            Evidence evidence;
            for (const Where& where : crossed({{"steps", lab.steps(1000)},
                                               {"task", {"spirals", "checkerboard"}},
                                               {"g", {"ReLU", "tanh"}},
                                               {"slope", {"0.01", "0.3", "0.9"}}})) {
              constexpr int layers = 2;
              const double slope = std::stod(level(where, "slope"));
              const DeepNet leaky{act::leaky_relu(slope), init_gain("leaky-relu", slope), layers};
              evidence.push_back(hard_task(lab, where, level(where, "task"), leaky, net_of(level(where, "g"), layers)));
            }
            return evidence;
          }};
}

Claim elu_nearer_the_natural_gradient() {
  return {.id = "claim-elu-nearer-the-natural-gradient",
          .sources = {{2, 271}},
          .quote = "使正常梯度更接近于单位自然梯度",
          .says = "With ELU the gradient is nearer to the unit natural gradient.",
          .predicted = Verdict::confirmed,
          .because =
              "The nearer to 0 the means of what a unit reads, the smaller the entries of its Fisher matrix between weights "
              "and bias, which the natural gradient undoes (Clevert et al., 2016).",
          .rule = {.statistic = "mean cosine of a unit's gradient with its natural gradient, with ELU − with ReLU", .side = Side::above},
          .beyond = "The natural gradient of a whole network, whose Fisher matrix also couples the units.",
          .measure = [](Lab& lab) {
            return lab.each(
                crossed({{"hidden layers", {"1", "5"}}, {"when", {"at the start", "after training"}}, {"damping", {"0.001", "0.1"}}}),
                [](const Where& where, std::uint64_t seed) {
                  const Digits digits = read_digits();
                  const auto cosine = [&](const Activation& f) {
                    const DeepNet shape{f, init_gain("relu"), layers_at(where)};
                    Sequential net = level(where, "when") == "at the start" ? untrained(shape, seed) : trained(shape, digits, seed);
                    return cosine_with_natural_gradient(net, digits, std::stod(level(where, "damping")));
                  };
                  return cosine(act::elu()) - cosine(act::relu);
                });
          }};
}

Claim elu_learns_faster() {
  return {.id = "claim-elu-learns-faster",
          .sources = {{2, 271}},
          .quote = "从而加快学习速度",
          .says = "So ELU learns faster.",
          .predicted = Verdict::confirmed,
          .because = "On MNIST, through eight layers, it did (Clevert et al., 2016).",
          .rule = {.statistic = "training loss after some steps of plain SGD with ELU − with g, each at its best rate",
                   .unit = "nats",
                   .must_train = MustTrain::one},
          .beyond = "Large networks; and that it is the mean which does it: see zero-centred-outputs.",
          .measure = [](Lab& lab) {
            Evidence evidence;
            for (const Where& where :
                 crossed({{"steps", lab.steps(kSgdSteps)}, {"g", {"ReLU", "leaky ReLU"}}, {"hidden layers", {"1", "3", "5"}}})) {
              const double gain = init_gain("relu");
              evidence.push_back(
                  after_sgd(lab, where, {act::elu(), gain, layers_at(where)}, {named(level(where, "g")), gain, layers_at(where)}));
            }
            return evidence;
          }};
}

Claim elu_varies_less() {
  return {.id = "claim-elu-varies-less",
          .sources = {{2, 273}},
          .quote = "ELU 在较小的输入下会饱和至负值，从而减少前向传播的变异和信息",
          .says = "ELU saturates to a negative value where inputs are small, so that less variation and information goes forward.",
          .predicted = Verdict::depends,
          .because =
              "Below 0 its slope e^x is below 1, but above the 0.01 of leaky ReLU as far as −4.6, and ReLU hands on nothing "
              "there at all.",
          .rule = {.statistic = "standard deviation over the images below 0 for a unit, of ELU − of g at the same inputs"},
          .beyond =
              "Information in bits: it needs a noise to be counted against, and with noise of one size less variation is "
              "less information.",
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"g", {"a straight line", "leaky ReLU", "ReLU"}}, {"hidden layers", {"1", "5"}}}),
                            [](const Where& where, std::uint64_t seed) {
                              const Digits digits = read_digits();
                              Sequential net = trained({act::elu(), init_gain("relu"), layers_at(where)}, digits, seed);
                              return deviation_below_zero(net, act::elu(), digits) -
                                     deviation_below_zero(net, named(level(where, "g")), digits);
                            });
          }};
}

Claim swish_bounds_regularise() {
  return {.id = "claim-swish-bounds-regularise",
          .sources = {{2, 292}},
          .quote = "有界激活函数可以具有很强的正则化",
          .says = "Swish is bounded below, and a bounded activation regularises strongly.",
          .predicted = Verdict::refuted,
          .because =
              "ReLU has the same bounds but for 0.278, so that they can't set Swish apart; Ramachandran et al. (2017) found "
              "it better by 0.6 to 0.9 % of ImageNet, without a measurement of why.",
          .rule = {.statistic = "held-out loss once the training loss is so low, with Swish − with g",
                   .unit = "nats",
                   .bound = -0.05,
                   .must_train = MustTrain::each},
          .beyond = "Networks that are large for their data, in which a regulariser has more to do.",
          .measure = [](Lab& lab) {
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
              evidence.push_back(once_learned(lab, where, std::stoi(level(where, "images")), {act::silu, gain, layers_at(where)},
                                              {g, gain, layers_at(where)}));
            }
            return evidence;
          }};
}

Claim larger_softmax_is_likelier() {
  return {.id = "claim-larger-softmax-is-likelier",
          .sources = {{2, 314}},
          .quote = "Softmax激活函数映射值越大，则真实类别可能性越大",
          .says = "The larger softmax's value, the likelier it is the true class.",
          .predicted = Verdict::confirmed,
          .because = "Cross-entropy rewards it; but the order alone: networks are surer than they are right (Guo et al., 2017).",
          .rule = {.statistic = "share of right answers on the half with larger greatest probabilities − on the other half",
                   .side = Side::above,
                   .must_train = MustTrain::each},
          .beyond = "Images unlike those it was trained on, to which a network may give a large probability as well.",
          .measure = [](Lab& lab) {
            const std::vector<Where> places =
                crossed({{"steps", lab.steps(net_of("ReLU", 1).steps)}, {"images", {"100", "1500"}}, {"hidden layers", {"1", "5"}}});
            const Evidence both = lab.each(places, "measured", {"difference", "loss"}, [](const Where& where, std::uint64_t seed) {
              DeepNet net = net_of("ReLU", layers_at(where));
              net.steps = std::stoi(level(where, "steps"));
              return surer_half(net, std::stoi(level(where, "images")), seed);
            });
            Evidence evidence;
            for (std::size_t i = 0; i < places.size(); ++i) {
              const Arm net{"ReLU", both[2 * i + 1].values, one_pixel_line(DigitsPart::held_out)};
              evidence.push_back({places[i], both[2 * i].values, {net}, both[2 * i].commits});
            }
            return evidence;
          }};
}

Claim uncentred_outputs_one_direction() {
  return {.id = "claim-uncentred-outputs-one-direction",
          .sources = {{2, 196}},
          .quote = "函数输出不是以 0 为中心的，梯度可能就会向特定方向移动",
          .says = "Where outputs are not centred on 0, the gradient may move in a certain direction.",
          .predicted = Verdict::confirmed,
          .because = "On one image dL/dw = (dL/dz) y, of the sign of dL/dz in every weight if no y is below 0 (LeCun et al., 1998).",
          .rule = {.statistic = "share of a unit's weights whose gradient has the sign of most, with f − with f moved down to "
                                "a mean of 0",
                   .side = Side::above},
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"f", kUncentred}, {"hidden layers", {"1", "5"}}, {"images", {"1", "64", "1500"}}}),
                            [](const Where& where, std::uint64_t seed) {
                              const Digits digits = read_digits();
                              const auto agreement = [&](const DeepNet& shape) {
                                Sequential net = untrained(shape, seed);
                                return sign_agreement(net, digits, std::stoi(level(where, "images")));
                              };
                              const std::string& f = level(where, "f");
                              return agreement(net_of(f, layers_at(where))) - agreement(moved_down(f, layers_at(where)));
                            });
          }};
}

Claim zero_centred_outputs() {
  return {.id = "claim-zero-centred-outputs",
          .sources = {{2, 196}, {2, 233}},
          .quote = "从而降低权重更新的效率",
          .says = "Outputs that are not centred on 0, such as sigmoid's and ReLU's, make the updates of weights less efficient.",
          .predicted = Verdict::confirmed,
          .because =
              "Weights that have to rise and fall together go in zigzags; the common mean of the inputs makes one direction "
              "of the loss much steeper than the others (LeCun et al., 1998).",
          .rule = {.statistic = "training loss after some steps of plain SGD with f − with f moved down to a mean of 0, each at "
                                "its best rate",
                   .unit = "nats",
                   .side = Side::above,
                   .must_train = MustTrain::one},
          .beyond = "Optimizers that rescale each gradient, and networks with norms, which centre by themselves.",
          .measure = [](Lab& lab) {
            Evidence evidence;
            for (const Where& where : crossed({{"steps", lab.steps(kSgdSteps)}, {"f", kUncentred}, {"hidden layers", {"1", "3", "5"}}})) {
              const std::string& f = level(where, "f");
              evidence.push_back(after_sgd(lab, where, net_of(f, layers_at(where)), moved_down(f, layers_at(where))));
            }
            return evidence;
          }};
}

}  // namespace

std::vector<Claim> activation_training_claims() {
  return {relu_converges_fast(), leaky_relu_nearly_linear(), elu_nearer_the_natural_gradient(), elu_learns_faster(),
          elu_varies_less(),     swish_bounds_regularise(),  larger_softmax_is_likelier(),      uncentred_outputs_one_direction(),
          zero_centred_outputs()};
}

}  // namespace gradus::examples
