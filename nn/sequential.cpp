#include "nn/sequential.h"

#include <algorithm>

namespace gradus::nn {
namespace {

constexpr int kDeepest = 1000;  // as deep as Module's own walk goes

}  // namespace

void Sequential::add(LayerPtr layer) {
  check_still_here();
  check<ValueError>(layer != nullptr, "Sequential: layer {} is nullptr", layers_.size());
  if (const auto* inner = dynamic_cast<const Sequential*>(layer.get())) {
    check<ValueError>(inner->levels_ < kDeepest, "Sequential: more than {} within one another; add the layers to one of them", kDeepest);
    levels_ = std::max(levels_, inner->levels_ + 1);
  }
  layers_.push_back(std::move(layer));
}

Layer& Sequential::operator[](std::size_t i) {
  check_still_here();
  check<ValueError>(i < layers_.size(), "Sequential: of {} layers there is none of index {}", layers_.size(), i);
  return *layers_[i];
}

Tensor Sequential::forward(const Tensor& x) {
  Tensor y = x;
  const std::size_t count = layers_.size();  // a layer may add another, for the next time
  for (std::size_t i = 0; i < count; ++i) y = (*layers_[i])(y);
  return y;
}

void Sequential::members(Members& m) {
  for (std::size_t i = 0; i < layers_.size(); ++i) m.child(fmt::format("{}", i), *layers_[i]);
}

}  // namespace gradus::nn
