#include "nn/block/parallel.h"

namespace gradus::nn {

// #region block-parallel
Stream Parallel::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor n = i == 0 ? (*norm_)(s.x) : s.second;  // all sublayers read the same
  const bool is_last = i + 1 == order().size();
  return {s.x + f(n), is_last ? Tensor() : n};
}
// #endregion block-parallel

}  // namespace gradus::nn
