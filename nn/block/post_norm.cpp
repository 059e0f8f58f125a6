#include "nn/block/post_norm.h"

namespace gradus::nn {

// #region block-post
Tensor PostNorm::step(std::size_t i, const Tensor& x, const Sublayer& f) { return norm(i, x + f(x)); }
// #endregion block-post

}  // namespace gradus::nn
