// A student's check of rules, on the rules of the GPT: as they are, and with published mistakes among them.
#pragma once

#include <string>
#include <vector>

#include "examples/exercises/grader/function.h"

namespace gradus::exercises {

struct Judged {
  std::string rules;  // "the model's rules with op/own-factors"
  bool are_right, found_right;
};
std::vector<Judged> judge_rules(const Functions& gradcheck);

}  // namespace gradus::exercises
