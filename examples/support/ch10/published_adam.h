// Adam as it has been published with one wrong line.
#pragma once

#include <string>
#include <vector>

#include "examples/support/ch10/banana.h"

namespace gradus::examples {

// `bug` is adam/correction-multiplied (karpathy/convnetjs, pull request 107), adam/correction-without-t
// (eriklindernoren/ML-From-Scratch, issue 35), or nothing: then it is right.
MakeIt published_adam(double lr, const std::string& bug);

// How long the t-th step is, in units of lr, when the gradient is always 1, for each t of `at`: 1 if it is right.
std::vector<double> step_lengths(const std::string& bug, const std::vector<int>& at);

}  // namespace gradus::examples
