// Command lines as train reads them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "examples/shared/options/command_line.h"
#include "tests/support/bad_input.h"

namespace gradus::test {

inline std::vector<const char*> argv_of(const char* program, const std::vector<std::string>& words) {
  std::vector<const char*> argv{program};
  for (const std::string& word : words) argv.push_back(word.c_str());
  return argv;
}

inline examples::TrainOptions train_command(const std::vector<std::string>& words) {
  examples::TrainOptions options;
  const auto argv = argv_of("train", words);
  examples::read_command_line(static_cast<int>(argv.size()), argv.data(), "train", "", options);
  return options;
}

inline std::string joined_by_spaces(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

// A row for each flag and value, which stand in the text as {0} and {1}.
template <typename Refuse>
BadCalls refused_each(const Refuse& refuse, const std::string& text, const std::vector<std::pair<std::string, std::string>>& options) {
  BadCalls rows;
  for (const auto& [flag, value] : options) rows += refuse({flag, value}, fmt::format(fmt::runtime(text), flag, value));
  return rows;
}

}  // namespace gradus::test
