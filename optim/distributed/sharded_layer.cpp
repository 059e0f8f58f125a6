#include "optim/distributed/sharded_layer.h"

#include <cstring>
#include <numeric>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tape/record.h"
#include "core/tensor/generator.h"
#include "optim/distributed/collectives.h"
#include "optim/distributed/parallel_ops.h"

namespace gradus::distributed {
namespace {

Tensor flat_of(const Tensors& parts) {
  Tensors rows;
  for (const Tensor& part : parts) rows.push_back(reshape(part, {-1}));
  return cat(rows, 0);
}

Tensors values_of(const std::vector<nn::Parameter*>& parameters) {
  Tensors values;
  for (const nn::Parameter* parameter : parameters) values.push_back(*parameter);
  return values;
}

}  // namespace

ShardedLayer::ShardedLayer(Link& link, nn::LayerPtr layer) : link_(link), layer_(std::move(layer)) {
  for (nn::Parameter* parameter : layer_->parameter_fields()) {
    check<DTypeError>(parameter->dtype() == DType::f32 || parameter->dtype() == DType::f64,
                      "ShardedLayer: needs parameters of f32 or f64, got {}", parameter->dtype());
    check<ValueError>(parameter->requires_grad(), "ShardedLayer: a parameter of shape {} is frozen; all are trained", parameter->shape());
    Flat& flat = parameter->rank() > 1 ? matrices_ : others_;
    flat.whole.push_back(parameter);
    flat.shapes.push_back(parameter->shape());
    flat.sizes.push_back(parameter->numel());
  }
  for (Flat* flat : {&matrices_, &others_}) {
    if (flat->whole.empty()) continue;
    const NoGrad off;
    Tensor all = flat_of(values_of(flat->whole));
    with_numbers(all, [&](auto numbers) {
      const auto own = halving_part(link_, numbers);
      const int64_t begin = own.data() - numbers.data(), size = static_cast<int64_t>(own.size());
      flat->shard = slice(all, 0, begin, begin + size).detached_copy();
    });
    for (nn::Parameter* parameter : flat->whole) static_cast<Tensor&>(*parameter) = Tensor();
  }
}

void ShardedLayer::members(nn::Members& m) {
  m.parameter("matrices", matrices_.shard);
  m.parameter("others", others_.shard, Role::bias);
  m.child("layer", *layer_);
}

// #region dist-zero-3
// The parameters, whole, of the parts of all ranks.
Tensors ShardedLayer::gather(const Flat& flat) const {
  Tensor all(Shape{std::accumulate(flat.sizes.begin(), flat.sizes.end(), int64_t{0})}, flat.shard.dtype());
  with_numbers(all, [&](auto numbers) {
    const auto own = halving_part(link_, numbers);
    std::memcpy(own.data(), flat.shard.bytes(), own.size_bytes());
    doubling_all_gather(link_, numbers);
  });
  Tensors whole = split(all, flat.sizes, 0);
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = reshape(whole[i], flat.shapes[i]);
  return whole;
}

// This rank's part of the sum over all ranks.
Tensor ShardedLayer::scatter(const Tensors& gradients, const Flat& flat) const {
  if (gradients.empty()) return {};
  Tensor all = flat_of(gradients), own(flat.shard.shape(), all.dtype());
  with_numbers(all, [&](auto numbers) {
    const auto part = halving_reduce_scatter(link_, numbers);
    std::memcpy(own.mutable_bytes(), part.data(), part.size_bytes());
  });
  return own;
}

class ShardedLayer::Gathered {
 public:
  explicit Gathered(ShardedLayer& layer) : layer_(layer) {
    for (const Flat* flat : {&layer.matrices_, &layer.others_}) {
      if (flat->whole.empty()) continue;
      const Tensors all = layer.gather(*flat);
      for (std::size_t i = 0; i < all.size(); ++i) *flat->whole[i] = all[i];
    }
  }
  ~Gathered() {
    for (const Flat* flat : {&layer_.matrices_, &layer_.others_}) {
      for (nn::Parameter* parameter : flat->whole) static_cast<Tensor&>(*parameter) = Tensor();
    }
  }
  Gathered(const Gathered&) = delete;
  Gathered& operator=(const Gathered&) = delete;

 private:
  ShardedLayer& layer_;
};

Tensor ShardedLayer::forward(const Tensor& x) {
  const Generator before = default_generator();
  Tensor y;
  {
    const NoGrad off;
    const Gathered whole(*this);
    y = (*layer_)(x);
  }
  return record_joint("sharded_layer", y, {x, matrices_.shard, others_.shard},
                      [this, before](const Step& step) { return backward(step, before); });
}

// The layer is computed again, with the same random numbers, and differentiated.
Tensors ShardedLayer::backward(const Step& step, const Generator& before) {
  const Scoped<Generator> again(default_generator(), before);
  const GradMode on(true);
  const Gathered whole(*this);
  Tensors leaves = values_of(matrices_.whole);
  for (const Tensor& other : values_of(others_.whole)) leaves.push_back(other);
  Tensor x = step.input(0).detach();
  leaves.push_back(x.set_requires_grad());
  Tensors all = grad({(*layer_)(x)}, leaves, {.seeds = {step.grad}, .allow_unused = true});
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].defined()) all[i] = zeros_like(leaves[i]);
  }
  const auto others = all.begin() + static_cast<std::ptrdiff_t>(matrices_.whole.size());
  const NoGrad off;
  return {all.back(), scatter({all.begin(), others}, matrices_), scatter({others, all.end() - 1}, others_)};
}
// #endregion dist-zero-3

}  // namespace gradus::distributed
