// A placement around functions: for derivations where what the sublayers compute is given.
#pragma once

#include <functional>
#include <list>
#include <vector>

#include "nn/block/placement.h"
#include "tests/nn/block/function_layer.h"

namespace gradus::docs {

using Function = std::function<Tensor(const Tensor&)>;

// The stream after the placement's sublayers, which compute these functions.
inline nn::Stream around(const std::vector<Function>& functions, nn::Placement& placement, const nn::Stream& stream) {
  std::list<test::FunctionLayer> layers(functions.begin(), functions.end());
  return placement(stream, std::vector<nn::Sublayer>(layers.begin(), layers.end()));
}

}  // namespace gradus::docs
