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
  const NormedNet shape{.norm = level(net, "norm"), .layers = whole_at(net, "layers"), .shifts = number_at(net, "shifts")};
  const auto loss = [&](const Where& where, std::uint64_t seed) {
    return training_loss(shape, {number_at(where, "rate"), whole_at(where, "steps")}, seed);
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
  Recurrence recurrence{.weights = number_at(where, "weights"), .inputs = number_at(where, "inputs")};
  const double without = log_gradient_of_a_step(recurrence, seed);
  recurrence.normed = true;
  return std::abs(log_gradient_of_a_step(recurrence, seed)) - std::abs(without);
}

}  // namespace

Experiments norm_reason_experiments() {
  return {
      {"claim-covariate-shift-is-why-norms-help", shifts_behind_norms},

      {"claim-gain-and-shift-can-undo-the-norm",
       [](Lab& lab) {
         return lab.each(crossed({{"norm", {"layer", "rms", "batch, in training", "batch, in use"}}, {"rows", {"of one size", "of many"}}}),
                         not_undone);
       }},

      {"claim-norms-take-much-of-a-step",
       [](Lab& lab) {
         return lab.in_turn(crossed({{"computed", {"kernels", "op by op"}}, {"norm", {"layer", "rms"}}, {"width", {"64", "256"}}}),
                            share_of_norms);
       }},

      {"claim-batch-norm-and-texts-of-unequal-length",
       [](Lab& lab) {
         return lab.each(crossed({{"rows more", {"padding", "words"}}, {"longer", {"2", "4"}}, {"mode", {"training", "use"}}}),
                         moved_by_length);
       }},

      {"claim-centring-stores-a-prior", transferred},

      {"claim-weaknesses-of-layer-and-group-norm",
       [](Lab& lab) {
         return lab.each(crossed({{"groups", {"1", "4", "16"}}, {"width", {"64", "1024"}}, {"outlier", {"4", "20", "80"}}}),
                         moved_by_outlier);
       }},

      {"claim-layer-norm-in-recurrent-nets",
       [](Lab& lab) {
         return lab.each(crossed({{"weights", {"0.5", "1", "2", "4"}}, {"inputs", {"0.1", "1"}}}), nearer_to_one_with_norm);
       }},
  };
}

}  // namespace gradus::examples
