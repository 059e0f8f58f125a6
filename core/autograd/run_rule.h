// The one door to a backward rule: what it throws names the op.
#pragma once

#include <span>

#include "core/tape/node.h"

namespace gradus {

// node.backward(s, gradients). An Error of the rule keeps its class and gets the op's name, unless it has one; another exception is
// nested in a GraphError.
void run_rule(const Node& node, const Backward& s, std::span<Gradient> gradients);

}  // namespace gradus
