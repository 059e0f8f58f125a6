// The one picture of chapter 06: RoPE's pairs as clock hands.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

constexpr int64_t kHead = 64;  // width of a head

// The hands of a query and a key, before and after both move on by `shift` tokens, and the claim that some are fast, some slow.
void clock_hands(Chapter& chapter, int64_t shift);

}  // namespace gradus::examples
