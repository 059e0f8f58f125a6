#include "examples/step/naive.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/step/words.h"

namespace gradus::examples {

Lines naive_lines(const inspect::Trace& trace, std::size_t width, bool ascii) {
  constexpr std::size_t kMany = 200;
  if (!trace.naive) return {"This tape was recorded without its naive recursion."};
  const inspect::NaiveWalk& naive = *trace.naive;
  const auto visits = static_cast<std::size_t>(naive.visits);
  Lines lines{StyledLine(Role::heading, fmt::format("Naive recursion: {}{}, where the walk makes {}.", naive.complete ? "" : "more than ",
                                                    plural(visits, "arrival"), plural(trace.walk.size(), "visit")))};
  const StyledLine reason = visits == trace.walk.size()
                                ? "  No tensor gets two arrivals here, so the recursion is the walk."
                                : "  At each arrival a tensor hands on all that it has gathered: with the second, what came first is "
                                  "handed on again.";
  for (const StyledLine& line : wrapped(reason, width, 2)) lines.push_back(line);
  std::vector<Lines> rows;
  for (std::size_t i = 0; i < std::min(naive.arrivals.size(), kMany); ++i) {
    const auto& [from, to, after] = naive.arrivals[i];
    rows.push_back({StyledLine(fmt::format("{:>3}.", i + 1)), from == 0 ? StyledLine("the seed") : called(trace.tensor(from), 24),
                    StyledLine("→ ").add(called(trace.tensor(to), 24)), StyledLine("∂ ").add(Role::gradient, brief(after, 30))});
  }
  for (const StyledLine& line : aligned(rows, ascii)) lines.push_back(line);
  if (visits > rows.size()) lines.push_back(fmt::format("     … and {} more", visits - rows.size()));
  return lines;
}

}  // namespace gradus::examples
