#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/models_measures.h"
#include "examples/shared/options/shape_guide.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

Evidence sizes_with_z_loss(Lab& lab) {
  const std::vector<Where> places = crossed({{"steps", {"200", "800"}}, {"coefficient", {"0.0001", "0.01"}}});
  return lab.each(places, "size", {"|log Z|", "greatest |logit|"}, [&](const Where& where, std::uint64_t seed) {
    TrainOptions options = lab.model();
    options.seed = seed;
    options.schedule.total = std::stoll(level(where, "steps"));
    options.schedule.warmup = options.schedule.total / 10;
    const Corpus& corpus = lab.corpus(options.model.context);
    const std::vector<double> without = logit_sizes(options, corpus);
    options.z_loss = std::stod(level(where, "coefficient"));
    const std::vector<double> with = logit_sizes(options, corpus);
    return std::vector{with[0] / without[0], with[1] / without[1]};
  });
}

Evidence share_saved_by_tying(Lab& lab) {
  const std::vector<int64_t> few{2, 4, 6, 8, 12}, all{2, 4, 6, 8, 10, 12, 16, 20, 24, 32};
  Evidence evidence;
  for (const int64_t width : {64, 256}) {
    const ParameterCount tied = parameter_count(width, true), untied = parameter_count(width, false);
    for (const int64_t ids : {256, 50257}) {
      const Where where{{"vocabulary", with_commas(ids)}, {"width", std::to_string(width)}};
      const Evidence one = tabulated({where}, lab.full() ? all : few,
                                     [&](const Where&, int64_t layers) { return 1 - tied.of(ids, layers) / untied.of(ids, layers); });
      evidence.push_back(one[0]);
    }
  }
  return evidence;
}

Evidence tied_against_untied(Lab& lab) {
  const TrainOptions tied = lab.model();
  TrainOptions untied = tied;
  untied.model.tie_weights = false;
  const TrainOptions as_many = with_parameters(untied, parameters_of(tied));
  return lab.differences_at(lab.steps(tied.schedule.total),
                            {{{{"the untied model", "of the same width"}}, tied, untied, "tied", "untied"},
                             {{{"the untied model", "of as many parameters"}}, tied, as_many, "tied", "untied"}});
}

// d / L = 104, one block, against deeper models of as many parameters.
Evidence usual_shape_against_others(Lab& lab) {
  const TrainOptions usual = of_shape(lab.model(), 104, 1, 150'000);
  std::vector<Contest> contests;
  for (const auto& [d_model, layers] : {std::pair<int64_t, int64_t>{72, 2}, {48, 4}}) {
    contests.push_back({{{"d/L of the other", fmt::format("{:.0f}", aspect_ratio(d_model, layers))}},
                        usual,
                        of_shape(usual, d_model, layers, parameters_of(usual)),
                        "d/L 104",
                        "the other"});
  }
  return lab.differences_at(lab.steps(usual.schedule.total), contests);
}

}  // namespace

std::vector<Claim> model_claims() {
  return {
      {.id = "claim-z-loss-bounds-logits",
       .sources = {{1, 79}},
       .quote = "z-loss对 logit 的大小进行直接惩罚",
       .says = "z-loss keeps the logits small.",
       .predicted = Verdict::depends,
       .because = "It pulls log Z to 0 at a speed that is its coefficient's (Chowdhery et al., 2022: 10⁻⁴, over 10⁵ steps); "
                  "logits far below the greatest hardly weigh in log Z.",
       .rule = {.statistic = "size with z-loss, relative to that without", .side = Side::below, .bound = 0.5},
       .beyond = "Long runs at large rates, where logits without z-loss drift until the loss diverges.",
       .measure = sizes_with_z_loss},
      {.id = "claim-tying-saves-parameters",
       .sources = {{0, 259}},
       .quote = "可以大幅度减少参数量",
       .says = "Tied weights save a large part of the parameters: more than a tenth.",
       .predicted = Verdict::depends,
       .because = "They save V·d of about 2·V·d + 12·L·d² (Press and Wolf, 2017, had large vocabularies and small models).",
       .rule = {.statistic = "share of the parameters that is saved",
                .side = Side::above,
                .bound = 0.1,
                .sample = "depths",
                .values = Values::listed},
       .measure = share_saved_by_tying},
      {.id = "claim-tying-improves",
       .sources = {{0, 261}},
       .quote = "输出输出权重矩阵一致，可以让输出效果更好",
       .says = "Tied weights make the model better.",
       .predicted = Verdict::confirmed,
       .because = "Press and Wolf (2017), Inan, Khosravi and Socher (2017): lower perplexity of small word models, tied.",
       .rule = {.statistic = "loss with tied weights − loss with a head of its own",
                .unit = "nats",
                .side = Side::below,
                .must_train = MustTrain::each},
       .beyond = "How fast the first steps go is much of what short runs show: see how the difference falls with the steps. "
                 "Longer runs, with words in place of bytes, and models large enough to use two tables would decide.",
       .measure = tied_against_untied},
      {.id = "claim-aspect-ratio-100-to-156",
       .sources = {{1, 60}},
       .quote = "一般这个比值是100~156左右，宽远远大于深度",
       .says = "Models are usually 100 to 156 times as wide as they are deep. Taken to mean: that is best.",
       .predicted = Verdict::undecided,
       .because = "Kaplan et al. (2020): at one size the loss changes by a few percent over a range of 40 in the ratio.",
       .rule = {.statistic = "loss at d/L = 104 − loss of another shape of as many parameters",
                .unit = "nats",
                .side = Side::below,
                .must_train = MustTrain::each},
       .beyond = "In a model as small as this the ratio leaves one block. Models of 10⁷ to 10⁹ parameters, each trained to "
                 "the end at several ratios, would decide.",
       .measure = usual_shape_against_others},
  };
}

}  // namespace gradus::examples
