// Sequential: layers one after the other, x through each of them.
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

//   Sequential mlp{Linear{784, 128}, act::relu, Linear{128, 10}};  // mlp(x) = third(second(first(x)))
// The layers are moved in, or come as LayerPtr from a table; their names are "0", "1", …, which their errors show. A layer may
// be a Sequential, too; ValueError for more than 1000 within one another.
class Sequential : public Layer {
 public:
  template <typename... Layers> explicit Sequential(Layers... layers) { (add(std::move(layers)), ...); }

  void add(LayerPtr layer);  // as the last one; ValueError for nullptr
  void add(const Activation& f) { add(std::make_unique<ActivationLayer>(f)); }
  template <typename L>
  requires std::is_base_of_v<Layer, L>
  void add(L layer) {
    add(LayerPtr(std::make_unique<L>(std::move(layer))));
  }

  void members(Members& m) override;

  std::size_t size() const { return layers_.size(); }
  Layer& operator[](std::size_t i);  // ValueError unless i < size()

 private:
  Tensor forward(const Tensor& x) override;

  std::vector<LayerPtr> layers_;
  int levels_ = 1;  // of Sequentials within one another, this one included: forward and the destructor recurse
};

}  // namespace gradus::nn
