// Why a walk has an order: what is used twice has to wait for both of its gradients.
#pragma once

#include "core/inspect/trace.h"
#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// y = (a + b) + ab + (a + b) ab, walked back in order and by a recursion without one.
inspect::Trace walk_both_ways(double at_a, double at_b);

double naive_gradient(const inspect::Trace& trace, std::uint64_t of);  // what the recursion says: the last that arrives
double gradient(const inspect::Trace& trace, std::uint64_t of);

void by_hand(Chapter& chapter, const inspect::Trace& trace);  // each visit of the walk, beside what the recursion says
void doublings(Chapter& chapter);                             // x → x + x, again and again: what each of the two ways costs

}  // namespace gradus::examples
