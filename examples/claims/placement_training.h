// Deep stacks in training, as the claims about placements compare them.
#pragma once

#include "examples/claims/lab.h"

namespace gradus::examples {

inline constexpr double kTriedRates[] = {2.5e-4, 1e-3, 4e-3, 1.6e-2};

enum class Warmup { none, a_tenth, a_quarter, half };  // of the steps
Warmup warmup_at(const Where& where);                  // by its factor warm-up

// The layers of study/deep_stack.h, of width 32: layer norm, ReLU, Xavier normal, an embedding of variance 1. The rate is 0.001.
TrainOptions deep_run(const std::string& placement, int64_t blocks, Warmup warmup, int64_t steps);
int64_t deep_steps(const Lab& lab);  // the usual ones: 300; with --full 1,000, which 12 blocks of post-norm need to get going
TrainOptions deep_run(const Where& where, const std::string& placement);  // by its factors blocks, warm-up and steps

// The mean loss over the tried rates, none counted as more than ln 256, which knowing nothing costs: low for what trains
// well whatever the rate.
Arm arm_over_rates(Lab& lab, const std::string& name, const TrainOptions& run);

}  // namespace gradus::examples
