// Deep stacks in training, as the claims about placements compare them.
#pragma once

#include "examples/support/claims/lab.h"

namespace gradus::examples {

inline constexpr double kTriedRates[] = {1.5e-3, 6e-3, 2.4e-2, 9.6e-2};

enum class Warmup { none, a_tenth };  // of the steps
Warmup warmup_at(const Where& where);   // by its factor warm-up

// The layers of study/deep_stack.h, of width 32: layer norm, ReLU, Xavier normal, an embedding of variance 1.
TrainOptions deep_run(const Lab& lab, const std::string& placement, int64_t blocks, Warmup warmup = Warmup::a_tenth);
TrainOptions at_rate(TrainOptions run, double rate);  // the highest; a tenth of it at the end

// Learning-rate sensitivity (Wortsman et al., 2023): the mean over the tried rates of what the loss lies above the best of
// them, no loss counted as more than ln 256, which knowing nothing costs. One number for each seed: how much it matters to hit
// the right rate.
std::vector<double> rate_sensitivity(Lab& lab, const TrainOptions& run);

// What the first loses by a missed rate, less what the second loses, in nats.
Condition less_sensitive(Lab& lab, const Where& where, const TrainOptions& first, const TrainOptions& second);

std::vector<double> less(std::vector<double> a, const std::vector<double>& b);  // a − b, seed by seed

}  // namespace gradus::examples
