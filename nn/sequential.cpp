#include "nn/sequential.h"

#include <algorithm>
#include <string_view>

namespace gradus::nn {
namespace {

constexpr int kDeepest = 1000;  // as deep as Module's own walk goes

// Throws the Error of a layer again, with its place: "Sequential layer 2, Linear(4 -> 2): expected [..., 4], got [8, 8]". In a
// Sequential within another the place is "2.0", as in the path of a parameter.
[[noreturn]] void rethrow_from_layer(std::size_t i, const Layer& layer) {
  rethrow([&](std::string_view message) {
    constexpr std::string_view place = "Sequential layer ";
    if (dynamic_cast<const Sequential*>(&layer) != nullptr && message.starts_with(place)) return fmt::format("{}{}.{}", place, i, message.substr(place.size()));
    const std::string described = layer.describe(), name = described.substr(0, described.find('(')) + ": ";
    if (message.starts_with(name)) message.remove_prefix(name.size());
    return fmt::format("{}{}, {}: {}", place, i, described, message);
  });
}

}  // namespace

void Sequential::add(LayerPtr layer) {
  const InUse here(*this);
  check<ValueError>(layer != nullptr, "Sequential: layer {} is nullptr", layers_.size());
  if (const auto* inner = dynamic_cast<const Sequential*>(layer.get())) {
    check<ValueError>(inner->levels_ < kDeepest, "Sequential: more than {} within one another; add the layers to one of them",
                      kDeepest);
    levels_ = std::max(levels_, inner->levels_ + 1);
  }
  layers_.push_back(std::move(layer));
}

Layer& Sequential::operator[](std::size_t i) {
  const InUse here(*this);
  check<ValueError>(i < layers_.size(), "Sequential: of {} layers there is none of index {}", layers_.size(), i);
  return *layers_[i];
}

Tensor Sequential::forward(const Tensor& x) {
  Tensor y = x;
  const std::size_t count = layers_.size();  // a layer may add another, for the next time
  for (std::size_t i = 0; i < count; ++i) {
    try {
      y = (*layers_[i])(y);
    } catch (const Error&) {
      rethrow_from_layer(i, *layers_[i]);
    }
  }
  return y;
}

void Sequential::members(Members& m) {
  for (std::size_t i = 0; i < layers_.size(); ++i) m.child(fmt::format("{}", i), *layers_[i]);
}

}  // namespace gradus::nn
