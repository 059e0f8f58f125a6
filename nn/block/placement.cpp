#include "nn/block/placement.h"

#include <cmath>

#include "core/options/range.h"
#include "nn/init.h"

namespace gradus::nn {

void check_stack(const StackShape& stack, OpName op) {
  check_size("the number of layers", stack.layers, op);
  check<ValueError>(stack.layers <= kMostLayers, "{}: the number of layers must be at most {}, got {}", op, kMostLayers, stack.layers);
  check<ValueError>(0 <= stack.index && stack.index < stack.layers, "{}: of {} layers there is none of index {}", op, stack.layers,
                    stack.index);
  check<ValueError>(stack.paired_layers >= 0, "{}: the number of paired layers must not be negative, got {}", op, stack.paired_layers);
  check<ValueError>(stack.paired_layers <= kMostLayers, "{}: the number of paired layers must be at most {}, got {}", op, kMostLayers,
                    stack.paired_layers);
}

LayerPtr PlacementOptions::new_norm() const {
  check<ValueError>(static_cast<bool>(make_norm), "PlacementOptions: make_norm is no function");
  LayerPtr norm = make_norm();
  check<ValueError>(norm != nullptr, "PlacementOptions: make_norm made nothing");
  return norm;
}

Tensor Sublayer::operator()(const Tensor& x) const {
  return checked(attention_ != nullptr ? (*attention_)(x, *inputs_) : experts_ != nullptr ? (*experts_)(x, ids_) : (*layer_)(x), x);
}

Tensor Sublayer::operator()(const Tensor& queries, const Tensor& keys, const Tensor& values) const {
  check<ValueError>(attention_ != nullptr, "{} has no queries, keys and values to be given apart", layer_->describe());
  AttentionInputs inputs = *inputs_;
  inputs.key_source = keys;
  inputs.value_source = values;
  return checked((*attention_)(queries, inputs), queries);
}

Tensor Sublayer::checked(const Tensor& y, const Tensor& x) const {
  check_defined({{"the result of a sublayer", y}}, "placement");
  if (y.shape() != x.shape()) {
    throw ShapeError(fmt::format("{} made {} of {}; the shapes must be the same", layer_->describe(), y.shape(), x.shape()));
  }
  return drop_ != nullptr ? (*drop_)(y) : y;
}

Placement::Placement(const PlacementOptions& options, std::size_t norms_per_sublayer) : order_(options.sublayers), stack_(options.stack) {
  d_model_ = check_size("d_model", options.d_model);
  check<ValueError>(!order_.empty(), "Placement: a block needs at least one sublayer");
  check_stack(stack_);
  for (std::size_t i = 0; i < norms_per_sublayer * order_.size(); ++i) norms_.push_back(options.new_norm());
}

Stream Placement::operator()(const Stream& stream, const std::vector<Sublayer>& sublayers) {
  check_still_here();
  if (sublayers.size() != order_.size()) {
    throw ValueError(fmt::format("{}: expected {} sublayers, got {}", describe(), order_.size(), sublayers.size()));
  }
  check_defined({{"the stream's x", stream.x}}, "Placement");
  if (stream.x.rank() == 0 || stream.x.size(-1) != d_model_) {
    throw ShapeError(fmt::format("{}: expected [..., {}], got {}", describe(), d_model_, stream.x.shape()));
  }
  if (stream.condition.defined() && !takes_condition()) {
    throw ValueError(fmt::format("{}: takes no condition; leave it out, or take placement 'adaptive'", describe()));
  }
  Stream after = stream;
  for (std::size_t i = 0; i < sublayers.size(); ++i) {
    after = step(i, after, sublayers[i]);
    if (!after.condition.defined()) after.condition = stream.condition;  // the same for all sublayers
  }
  return after;
}

void Placement::members(Members& m) {
  for (std::size_t i = 0; i < norms_.size(); ++i) m.child(fmt::format("norm{}", i + 1), *norms_[i]);
}

NamedTensors linear_maps(const NamedTensors& parameters) {
  NamedTensors result;
  for (const NamedTensor& parameter : parameters) {
    const Role role = parameter.role;
    const bool linear = role == Role::weight || role == Role::scores || role == Role::writes_stream;
    if (linear && parameter.tensor.rank() == 2) result.push_back(parameter);
  }
  return result;
}

Tensor streams_of(const Stream& s, int64_t n) {
  if (s.second.defined()) return s.second;
  Shape streams = s.x.shape();
  streams.insert(streams.rank() - 1, n);
  return expand(unsqueeze(s.x, -2), streams);
}

void check_streams(const Tensor& h, int64_t n) {
  check_defined({{"h", h}}, "forward");
  check<ShapeError>(h.rank() >= 2 && h.size(-2) == n, "expected {} streams [..., n, C], got {}", n, h.shape());
}

Tensor drawn_map(int64_t in, int64_t out) {
  Tensor w = zeros({in, out});
  init_normal(w, 1 / std::sqrt(static_cast<double>(in)));
  return w;
}

void Placement::initialize(const NamedTensors& parameters, const InitChoice& init) const {
  const Init draw = init.make({.added_sublayers = added_sublayers()});
  for (auto& [path, weight, role] : linear_maps(parameters)) draw(weight, role);
}

}  // namespace gradus::nn
