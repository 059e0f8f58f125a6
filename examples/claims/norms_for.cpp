#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/norm_reasons_measures.h"
#include "examples/shared/data/digits.h"

namespace gradus::examples {
namespace {

// --- covariate shift --------------------------------------------------------------------------------------------------

// A net at the rate that serves it best.
Arm at_best_rate(Lab& lab, const std::string& name, const Where& net) {
  const NormedNet shape{.norm = level(net, "norm"), .layers = std::stoi(level(net, "layers")), .shifts = std::stod(level(net, "shifts"))};
  const auto loss = [&](const Where& where, std::uint64_t seed) {
    return training_loss(shape, {std::stod(level(where, "rate")), std::stoi(level(where, "steps"))}, seed);
  };
  const Rate rate = lab.best_rate(net, {0.001, 0.003, 0.01, 0.03, 0.1, 0.3}, loss);
  Where at_rate = net;
  at_rate.emplace_back("rate", fmt::format("{}", rate.value));
  const Condition found = lab.each({at_rate}, loss)[0];
  return {name, found.values, one_pixel_line(DigitsPart::train), rate, found.commits};
}

Evidence shifts_behind_norms(Lab& lab) {
  Evidence evidence;
  for (const Where& where : crossed({{"steps", lab.steps(lab.full() ? 200 : 100)},
                                     {"norm", {"batch", "layer"}},
                                     {"layers", {"6", "10"}},
                                     {"shifts", {"0.1", "0.5"}}})) {
    const auto arm = [&](const char* name, const std::string& norm, const std::string& shifts) {
      const Where net{{"steps", level(where, "steps")}, {"norm", norm}, {"layers", level(where, "layers")}, {"shifts", shifts}};
      return at_best_rate(lab, name, net);
    };
    const std::string& norm = level(where, "norm");
    Condition condition{where, {}, {arm("shifted", norm, level(where, "shifts")), arm("normed", norm, "0"), arm("without", "none", "0")}};
    for (std::size_t i = 0; i < condition.arms[0].losses.size(); ++i) {
      const auto loss = [&](std::size_t which) { return condition.arms[which].losses[i]; };
      condition.values.push_back(loss(0) - (loss(1) + loss(2)) / 2);
    }
    for (const Arm& one : condition.arms) condition.commits.insert(one.commits.begin(), one.commits.end());
    evidence.push_back(std::move(condition));
  }
  return evidence;
}

// --- transfer ---------------------------------------------------------------------------------------------------------

Evidence transferred(Lab& lab) {
  const std::vector<std::string> texts{"letters exchanged", "read backwards"}, norms{"layer", "layer-nobias", "rms"};
  Evidence evidence;
  for (const std::string& steps : lab.steps(lab.model().schedule.total)) {
    const std::vector<Where> places = crossed({{"steps", {steps}}, {"norm", norms}});
    const Evidence all = lab.each(places, "then", texts, [&](const Where& where, std::uint64_t seed) {
      TrainOptions options = of_steps(lab.model_with("norm", level(where, "norm")), std::stoll(steps));
      options.seed = seed;
      return losses_after_transfer(options, lab.corpus(options.model.context));
    });
    const auto arm = [&](std::size_t norm, std::size_t text) {
      const Condition& found = all[norm * texts.size() + text];
      return Arm{norms[norm], found.values, lab.pairs(lab.model()), {}, found.commits};
    };
    for (std::size_t text = 0; text < texts.size(); ++text) {
      const auto where = [&](const char* with) { return Where{{"steps", steps}, {"with", with}, {"then", texts[text]}}; };
      evidence.push_back(compared(where("β"), arm(0, text), arm(1, text)));
      evidence.push_back(compared(where("centring"), arm(1, text), arm(2, text)));
    }
  }
  return evidence;
}

double nearer_to_one_with_norm(const Where& where, std::uint64_t seed) {
  Recurrence recurrence{.weights = std::stod(level(where, "weights")), .inputs = std::stod(level(where, "inputs"))};
  const double without = log_gradient_of_a_step(recurrence, seed);
  recurrence.normed = true;
  return std::abs(log_gradient_of_a_step(recurrence, seed)) - std::abs(without);
}

}  // namespace

std::vector<Claim> norm_reason_claims() {
  return {
      {.id = "claim-covariate-shift-is-why-norms-help",
       .sources = {{4, 29}, {4, 26}},
       .quote = "每一层的输入分布会因前层参数更新而不断变化（即“内部协变量偏移”），导致训练困难",
       .says = "What goes into a layer shifts as the layers below it learn, which makes training hard; a norm helps because "
               "it stops that.",
       .predicted = Verdict::refuted,
       .because = "Santurkar et al. (2018): batch norm with shifts put behind it on purpose trains as well as without them.",
       .rule = {.statistic = "training loss with a norm and shifts behind it − half way between that with the norm and that "
                             "without one",
                .unit = "nats",
                .side = Side::above,
                .must_train = MustTrain::each},
       .beyond = "What the norm does instead. Santurkar et al. say that the loss becomes smoother; here the start is too "
                 "small for the depth, and a norm repairs that.",
       .measure = shifts_behind_norms},

      {.id = "claim-gain-and-shift-can-undo-the-norm",
       .sources = {{4, 110}, {0, 46}, {4, 62}},
       .quote = "$\\gamma$ 和 $\\beta$ 允许模型“还原”部分原始分布，避免过度归一化导致的信息丢失",
       .says = "With γ and β the model can undo the norm.",
       .predicted = Verdict::depends,
       .because = "γ = √(σ² + ε) and β = μ undo it where μ and σ belong to a column, as in batch norm (Ioffe and Szegedy, "
                  "2015). Layer norm's belong to a row, and no number of a column brings them back.",
       .rule = {.statistic = "distance of the rows from what the best γ and β make of the normed ones, relative to the rows",
                .side = Side::below,
                .bound = 0.01,
                .sample = "draws"},
       .beyond = "Whether a model wants it undone: its trained γ and β would tell.",
       .measure =
           [](Lab& lab) {
             return lab.each(
                 crossed({{"norm", {"layer", "rms", "batch, in training", "batch, in use"}}, {"rows", {"of one size", "of many"}}}),
                 not_undone);
           }},

      {.id = "claim-norms-take-much-of-a-step",
       .sources = {{1, 10}},
       .quote = "并且在模型训练中，Normalization非常耗时，所以越简单越好",
       .says = "Norms take much of the time of training: more than a tenth.",
       .predicted = Verdict::depends,
       .because = "A kernel passes twice over rows of n numbers, beside products of n² numbers a row; op by op it is a dozen "
                  "passes. Ivanov et al. (2021) saw norms take a quarter of BERT's time on a GPU, op by op, with 0.2 % of the "
                  "arithmetic.",
       .rule = {.statistic = "time of all norms / time of a training step, forward and backward, one thread",
                .side = Side::above,
                .bound = 0.1,
                .sample = "repetitions"},
       .beyond = "GPUs, whose products are faster against their memory: there the share is larger.",
       .measure =
           [](Lab& lab) {
             return lab.in_turn(crossed({{"computed", {"kernels", "op by op"}}, {"norm", {"layer", "rms"}}, {"width", {"64", "256"}}}),
                                share_of_norms);
           },
       .timed = true},

      {.id = "claim-batch-norm-and-texts-of-unequal-length",
       .sources = {{2, 21}},
       .quote = "NLP每句话的输入长度不一致,因此bn不太好用",
       .says = "Batch norm does not suit texts of unequal length. Taken to mean: what it makes of a sentence changes with the "
               "lengths of the others.",
       .predicted = Verdict::depends,
       .because = "In training rows of padding enter its statistics, and without them longer texts still weigh more; in use "
                  "the statistics are constants (Shen et al., 2020, on batch norm's statistics of texts).",
       .rule = {.statistic = "relative change of a sentence's rows when the others become longer",
                .side = Side::above,
                .bound = 0.01,
                .sample = "draws"},
       .beyond = "Whether a model reads worse for it: two models of texts of unequal length, trained to the end, would tell.",
       .measure =
           [](Lab& lab) {
             return lab.each(crossed({{"rows more", {"padding", "words"}}, {"longer", {"2", "4"}}, {"mode", {"training", "use"}}}),
                             moved_by_length);
           }},

      {.id = "claim-centring-stores-a-prior",
       .sources = {{2, 122}},
       .quote = "储存到的是关于预训练任务的一种先验分布信息，而把这种先验分布信息直接储存在模型中，反而可能会导致模型的迁移能力下降",
       .says = "Centring is like a bias: it stores a prior of the text that a model was trained on, and so the model transfers "
               "worse to another.",
       .predicted = Verdict::undecided,
       .because = "The note calls it a guess. Centring has no number that could store anything; β has. T5 (Raffel et al., 2020) "
                  "leaves out both, and does not say what for.",
       .rule = {.statistic = "loss after transfer with it − loss without it",
                .unit = "nats",
                .side = Side::above,
                .bound = 0.02,
                .must_train = MustTrain::each},
       .beyond = "Models that were trained long enough to have a prior worth the name, and several real tasks to transfer to: "
                 "T5's own, with and without centring and β, would decide.",
       .measure = transferred},

      {.id = "claim-weaknesses-of-layer-and-group-norm",
       .sources = {{4, 74}, {4, 76}},
       .quote = "对特征维度分布敏感",
       .says = "Layer norm is sensitive to how the features are distributed, and group norm depends on groups that are chosen "
               "by hand. Taken to mean: one outlier takes more than half of the other features.",
       .predicted = Verdict::depends,
       .because = "An outlier of k deviations makes σ² of n numbers 1 + k²/n, so the others shrink by √(1 + k²/n); in g groups "
                  "only those of its own, by √(1 + g k²/n).",
       .rule =
           {.statistic = "relative change of a row's other numbers by one outlier", .side = Side::above, .bound = 0.5, .sample = "draws"},
       .beyond = "How large outliers become: Dettmers et al. (2022) find single features of large models some twenty times "
                 "as large as the others.",
       .measure =
           [](Lab& lab) {
             return lab.each(crossed({{"groups", {"1", "4", "16"}}, {"width", {"64", "1024"}}, {"outlier", {"4", "20", "80"}}}),
                             moved_by_outlier);
           }},

      {.id = "claim-layer-norm-in-recurrent-nets",
       .sources = {{4, 91}, {4, 102}, {4, 85}, {4, 26}},
       .quote = "有助于缓解梯度消失/爆炸",
       .says = "Layer norm keeps the gradient of a recurrent network from vanishing and from exploding.",
       .predicted = Verdict::depends,
       .because = "The norm takes out the size of the weights (Ba, Kiros and Hinton, 2016), so large ones do no harm. It makes "
                  "up for small ones only if the inputs are small too: inputs of deviation 1 keep σ at 1 or more.",
       .rule = {.statistic = "|ln of the gradient's factor a step| with layer norm − without", .side = Side::below},
       .beyond = "Gates, which carry the gradient past the norm; and what training makes of the weights.",
       .measure =
           [](Lab& lab) {
             return lab.each(crossed({{"weights", {"0.5", "1", "2", "4"}}, {"inputs", {"0.1", "1"}}}), nearer_to_one_with_norm);
           }},
  };
}

}  // namespace gradus::examples
