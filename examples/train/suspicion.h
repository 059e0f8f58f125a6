// Suspicion: a loss that falls too fast is no success until it is shown that no position sees its target. The loss itself
// cannot tell: a model that sees the future has the best of all.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "examples/shared/training/causality.h"

namespace gradus::examples {

// Within this many steps nothing honest gets below the lowest n-gram line, but on a text that repeats itself.
constexpr std::int64_t kEarlySteps = 100;

// Is a validation loss after `steps` steps lower than an honest model gets so early?
bool too_good(std::int64_t steps, double validation_loss, double lowest_line);

// What a reader is told of a model whose probe saw this: "" of one that is causal. It needs no loss, and is as true before
// the first step as after the last.
std::string said_of_future(const FutureSeen& seen);
// The same of one whose loss is too_good, and then never "".
std::string said_of_loss(std::int64_t steps, double validation_loss, double lowest_line, const FutureSeen& seen);

}  // namespace gradus::examples
