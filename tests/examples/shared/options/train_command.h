// Command lines as train reads them.
#pragma once

#include <string>
#include <vector>

#include "examples/shared/options/command_line.h"

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

}  // namespace gradus::test
