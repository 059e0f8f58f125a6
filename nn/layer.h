// Layer: a module from one tensor to another.
#pragma once

#include "nn/call_scope.h"
#include "nn/module.h"
#include "nn/part_ptr.h"

namespace gradus::nn {

// y = layer(x)
class Layer : public Module {
 public:
  Tensor operator()(const Tensor& x) {
    const CallScope call(*this);
    check_defined({{"x", x}}, "forward");
    return forward(x);
  }

  // For a norm in a stack of blocks; without meaning for other layers:
  virtual bool mixes_tokens() const { return false; }  // does a token's result depend on other tokens?
  virtual bool removes_scale() const { return true; }  // does norm(c x) stay bounded as c grows?

 protected:
  virtual Tensor forward(const Tensor& x) = 0;  // never of an undefined x
};

using LayerPtr = PartPtr<Layer>;  // a layer of any class

}  // namespace gradus::nn
