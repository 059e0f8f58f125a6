// What the tutor is asked for on its command line.
#pragma once

#include <string>
#include <vector>

namespace gradus::exercises {

struct Options {
  std::string command;  // "": watch, or check once
  std::string id, file;
  std::string chapter;  // of mine: "" for a model
  bool json = false, plain = false;
  bool name = false;  // of check: the name of a mistake at once
};

// False when --help was asked for, and printed. ValueError for what is no command or no option, with the nearest.
bool read_options(int argc, const char* const* argv, Options& options);

}  // namespace gradus::exercises
