// How a page and its numbers were made: what one needs to make them again, and to judge the times among them.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace gradus::examples {

struct Made {
  std::string command = {}, machine = {}, date = {}, commit = {};
  double seconds = 0;
  std::size_t found = 0;  // numbers of a run before, which this one did not measure again
};

// Now, by this program, which began then.
Made made_by(const std::string& program, int argc, char** argv, std::chrono::steady_clock::time_point begun, std::size_t found);

nlohmann::ordered_json to_json(const Made& made);
// As a page's last lines have it.
std::vector<std::pair<std::string, std::string>> lines_of(const Made& made);

// Each fraction in it with six digits, which are more than any spread has, and make a small file.
nlohmann::ordered_json rounded(nlohmann::ordered_json numbers);

}  // namespace gradus::examples
