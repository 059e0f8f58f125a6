// The pictures of an ablation's page. At most four variants and the baseline stand in one line plot; more make more of them.
#pragma once

#include "examples/ablate/table.h"
#include "examples/shared/report/report.h"

namespace gradus::examples {

// The training loss against the share of the run; means over the seeds, those that diverged left out.
void show_curves(Report& report, const ResultTable& table);
// The loss on windows of T, 2T and 4T bytes, T being what each was trained on.
void show_lengths(Report& report, const ResultTable& table);
// ‖dL/dθ‖ of each block, before the first step and after the last.
void show_gradients(Report& report, const ResultTable& table);

}  // namespace gradus::examples
