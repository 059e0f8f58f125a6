// Command lines as train reads them.
#pragma once

#include <string>
#include <vector>

#include "examples/shared/options/command_line.h"

namespace gradus::test {

inline examples::TrainOptions train_command(const std::vector<std::string>& words) {
  examples::TrainOptions options;
  std::vector<const char*> argv{"train"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  examples::read_command_line(static_cast<int>(argv.size()), argv.data(), "train", "", options);
  return options;
}

inline std::string joined_by_spaces(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace gradus::test
