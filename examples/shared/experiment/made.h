// How a page and its numbers were made: what one needs to make them again, and to judge the times among them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gradus::examples {

class Journal;

struct Made {
  std::string command = {}, machine = {}, date = {}, commit = {};
  double seconds = 0;     // of one thread, all runs together that this one goes on with
  std::size_t found = 0;  // numbers of a run before, which this one did not measure again
};

// Now, by this program, out of this journal.
Made made_by(const std::string& program, int argc, char** argv, const Journal& journal, std::size_t found);

// "1ba4faa, 73813fb"; of an uncommitted change "73813fb+".
std::string text_of(const std::set<std::string>& commits);
// False for sources that nobody can go back to: changed and not committed, or of no repository.
bool committed(const std::set<std::string>& commits);

nlohmann::ordered_json to_json(const Made& made);
// Each fraction in it with six digits, which are more than any spread has, and make a small file.
nlohmann::ordered_json rounded(nlohmann::ordered_json numbers);

}  // namespace gradus::examples
