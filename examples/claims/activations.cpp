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

int number(const Where& where, const std::string& factor) { return std::stoi(level(where, factor)); }

Claim sigmoid_saturates() {
  return {.id = "claim-sigmoid-saturates",
          .sources = {{2, 194}, {2, 213}},
          .quote = "输入较大或较小时候梯度接近于0，容易导致梯度消失",
          .says = "Where its input is large or small, sigmoid's gradient is nearly 0, so that gradients easily vanish.",
          .predicted = Verdict::confirmed,
          .because = "σ'(x) is below e^−|x| and nowhere above ¼, so L layers leave about 4^−L (Glorot and Bengio, 2010).",
          .rule = {.statistic = "norm of the gradient below sigmoid layers / above", .side = Side::below, .bound = 0.05},
          .beyond = "What training makes of it: see tanh-beats-sigmoid.",
          .measure = [](Lab& lab) {
            return lab.each({{{"layers", "1"}, {"inputs", "from 5 to 10, either sign"}},
                             {{"layers", "5"}, {"inputs", "as they come"}},
                             {{"layers", "20"}, {"inputs", "as they come"}}},
                            [](const Where& where, std::uint64_t seed) {
                              const int layers = number(where, "layers");
                              return layers == 1 ? gradient_left_far_out(act::sigmoid, seed)
                                                 : surviving(act::sigmoid, 1, layers, seed).back();
                            });
          }};
}

Claim tanh_beats_sigmoid() {
  return {.id = "claim-tanh-beats-sigmoid",
          .sources = {{2, 209}},
          .quote = "在实际应用中，tanh会比sigmoid更好一些",
          .says = "tanh is centred on 0, so in practice it is better than sigmoid.",
          .predicted = Verdict::confirmed,
          .because = "LeCun et al. (1998) and Glorot and Bengio (2010) saw it, the more clearly the deeper the network.",
          .rule = {.statistic = "held-out loss with tanh − with sigmoid, each at its best learning rate",
                   .unit = "nats",
                   .must_train = MustTrain::each},
          .beyond = "Why: for tanh's steeper slope, 1 in place of ¼, or for its centre; zero-centred-outputs tells the two apart.",
          .measure = [](Lab& lab) {
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
          }};
}

Claim relu_units_die() {
  return {.id = "claim-relu-units-die",
          .sources = {{2, 235}, {3, 65}},
          .quote = "Dead ReLU 问题",
          .says = "ReLU units die in training: they answer no input any more.",
          .predicted = Verdict::depends,
          .because =
              "A step that goes too far leaves a unit below 0 on all inputs (Maas et al., 2013): how far is a matter of "
              "the rate, how many are at risk one of the depth (Lu et al., 2020).",
          .rule = {.statistic = "share of ReLU units that no image wakes, after training − before", .side = Side::above, .bound = 0.01},
          .beyond = "Whether a large model has dead units: one would count them over its own text.",
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"hidden layers", {"1", "5"}}, {"rate", {"0.01", "0.1", "0.3"}}}),
                            [](const Where& where, std::uint64_t seed) {
                              const int layers = number(where, "hidden layers");
                              const double rate = std::stod(level(where, "rate"));
                              return share_that_died({act::relu, init_gain("relu"), layers, rate}, seed);
                            });
          }};
}

Claim leaky_revives() {
  return {.id = "claim-leaky-revives",
          .sources = {{2, 249}},
          .quote = "解决了ReLU输入值为负时神经元出现的死亡的问题",
          .says = "Leaky ReLU solves the problem of dead units.",
          .predicted = Verdict::depends,
          .because =
              "Below 0 a gradient comes back (Maas et al., 2013), but a hundredth of it: how soon a unit wakes is a "
              "matter of steps, and of whether the optimizer rescales small gradients.",
          .rule = {.statistic = "share of dead units that learn, or wake, with leaky ReLU (α = 0.01) − with ReLU",
                   .side = Side::above,
                   .bound = 0.5},
          .measure = [](Lab& lab) {
            return lab.each(
                crossed({{"counted if they", {"get a gradient", "wake"}}, {"optimizer", {"momentum", "adam"}}, {"steps", {"200", "2000"}}}),
                [](const Where& where, std::uint64_t seed) {
                  const auto share = [&](const Activation& f) {
                    const Revived r = revived({f, level(where, "optimizer"), number(where, "steps")}, seed);
                    return level(where, "counted if they") == "wake" ? r.wakes : r.gets_gradient;
                  };
                  return share(act::leaky_relu()) - share(act::relu);
                });
          }};
}

Claim elu_mean_nearer_zero() {
  return {.id = "claim-elu-mean-nearer-zero",
          .sources = {{2, 271}},
          .quote = "ELU试图将激活函数的输出均值接近于零",
          .says = "ELU's outputs have a mean nearer to 0 than ReLU's.",
          .predicted = Verdict::confirmed,
          .because = "On normal inputs ReLU's mean is 1/√(2π) = 0.40, ELU's 0.16 (Clevert et al., 2016).",
          .rule = {.statistic = "distance of a hidden unit's mean from 0, with ELU − with ReLU"},
          .beyond = "Whether that is why ELU learns faster: see elu-nearer-the-natural-gradient.",
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"inputs", {"digits", "digits, centred"}},
                                     {"hidden layers", {"1", "5"}},
                                     {"when", {"at the start", "after training"}}}),
                            [](const Where& where, std::uint64_t seed) {
                              const Digits digits = level(where, "inputs") == "digits" ? read_digits() : centred(read_digits());
                              const bool started = level(where, "when") == "at the start";
                              const auto distance = [&](const Activation& f) {
                                const DeepNet shape{f, init_gain("relu"), number(where, "hidden layers")};
                                Sequential net = started ? untrained(shape, seed) : trained(shape, digits, seed);
                                return distance_of_means_from_zero(net, digits);
                              };
                              return distance(act::elu()) - distance(act::relu);
                            });
          }};
}

Claim exp_costs() {
  return {.id = "claim-exp-costs",
          .sources = {{2, 198}, {2, 215}, {2, 277}},
          .quote = "执行指数运算，计算机运行得较慢，比较消耗计算资源",
          .says = "Functions with an exponential run slowly and cost much.",
          .predicted = Verdict::depends,
          .because =
              "An exponential is some ten operations for each number, the linear maps around it 2d for each: it shows in "
              "the function alone, not in the layer.",
          .rule = {.statistic = "time / time with leaky ReLU, which needs no exponential",
                   .side = Side::above,
                   .bound = 1.1,
                   .sample = "repetitions"},
          .beyond = "Other machines: those without vector instructions for it pay more.",
          .measure =
              [](Lab& lab) {
                return lab.in_turn(crossed({{"function", {"sigmoid", "tanh", "elu"}}, {"timed", {"alone", "in a layer"}}}),
                                   [](const Where& where, std::uint64_t) {
                                     const std::string& name = level(where, "function");
                                     const Activation f = name == "sigmoid" ? act::sigmoid : name == "tanh" ? act::tanh : act::elu();
                                     return time_over_leaky_relu(f, level(where, "timed") == "alone");
                                   });
              },
          .timed = true};
}

Claim stable_softmax() {
  return {.id = "claim-stable-softmax",
          .sources = {{0, 230}, {0, 228}},
          .quote = "减去常数不改变最终的概率分布结果",
          .says = "To subtract the greatest score changes no probability, and prevents overflow and NaN.",
          .predicted = Verdict::confirmed,
          .because = "The factor e^−c cancels, and every exponent is at most 0.",
          .rule = {.statistic = "greatest error of softmax(x + c) as a probability, in roundings of the dtype",
                   .side = Side::below,
                   .bound = 8,
                   .sample = "draws"},
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"dtype", {"f16", "f32", "f64"}}, {"c", {"100", "1000"}}}),
                            [](const Where& where, std::uint64_t seed) {
                              const std::string& name = level(where, "dtype");
                              const DType dtype = name == "f16" ? DType::f16 : name == "f32" ? DType::f32 : DType::f64;
                              return softmax_error(act::softmax, dtype, number(where, "c"), seed);
                            });
          }};
}

}  // namespace

std::vector<Claim> activation_claims() {
  return {sigmoid_saturates(),    tanh_beats_sigmoid(), relu_units_die(), leaky_revives(),
          elu_mean_nearer_zero(), exp_costs(),          stable_softmax()};
}

}  // namespace gradus::examples
