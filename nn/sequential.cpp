#include "nn/sequential.h"

namespace gradus::nn {

void Sequential::add(LayerPtr layer) {
  check<ValueError>(layer != nullptr, "Sequential: layer {} is nullptr", layers_.size());
  layers_.push_back(std::move(layer));
}

Tensor Sequential::forward(const Tensor& x) {
  Tensor y = x;
  for (const LayerPtr& layer : layers_) y = (*layer)(y);
  return y;
}

void Sequential::members(Members& m) {
  for (std::size_t i = 0; i < layers_.size(); ++i) m.child(fmt::format("{}", i), *layers_[i]);
}

}  // namespace gradus::nn
