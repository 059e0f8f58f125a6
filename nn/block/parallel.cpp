#include "nn/block/parallel.h"

namespace gradus::nn {

// #region block-parallel
Stream Parallel::forward(const Stream& stream, const std::vector<Sublayer>& sublayers) {
  const Tensor normalized = (*norm_)(stream.x);
  Tensor x = stream.x;
  for (const Sublayer& f : sublayers) x = x + f(normalized);
  return {x};
}
// #endregion block-parallel

}  // namespace gradus::nn
