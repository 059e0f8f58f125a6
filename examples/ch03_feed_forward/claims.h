// What is claimed of feed-forward layers, judged by the measurements.
#pragma once

#include "examples/ch03_feed_forward/ablation.h"

namespace gradus::examples {

void swiglu_beats_others(Chapter& chapter, const std::vector<Contestant>& all);
void multiples_run_faster(Chapter& chapter);

// What others call by the same name, and the exact difference.
void same_name_other_formula(Chapter& chapter);

}  // namespace gradus::examples
