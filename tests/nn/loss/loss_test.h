// What the tests of the losses share.
#pragma once

#include "tests/support/tensors.h"

namespace gradus::test {

inline Tensor scores(const Shape& shape, std::uint64_t seed = 7) { return draw(shape, -3, 3, seed); }

// The fixture's.
inline Tensor targets() { return ids({{1, 4, -100}, {0, -100, 2}}); }

}  // namespace gradus::test
