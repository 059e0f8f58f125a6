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

Evidence shifts_behind_norms(Lab& lab) {
  const Factor steps{"steps", lab.steps(lab.full() ? 200 : 100)}, norms{"norm", {"batch", "layer"}};
  return at_each(crossed({steps, norms, {"layers", {"6", "10"}}, {"shifts", {"0.1", "0.5"}}}), [&](const Where& where) {
    const auto arm = [&](const char* name, const std::string& norm, const std::string& shifts) {
      const NormedNet net{.norm = norm, .layers = whole_at(where, "layers"), .shifts = std::stod(shifts)};
      return lab.at_best_rate(name, one_pixel_line(DigitsPart::train),
                              {{"steps", level(where, "steps")}, {"norm", norm}, {"layers", level(where, "layers")}, {"shifts", shifts}},
                              {0.001, 0.003, 0.01, 0.03, 0.1, 0.3}, [&](const Where& at, std::uint64_t seed) {
                                return training_loss(net, {number_at(at, "rate"), whole_at(at, "steps")}, seed);
                              });
    };
    const std::string& norm = level(where, "norm");
    const Arm shifted = arm("shifted", norm, level(where, "shifts")), normed = arm("normed", norm, "0"),
              without = arm("without", "none", "0");
    Arm half_way = normed;
    for (std::size_t i = 0; i < half_way.losses.size(); ++i) half_way.losses[i] = (normed.losses[i] + without.losses[i]) / 2;
    half_way.commits.insert(without.commits.begin(), without.commits.end());
    Condition place = compared(where, shifted, half_way);
    place.arms = {shifted, normed, without};
    return place;
  });
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
       each({{"norm", {"layer", "rms", "batch, in training", "batch, in use"}}, {"rows", {"of one size", "of many"}}}, not_undone)},

      {"claim-norms-take-much-of-a-step",
       in_turn({{"computed", {"kernels", "op by op"}}, {"norm", {"layer", "rms"}}, {"width", {"64", "256"}}}, share_of_norms)},

      {"claim-batch-norm-and-texts-of-unequal-length",
       each({{"rows more", {"padding", "words"}}, {"longer", {"2", "4"}}, {"mode", {"training", "use"}}}, moved_by_length)},

      {"claim-centring-stores-a-prior", transferred},

      {"claim-weaknesses-of-layer-and-group-norm",
       each({{"groups", {"1", "4", "16"}}, {"width", {"64", "1024"}}, {"outlier", {"4", "20", "80"}}}, moved_by_outlier)},

      {"claim-layer-norm-in-recurrent-nets",
       each({{"weights", {"0.5", "1", "2", "4"}}, {"inputs", {"0.1", "1"}}}, nearer_to_one_with_norm)},
  };
}

}  // namespace gradus::examples
