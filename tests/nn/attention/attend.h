// Queries, keys and values of five positions, and what attention makes of them.
#pragma once

#include <functional>
#include <vector>

#include "nn/attention/attention.h"
#include "tests/support/tensors.h"

namespace gradus::test {

struct Inputs { Tensor q = draw({2, 5, 2, 3}, 1), k = draw({2, 5, 2, 3}, 2), v = draw({2, 5, 2, 3}, 3); };

inline Tensor attend(const Inputs& x, const nn::ScaledDotOptions& options) { return nn::attention(x.q, x.k, x.v, options); }

// i64 [T, T]: 1 where visible(i, j).
inline Tensor mask_of(int64_t length, const std::function<bool(int64_t, int64_t)>& visible) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < length; ++i) {
    for (int64_t j = 0; j < length; ++j) values.push_back(visible(i, j));
  }
  return from_vector(values, {length, length});
}

}  // namespace gradus::test
