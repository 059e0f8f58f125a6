#include <cmath>

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
    options.schedule.total = whole_at(where, "steps");
    options.schedule.warmup = options.schedule.total / 10;
    const Corpus& corpus = lab.corpus(options.model.context);
    const std::vector<double> without = logit_sizes(options, corpus);
    options.z_loss = number_at(where, "coefficient");
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
      const auto saved = [&](const Where&, int64_t layers) { return 1 - tied.of(ids, layers) / untied.of(ids, layers); };
      evidence = joined(evidence, tabulated({where}, lab.full() ? all : few, saved));
    }
  }
  return evidence;
}

Evidence tied_against_untied(Lab& lab) {
  const TrainOptions tied = lab.model();
  TrainOptions untied = tied;
  untied.model.tie_weights = false;
  const TrainOptions as_many = with_parameters(untied, parameters_of(tied));
  return lab.differences({{{{"the untied model", "of the same width"}}, tied, untied, "tied", "untied"},
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
  return lab.differences(contests);
}

}  // namespace

Experiments model_experiments() {
  return {
      {"claim-z-loss-bounds-logits", sizes_with_z_loss},

      {"claim-tying-saves-parameters", share_saved_by_tying},

      {"claim-tying-improves", tied_against_untied},

      {"claim-aspect-ratio-100-to-156", usual_shape_against_others},

      {"claim-cosine-beats-constant",
       [](Lab& lab) {
         TrainOptions cosine = lab.model(), constant = cosine;
         constant.schedule_name = "warmup";  // which then stays
         return lab.differences({{{}, cosine, constant, "cosine", "constant"}});
       }},

      {"claim-decoupled-decay-is-not-l2", each({{"optimizer", {"sgd", "adam"}}, {"noise", {"0.1", "1", "10"}}},
                                               [](const Where& where, std::uint64_t seed) {
                                                 return std::abs(decay_apart(level(where, "optimizer"), number_at(where, "noise"), seed));
                                               })},

      {"claim-dropout-unneeded-on-one-pass",
       [](Lab& lab) {
         TrainOptions without = lab.model(), dropped = without;
         dropped.model.dropout = 0.1;
         return lab.differences({{{}, without, dropped, "without", "dropout"}});
       }},
  };
}

}  // namespace gradus::examples
