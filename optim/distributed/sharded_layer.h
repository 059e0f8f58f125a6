// ShardedLayer: a layer whose parameters are spread over the ranks.
#pragma once

#include "core/tape/node.h"
#include "core/tensor/generator.h"
#include "nn/layer.h"
#include "optim/distributed/link.h"

namespace gradus::distributed {

// ZeRO, stage 3 (Rajbhandari et al., 2020; Zhao et al., 2023, as FSDP), around one layer, such as a block. Between calls each rank
// keeps 1/n of the layer's parameters, as two flat ones: matrices, which decay, and the others. A call gathers them, computes, and
// frees them; the walk gathers them again, computes the layer a second time, and leaves each rank the sum over ranks of its share's
// gradient. So beside its shares a rank holds one layer at a time: four times in the
// walk, its parameters flat and as tensors, and its gradients as tensors and flat.
//
// ValueError unless the number of ranks is a power of 2, and for a frozen parameter; DTypeError unless f32 or f64. All ranks make the same calls in the same order.
class ShardedLayer final : public nn::Layer {
 public:
  ShardedLayer(Link& link, nn::LayerPtr layer);

  void members(nn::Members& m) override;
  std::string describe() const override { return fmt::format("ShardedLayer({} of {})", link_.rank(), link_.ranks()); }

 private:
  // Parameters one after the other, of which each rank keeps a part.
  struct Flat {
    std::vector<nn::Parameter*> whole;  // undefined between calls
    std::vector<Shape> shapes;
    std::vector<int64_t> sizes;
    nn::Parameter shard;
  };
  class Gathered;  // while it lives, the parameters are whole

  Tensor forward(const Tensor& x) override;
  Tensors backward(const Step& step, const Generator& before);
  Tensors gather(const Flat& flat) const;
  Tensor scatter(const Tensors& gradients, const Flat& flat) const;

  Link& link_;
  nn::LayerPtr layer_;
  Flat matrices_, others_;
};

}  // namespace gradus::distributed
