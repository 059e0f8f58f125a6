// What the notes claim of activations.
#include <fmt/format.h>

#include "examples/support/claims/activation_measures.h"
#include "examples/support/claims/claims.h"
#include "examples/support/claims/unit_measures.h"
#include "examples/support/study/deep_gradient.h"
#include "nn/activation/activation_table.h"
#include "nn/init.h"

namespace gradus::examples {
namespace {

using namespace nn;

Claim sigmoid_saturates() {
  return {
      .id = "claim-sigmoid-saturates",
      .sources = {{2, 194}, {2, 213}},
      .quote = "输入较大或较小时候梯度接近于0，容易导致梯度消失",
      .says = "Where its input is large or small, sigmoid's gradient is nearly 0, so that gradients easily vanish.",
      .predicted = Verdict::confirmed,
      .because =
          "σ'(x) = σ(1 − σ) is below e^−|x| and nowhere above ¼, so L layers leave about 4^−L (Glorot and Bengio, "
          "2010).",
      .rule = {.statistic = "norm of the gradient below sigmoid layers / norm above",
               .side = Side::below,
               .bound = 0.05},
      .beyond = "What training makes of it: see tanh-beats-sigmoid.",
      .measure = [](Lab& lab) {
        return lab.each({{{"layers", "1"}, {"inputs", "from 5 to 10, either sign"}},
                         {{"layers", "5"}, {"inputs", "as they come"}},
                         {{"layers", "20"}, {"inputs", "as they come"}}},
                        [](const Where& where, std::uint64_t seed) {
                          const int layers = std::stoi(level(where, "layers"));
                          return layers == 1 ? gradient_left_far_out(act::sigmoid, seed)
                                             : surviving(act::sigmoid, 1, layers, seed).back();
                        });
      }};
}

Claim tanh_beats_sigmoid() {
  return {
      .id = "claim-tanh-beats-sigmoid",
      .sources = {{2, 209}},
      .quote = "tanh是“零为中心”的。因此在实际应用中，tanh会比sigmoid更好一些",
      .says = "tanh is centred on 0, so in practice it is better than sigmoid.",
      .predicted = Verdict::confirmed,
      .because = "LeCun et al. (1998) and Glorot and Bengio (2010) saw it, the more clearly the deeper the network.",
      .rule = {.statistic = "held-out loss with tanh − with sigmoid, each at its best learning rate", .unit = "nats"},
      .beyond = "Why: tanh's steeper slope, 1 in place of ¼, and its centre are not told apart.",
      .measure = [](Lab& lab) {
        const auto transformer = [&](const char* activation) {
          TrainOptions options = lab.model_with("feed_forward", "relu");
          options.model.activation = activation;
          return options;
        };
        Evidence evidence = digit_losses(lab, act::tanh, act::sigmoid, {1, 5});
        const Where where{{"network", "Transformer"}};
        evidence.push_back(lab.differences({{where, transformer("tanh"), transformer("sigmoid")}})[0]);
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
              "A step that goes too far leaves a unit below 0 on all inputs (Maas et al., 2013); how far it goes is "
              "the rate's, "
              "and how many are at risk the depth's (Lu et al., 2020).",
          .rule = {.statistic = "share of ReLU units that no image wakes, after training − before",
                   .side = Side::above,
                   .bound = 0.01},
          .beyond = "Whether a large model has dead units: one would count them over its own text.",
          .measure = [](Lab& lab) {
            std::vector<Where> places;
            for (const char* layers : {"1", "5"}) {
              for (const char* rate : {"0.01", "0.1", "0.3"})
                places.push_back({{"hidden layers", layers}, {"rate", rate}});
            }
            return lab.each(places, [](const Where& where, std::uint64_t seed) {
              const int layers = std::stoi(level(where, "hidden layers"));
              return share_that_died({act::relu, init_gain("relu"), layers, std::stod(level(where, "rate"))}, seed);
            });
          }};
}

Claim leaky_revives() {
  return {.id = "claim-leaky-revives",
          .sources = {{2, 249}},
          .quote = "解决了ReLU输入值为负时神经元出现的死亡的问题",
          .says = "Leaky ReLU solves the problem of dead units: they come back.",
          .predicted = Verdict::depends,
          .because =
              "Below 0 a gradient comes back (Maas et al., 2013), but a hundredth of it: how soon a unit wakes is a "
              "matter of "
              "steps, and of whether the optimizer rescales small gradients.",
          .rule = {.statistic = "share of dead units that wake in training, with leaky ReLU (α = 0.01) − with ReLU",
                   .side = Side::above,
                   .bound = 0.5},
          .measure = [](Lab& lab) {
            std::vector<Where> places;
            for (const char* optimizer : {"momentum", "adam"}) {
              for (const char* steps : {"200", "2000"})
                places.push_back({{"optimizer", optimizer}, {"steps", steps}});
            }
            return lab.each(places, [](const Where& where, std::uint64_t seed) {
              const auto revived = [&](const Activation& f) {
                return share_revived({f, level(where, "optimizer"), std::stoi(level(where, "steps"))}, seed);
              };
              return revived(act::leaky_relu()) - revived(act::relu);
            });
          }};
}

Claim elu_mean_nearer_zero() {
  return {.id = "claim-elu-mean-nearer-zero",
          .sources = {{2, 271}},
          .quote = "ELU试图将激活函数的输出均值接近于零",
          .says = "ELU's outputs have a mean nearer to 0 than ReLU's.",
          .predicted = Verdict::confirmed,
          .because = "Of normal inputs ReLU's mean is 1/√(2π) = 0.40, ELU's 0.16 (Clevert et al., 2016).",
          .rule = {.statistic = "distance of a hidden unit's mean from 0, with ELU − with ReLU"},
          .beyond = "Whether that is why ELU learns faster, as the note goes on to say.",
          .measure = [](Lab& lab) {
            std::vector<Where> places;
            for (const char* layers : {"1", "5"}) {
              for (const char* when : {"at the start", "after training"})
                places.push_back({{"hidden layers", layers}, {"when", when}});
            }
            return lab.each(places, [](const Where& where, std::uint64_t seed) {
              const Digits digits = read_digits();
              const auto distance = [&](const Activation& f) {
                const DeepNet shape{f, init_gain("relu"), std::stoi(level(where, "hidden layers"))};
                Sequential net =
                    level(where, "when") == "at the start" ? untrained(shape, seed) : trained(shape, digits, seed);
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
              "An exponential is some ten operations for each number; the linear maps around it are 2d for each: it "
              "shows in the "
              "function alone, not in the layer.",
          .rule = {.statistic = "time / time with ReLU", .side = Side::above, .bound = 1.1, .sample = "repetitions"},
          .beyond = "Other machines: those without vector instructions for it pay more.",
          .measure =
              [](Lab& lab) {
                std::vector<Where> places;
                for (const char* f : {"sigmoid", "tanh", "elu"}) {
                  for (const char* where : {"alone", "in a layer"})
                    places.push_back({{"function", f}, {"timed", where}});
                }
                return lab.in_turn(places, [](const Where& where, std::uint64_t) {
                  const std::string& name = level(where, "function");
                  const Activation f = name == "sigmoid" ? act::sigmoid : name == "tanh" ? act::tanh : act::elu();
                  return time_over_relu(f, level(where, "timed") == "alone");
                });
              },
          .timed = true};
}

Claim stable_softmax() {
  return {.id = "claim-stable-softmax",
          .sources = {{0, 228}, {0, 230}},
          .quote = "减去常数不改变最终的概率分布结果",
          .says = "To subtract the greatest score changes no probability, and prevents overflow and NaN.",
          .predicted = Verdict::confirmed,
          .because = "The factor e^−c cancels, and every exponent is at most 0.",
          .rule = {.statistic = "greatest error of softmax(x + c) as a probability, in roundings of the dtype",
                   .side = Side::below,
                   .bound = 8,
                   .sample = "draws"},
          .measure = [](Lab& lab) {
            std::vector<Where> places;
            for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
              for (const char* c : {"100", "1000"}) places.push_back({{"dtype", fmt::format("{}", dtype)}, {"c", c}});
            }
            return lab.each(places, [](const Where& where, std::uint64_t seed) {
              const std::string& dtype = level(where, "dtype");
              return softmax_error([](const Tensor& x) { return softmax(x); },
                                   dtype == "f16"   ? DType::f16
                                   : dtype == "f32" ? DType::f32
                                                    : DType::f64,
                                   std::stod(level(where, "c")), seed);
            });
          }};
}

}  // namespace

std::vector<Claim> activation_claims() {
  return {sigmoid_saturates(),    tanh_beats_sigmoid(), relu_units_die(), leaky_revives(),
          elu_mean_nearer_zero(), exp_costs(),          stable_softmax()};
}

}  // namespace gradus::examples
