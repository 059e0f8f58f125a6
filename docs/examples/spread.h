// What is printed for a line with its band, which figures/kit/spread.mjs reads: of several runs the median, the least and the
// greatest number at each place.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace gradus::docs {

// runs: [seeds][places], an odd number of seeds. The members of a JSON object.
inline std::string spread_of(const std::vector<std::vector<double>>& runs) {
  std::vector<std::string> median, least, greatest;
  for (std::size_t place = 0; place < runs[0].size(); ++place) {
    std::vector<double> here;
    for (const auto& run : runs) here.push_back(run[place]);
    std::sort(here.begin(), here.end());
    median.push_back(fmt::format("{:.3g}", here[here.size() / 2]));
    least.push_back(fmt::format("{:.3g}", here.front()));
    greatest.push_back(fmt::format("{:.3g}", here.back()));
  }
  return fmt::format("\"median\": [{}],\n  \"least\": [{}],\n  \"greatest\": [{}]", fmt::join(median, ", "), fmt::join(least, ", "),
                     fmt::join(greatest, ", "));
}

}  // namespace gradus::docs
