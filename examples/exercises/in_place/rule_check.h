// A student's check of rules, on the rules of the language model: as they are, and with published mistakes among them.
#pragma once

#include "examples/exercises/grader/function.h"
#include "examples/exercises/in_place/training.h"

namespace gradus::exercises {

// What `gradcheck`, the functions of that exercise, says of each: what has ended are the verdicts, 1 for right.
Training judge_rules(const Functions& gradcheck);
Training right_verdicts();

}  // namespace gradus::exercises
