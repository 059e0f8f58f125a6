// Exercise 20, block: two sublayers, two norms, and the stream that passes them by.                docs/ch08.md#block-pre
//
//   pre_norm     a = x + f1(norm1(x))        y = a + f2(norm2(a))
//   post_norm    a = norm1(x + f1(x))        y = norm2(a + f2(a))
//   deep_norm    a = norm1(α x + f1(x))      y = norm2(α a + f2(a))
//
// x is [T, d] or [B, T, d]. What f1 and f2 do (they could be attention and a feed-forward layer) does not matter here.
// See also docs/ch08.md#block-post, docs/ch08.md#block-deepnorm.
#include "core/core.h"
#include "examples/exercises/rows.h"

#include <functional>

using namespace gradus;

using Part = std::function<Tensor(const Tensor&)>;

Tensor pre_norm(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2) {
  // blank: what does each sublayer read, and to what is its result added?
  const Tensor a = x + f1(norm1(x));
  return a + f2(norm2(a));
  // end
}

Tensor post_norm(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2) {
  // blank: add, then norm
  const Tensor a = norm1(x + f1(x));
  return norm2(a + f2(a));
  // end
}

Tensor deep_norm(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2, double alpha) {
  // blank: the same, with a louder stream
  const Tensor a = norm1(alpha * x + f1(x));
  return norm2(alpha * a + f2(a));
  // end
}
