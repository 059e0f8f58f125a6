#include "nn/block/pre_norm.h"

namespace gradus::nn {

// #region block-pre
Tensor PreNorm::step(std::size_t i, const Tensor& x, const Sublayer& f) { return x + f(norm(i, x)); }
// #endregion block-pre

}  // namespace gradus::nn
