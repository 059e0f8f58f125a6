// The trainer's command line: each line of the input is an argument.
#include <sstream>
#include <vector>

#include "core/check.h"
#include "examples/shared/options/command_line.h"
#include "tests/fuzz/support/same_options.h"
#include "tests/fuzz/target.h"

using namespace gradus;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> lines;
  std::istringstream input(fuzz::text_of(data, size));
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  std::vector<const char*> arguments{"train"};
  for (const std::string& line : lines) arguments.push_back(line.c_str());
  examples::TrainOptions options;
  try {
    if (!examples::read_command_line(static_cast<int>(arguments.size()), arguments.data(), "train", "", options)) return 0;
  } catch (const Error&) {
    return 0;
  }
  if (!options.list) fuzz::require_same_when_written(options);
  return 0;
}
