// What a student's functions do, once they have passed: in a few lines of text, of at most 80 columns.
#pragma once

#include <map>
#include <string>

#include "examples/exercises/grader/function.h"

namespace gradus::exercises {

std::string prize(const std::string& id, const Functions& mine);

namespace prizes {

using Table = std::map<std::string, std::string (*)(const Functions&)>;
const Table& of_layers();
const Table& of_attention();
const Table& around_a_model();

inline const std::string kLine = "What say you to that, my lord?";  // what a GPT is asked about

// `share` of `cells` cells, full from the left.
std::string bar(double share, int cells = 40);
// Cells for a number of [0, 1], the darker the larger.
std::string shade(double share, int cells = 2);
// A byte as it is shown in one column.
std::string shown_byte(char byte);

}  // namespace prizes
}  // namespace gradus::exercises
