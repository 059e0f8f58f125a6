#include "nn/block/resi_dual.h"

namespace gradus::nn {

// #region block-resi-dual
Stream ResiDual::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor z = s.second.defined() ? s.second : s.x, y = f(s.x);
  return {norm(i)(s.x + y), z + y};
}

Tensor ResiDual::finish(const Stream& stream, Layer* final_norm) const {
  check<ValueError>(final_norm != nullptr, "ResiDual: the second stream needs a final norm, got nullptr");
  return stream.x + (*final_norm)(stream.second);
}
// #endregion block-resi-dual

}  // namespace gradus::nn
