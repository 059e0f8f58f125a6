#include "core/tensor/random.h"
#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/shared/study/norms_measures.h"
#include "nn/init.h"
#include "nn/model/language_model.h"
#include "nn/norm/layer_norm.h"

namespace gradus::examples {
namespace {

constexpr double kNoticed = 0.02;  // nats: a smaller difference of two losses is none

TrainOptions with_placement(TrainOptions model, const std::string& placement) {
  vary(model, "placement", placement);
  return model;
}

// The differences between two norms, in a model with the norms before its sublayers, and after.
Evidence in_both_placements(Lab& lab, const TrainOptions& base, const std::string& first, const std::string& second) {
  std::vector<Contest> contests;
  for (const char* placement : {"pre", "post"}) {
    const auto model = [&](const std::string& norm) {
      TrainOptions options = base;
      vary(options, "norm", norm);
      return with_placement(options, placement);
    };
    contests.push_back({{{"placement", placement}}, model(first), model(second), first, second});
  }
  return lab.differences_at(lab.steps(base.schedule.total), contests);
}

// Smaller than the Lab's models: two runs of it differ less by chance.
TrainOptions small_trained(const Lab& lab) { return small_model(lab.full() ? 500 : 200); }

Contest without_and_with_biases(Lab& lab) {
  TrainOptions with = lab.model();
  with.model.bias = true;
  return {{{"biases", "of linear maps"}}, lab.model(), with, "without", "with"};
}

double layer_norm_in_train_and_eval(const Where& where, std::uint64_t seed) {
  manual_seed(seed);
  if (level(where, "of") == "a norm") {
    nn::LayerNorm norm({16});
    return train_against_eval(norm, randn({4, 16}));
  }
  nn::LanguageModel model({.vocabulary = 32, .context = 16, .d_model = 32, .layers = 2, .norm = "layer"});
  return train_against_eval(model, randint(0, 32, {4, 16}));
}

double xavier(const Where& where, std::uint64_t seed) {
  const Start start = [](Tensor& weight, Generator& generator) { nn::init_xavier_normal(weight, 1, generator); };
  const Way way = level(where, "of") == "values" ? Way::up : Way::down;
  return factor_off(variance_ratio(start, std::stoll(level(where, "fan in")), std::stoll(level(where, "fan out")), way, seed));
}

}  // namespace

std::vector<Claim> norm_claims() {
  return {
      {.id = "claim-rms-equals-or-beats-layer",
       .sources = {{0, 52}, {1, 10}, {2, 111}},
       .quote = "效果通常与 LayerNorm 相当甚至更好",
       .says = "RMS norm is usually as good as layer norm, or better.",
       .predicted = Verdict::confirmed,
       .because = "Zhang and Sennrich (2019) saw no loss of quality on eight tasks.",
       .rule = {.statistic = "loss with RMS norm − loss with layer norm",
                .unit = "nats",
                .side = Side::below,
                .bound = kNoticed,
                .must_train = MustTrain::each},
       .beyond = "A difference smaller than the bound, and models a thousand times as large.",
       .measure =
           [](Lab& lab) {
             return lab.differences_at(lab.steps(lab.model().schedule.total),
                                       {{{}, lab.model_with("norm", "rms"), lab.model_with("norm", "layer"), "rms", "layer"}});
           }},

      {.id = "claim-rms-faster",
       .sources = {{0, 52}, {1, 10}, {2, 111}},
       .quote = "这使得计算更简单、速度更快",
       .says = "RMS norm takes less time than layer norm.",
       .predicted = Verdict::confirmed,
       .because = "One sum over each row less, forward and backward; Zhang and Sennrich (2019) saw whole models run 7 to "
                  "64 % faster.",
       .rule = {.statistic = "time of RMS norm / time of layer norm, forward and backward, one thread",
                .side = Side::below,
                .bound = 1,
                .sample = "repetitions"},
       .beyond = "Rows beyond the cache, and GPUs, where both norms wait for memory.",
       .measure =
           [](Lab& lab) {
             std::vector<Where> places;
             for (const char* computed : {"kernels", "formula"}) {
               for (const char* width : {"64", "1024"}) places.push_back({{"computed", computed}, {"width", width}});
             }
             return lab.in_turn(places, rms_time_over_layer_time);
           },
       .timed = true},

      {.id = "claim-rescaling-matters-recentring-not",
       .sources = {{2, 113}, {0, 50}},
       .quote = "LN的成功是缩放不变性而不是重新居中",
       .says = "Layer norm works because it scales, not because it centres.",
       .predicted = Verdict::confirmed,
       .because = "Zhang and Sennrich (2019): RMS norm, which does not centre, does as well as layer norm.",
       .rule = {.statistic = "loss of a norm that only centres − loss of one that only scales",
                .unit = "nats",
                .side = Side::above,
                .bound = kNoticed,
                .must_train = MustTrain::each},
       .beyond = "Deep models, in which a stream that nothing scales has time to grow. The ablation of norms, with pre-norm and "
                 "other seeds, compares each half with layer norm itself, and agrees with the place of pre-norm.",
       .measure = [](Lab& lab) { return in_both_placements(lab, small_trained(lab), "center-only", "scale-only"); }},

      {.id = "claim-l2-norm-worse-than-rms",
       .sources = {{2, 126}},
       .quote = "经验证明，欧几里得范数在层归一化中并不奏效",
       .says = "To divide by the Euclidean norm in place of the root mean square does not work. Taken to mean: it works worse. As "
               "said, it is refuted by any model that trains with it: see its losses.",
       .predicted = Verdict::confirmed,
       .because = "Zhang and Sennrich (2019) say so. It is the same family of functions, started √n times smaller, "
                  "and each step on γ does less.",
       .rule = {.statistic = "loss with x/‖x‖·γ − loss with RMS norm",
                .unit = "nats",
                .side = Side::above,
                .bound = kNoticed,
                .must_train = MustTrain::one},
       .beyond = "Wide models, where √n is 64 and not 6; and γ started at √n, which is RMS norm itself.",
       .measure = [](Lab& lab) { return in_both_placements(lab, lab.model(), "rms-l2", "rms"); }},

      {.id = "claim-layer-norm-unstable-below-10-features",
       .sources = {{4, 109}},
       .quote = "若特征维度 $D$ 过小（如小于 10），均值和方差的估计可能不稳定",
       .says = "With fewer than about ten features, layer norm's mean and variance are unstable estimates.",
       .predicted = Verdict::depends,
       .because = "For D normal values the deviation is off by about 1/√(2(D−1)): 0.27 for 8, 0.09 for 64; and the mean by 1/√D, which "
                  "is more. So it falls smoothly, and nothing begins at ten.",
       .rule = {.statistic = "how far a row's deviation usually is from the distribution's, relative to it",
                .side = Side::above,
                .bound = 0.1,
                .sample = "draws"},
       .beyond = "Whether a model suffers from it: only its training shows that.",
       .measure =
           [](Lab& lab) {
             std::vector<Where> places;
             for (const char* features : {"2", "4", "8", "16", "32", "64"}) {
               for (const char* values : {"uniform", "normal", "Laplace"}) {
                 places.push_back({{"features", features}, {"values", values}});
               }
             }
             return lab.each(places, [](const Where& where, std::uint64_t seed) {
               return deviation_error(level(where, "values"), std::stoll(level(where, "features")), seed);
             });
           }},

      {.id = "claim-batch-norm-fails-at-batch-1",
       .sources = {{4, 73}, {2, 43}, {4, 99}},
       .quote = "依赖 batch size，小 batch 效果差",
       .says = "Batch norm depends on the batch's size and does badly with small ones, so most of all with one of one.",
       .predicted = Verdict::depends,
       .because = "One image gives it nothing but itself to average over. With two, Wu and He (2018) lost 10 points of 75: "
                  "not half.",
       .rule = {.statistic = "digits that are right with batch norm / with group norm, trained with so small a batch",
                .side = Side::below,
                .bound = 0.5},
       .beyond = "Networks whose last maps are larger than 2 × 2: one image is then more of a sample.",
       .measure =
           [](Lab& lab) {
             return lab.each({{{"batch", "1"}}, {{"batch", "2"}}}, [&](const Where& where, std::uint64_t seed) {
               return batch_norm_over_group_norm(std::stoll(level(where, "batch")), lab.full() ? 2400 : 1200, seed);
             });
           }},

      {.id = "claim-batch-norm-mixes-sentences",
       .sources = {{2, 23}},
       .quote = "前者归一到同一分布后变无法保留一个句子里的分布信息了",
       .says = "Batch norm mixes sentences: it does not keep what is one sentence's own.",
       .predicted = Verdict::depends,
       .because = "In training its statistics are of all sentences; in use they are constants (Ioffe and Szegedy, 2015).",
       .rule = {.statistic = "change of a sentence when another one is exchanged, relative to its deviation",
                .side = Side::above,
                .bound = 0.01,
                .sample = "draws"},
       .measure =
           [](Lab& lab) {
             std::vector<Where> places;
             for (const char* statistics : {"all tokens", "each position"}) {
               for (const char* mode : {"training", "use"}) places.push_back({{"statistics", statistics}, {"mode", mode}});
             }
             return lab.each(places, mixed_by_batch_norm);
           }},

      {.id = "claim-layer-norm-same-in-train-and-eval",
       .sources = {{4, 89}},
       .quote = "Layer Norm 在训练和推理时计算逻辑完全一致",
       .says = "Layer norm computes the same in training and in use.",
       .predicted = Verdict::confirmed,
       .because = "It keeps no statistics (Ba, Kiros and Hinton, 2016).",
       .rule = {.statistic = "greatest difference between training and use", .side = Side::below, .bound = 1e-12, .sample = "draws"},
       .measure = [](Lab& lab) { return lab.each({{{"of", "a norm"}}, {{"of", "a language model"}}}, layer_norm_in_train_and_eval); }},

      {.id = "claim-bias-free-is-no-worse",
       .sources = {{1, 24}, {0, 54}, {0, 106}, {2, 122}},
       .quote = "去掉bias偏置参数",
       .says = "Biases can be left out, of linear maps and of the norm, at no cost.",
       .predicted = Verdict::confirmed,
       .because = "T5 (Raffel et al., 2020) and PaLM (Chowdhery et al., 2022) have none.",
       .rule = {.statistic = "loss without biases − loss with them",
                .unit = "nats",
                .side = Side::below,
                .bound = kNoticed,
                .must_train = MustTrain::each},
       .beyond = "The stability of large models, which PaLM's authors give as the reason.",
       .measure =
           [](Lab& lab) {
             const Contest of_norm{
                 {{"biases", "of layer norm"}}, lab.model_with("norm", "layer-nobias"), lab.model_with("norm", "layer"), "without", "with"};
             return lab.differences_at(lab.steps(lab.model().schedule.total), {without_and_with_biases(lab), of_norm});
           }},

      {.id = "claim-xavier-keeps-variance",
       .sources = {{2, 136}},
       .quote = "输入输出的方差不变",
       .says = "Xavier's start keeps the variance of what goes through a layer.",
       .predicted = Verdict::depends,
       .because = "The way up multiplies it by 2 in/(in + out), the way down by 2 out/(in + out): both 1 only where in = "
                  "out (Glorot and Bengio, 2010).",
       .rule = {.statistic = "factor by which a linear layer changes the variance, up or down",
                .side = Side::below,
                .bound = 1.1,
                .sample = "draws"},
       .beyond = "The activations between the layers: ReLU halves the mean square.",
       .measure =
           [](Lab& lab) {
             std::vector<Where> places;
             for (const auto& [in, out] : {std::pair{"256", "256"}, {"64", "256"}, {"256", "64"}}) {
               for (const char* of : {"values", "gradients"}) places.push_back({{"fan in", in}, {"fan out", out}, {"of", of}});
             }
             return lab.each(places, xavier);
           }},
  };
}

}  // namespace gradus::examples
