// FunctionLayer: a function as a layer, to stand for a sublayer where a placement is all that is tested.
#pragma once

#include <functional>
#include <utility>

#include "nn/layer.h"

namespace gradus::test {

class FunctionLayer : public nn::Layer {
 public:
  explicit FunctionLayer(std::function<Tensor(const Tensor&)> f) : f_(std::move(f)) {}
  void members(nn::Members&) override {}

 private:
  Tensor forward(const Tensor& x) override { return f_(x); }

  std::function<Tensor(const Tensor&)> f_;
};

}  // namespace gradus::test
