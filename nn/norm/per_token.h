// PerToken: a norm of samples [N, C] applied to x [B, T, C], with every token as a sample.
#pragma once

#include "nn/layer.h"

namespace gradus::nn {

// Flattens x [..., C] to [N, C] for the norm, and gives its result x's shape.
class PerToken : public Layer {
 public:
  explicit PerToken(LayerPtr norm) : norm_(std::move(norm)) {  // ValueError for nullptr
    check<ValueError>(norm_ != nullptr, "PerToken: the norm is nullptr");
  }

  void members(Members& m) override { m.child("norm", *norm_); }
  bool mixes_tokens() const override { return norm_->mixes_tokens(); }
  bool removes_scale() const override { return norm_->removes_scale(); }

 private:
  Tensor forward(const Tensor& x) override {  // ShapeError for x of fewer than two axes
    check<ShapeError>(x.rank() >= 2, "expected [..., C] with two axes or more, got {}", x.shape());
    return reshape((*norm_)(flatten(x, 0, -2)), x.shape());
  }

  LayerPtr norm_;
};

}  // namespace gradus::nn
