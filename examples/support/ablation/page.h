// The page of an ablation: the sorted table, curves, lengths and gradients by depth, and what was fixed beforehand.
#pragma once

#include <string>
#include <vector>

#include "examples/support/ablation/table.h"

namespace gradus::examples {

// What a page says of its own making.
struct Made {
  std::string command;
  double seconds = 0;
  std::size_t found = 0;  // measurements of before
};

std::string page_of(const Plan& plan, const std::vector<Measured>& all, const ResultTable& table, const Made& made);

}  // namespace gradus::examples
