// Knob: an option of a chapter's own.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

namespace gradus::examples {

struct Knob {
  std::string flag;
  std::variant<double*, std::int64_t*, std::string*, bool*> value;  // as it is by default
  std::string help;
  std::vector<std::string> names = {};                                                              // of which it is one, if there are any
  double least = std::numeric_limits<double>::lowest(), most = std::numeric_limits<double>::max();  // that a number may be
};

// The ids of what a chapter can put beside the right version.
template <typename Row> std::vector<std::string> ids_of(const std::vector<Row>& rows) {
  std::vector<std::string> ids;
  for (const Row& row : rows) ids.push_back(row.id);
  return ids;
}

// What is wrong with the text of a whole number; empty: nothing. It is decimal, all of it, and in range.
template <typename T> std::string whole_number_error(const std::string& given);

// What is wrong with a value that is mostly that of a variable which a script forgot to set.
std::string empty_error(const std::string& given);

// With a check of its value, which names what is near.
void add_knob(CLI::App& app, const Knob& knob);

// Reads the words behind a program's name. False when --help was asked for, and printed. ValueError for a bad value, and for
// what is no option, with the nearest one.
bool parse_command_line(CLI::App& app, std::vector<std::string> words);
bool parse_command_line(CLI::App& app, int argc, const char* const* argv);

}  // namespace gradus::examples
