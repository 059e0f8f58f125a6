// Small runs of one change each, with several seeds, and what a claim is worth by them.
#pragma once

#include <string>
#include <vector>

#include "examples/shared/report/verdict.h"
#include "examples/shared/training/loss_curve.h"
#include "examples/shared/training/trainer.h"

namespace gradus::examples {

struct Trial {
  std::vector<double> losses = {};  // on the validation text at the end, one for each seed
  std::vector<double> log_z = {};   // mean |logZ| at the end, one for each seed
  LossCurve drift = {};             // mean logZ against step, of the first seed
  int64_t parameters = 0;
};
Trial run_trial(const TrainOptions& options, const Corpus& corpus, int64_t seeds);

double least(const std::vector<double>& values);
double greatest(const std::vector<double>& values);
std::string span(const std::vector<double>& values, int decimals);  // "2.31 to 2.35"

// Seen here if all of `better` lie below all of `worse`, not seen if all lie above, else undecided.
Verdict apart(const std::vector<double>& better, const std::vector<double>& worse);

}  // namespace gradus::examples
