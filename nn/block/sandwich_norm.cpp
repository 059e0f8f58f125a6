#include "nn/block/sandwich_norm.h"

namespace gradus::nn {

// #region block-sandwich
Tensor SandwichNorm::step(std::size_t i, const Tensor& x, const Sublayer& f) {
  return x + norm(2 * i + 1, f(norm(2 * i, x)));
}
// #endregion block-sandwich

// #region block-output-norm
Tensor OutputNorm::step(std::size_t i, const Tensor& x, const Sublayer& f) { return x + norm(i, f(x)); }
// #endregion block-output-norm

}  // namespace gradus::nn
