#include "examples/shared/experiment/made.h"

#include <fmt/chrono.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>

#include "examples/shared/experiment/journal.h"
#include "examples/shared/report/printable.h"
#include "examples/shared/report/program.h"
#include "examples/shared/report/words.h"
#include "examples/shared/training/progress.h"

namespace gradus::examples {

Made made_by(const std::string& program, int argc, char** argv, const Journal& journal, std::size_t found) {
  return {.command = command_of(program, argc, argv),
          .machine = machine_text(),
          .date = fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr))),
          .commit = text_of(journal.commits()),
          .seconds = journal.seconds(),
          .found = found};
}

nlohmann::ordered_json to_json(const Made& made) {
  return {{"command", made.command},
          {"machine", made.machine},
          {"date", made.date},
          {"commit", made.commit},
          {"seconds", std::round(made.seconds)},
          {"found", made.found}};
}

std::string text_of(const std::set<std::string>& commits) { return fmt::format("{}", fmt::join(commits, ", ")); }

bool committed(const std::set<std::string>& commits) {
  const auto lost = [](const std::string& commit) { return commit.ends_with('+') || commit == "unknown"; };
  return std::none_of(commits.begin(), commits.end(), lost);
}

nlohmann::ordered_json rounded(nlohmann::ordered_json numbers) {
  if (numbers.is_number_float()) numbers = std::strtod(fmt::format("{:.6g}", numbers.get<double>()).c_str(), nullptr);
  if (!numbers.is_structured()) return numbers;
  for (auto& one : numbers) one = rounded(one);
  return numbers;
}

}  // namespace gradus::examples
