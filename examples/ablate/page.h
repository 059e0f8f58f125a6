// The page of an ablation: the sorted table, curves, lengths and gradients by depth, and what was fixed beforehand.
#pragma once

#include <string>
#include <vector>

#include "examples/ablate/table.h"
#include "examples/shared/experiment/made.h"

namespace gradus::examples {

std::string page_of(const Plan& plan, const std::vector<Measured>& all, const ResultTable& table, const Made& made);

}  // namespace gradus::examples
