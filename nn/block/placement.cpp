#include "nn/block/placement.h"

#include <algorithm>

#include "core/options/range.h"

namespace gradus::nn {

void check_stack(const char* who, const StackShape& stack) {
  check_size(who, "the number of layers", stack.layers);
  check<ValueError>(stack.layers <= kMostLayers, "{}: the number of layers must be at most {}, got {}", who, kMostLayers,
                    stack.layers);
  check<ValueError>(0 <= stack.index && stack.index < stack.layers, "{}: of {} layers there is none of index {}", who,
                    stack.layers, stack.index);
  check<ValueError>(stack.paired_layers >= 0, "{}: the number of paired layers must not be negative, got {}", who,
                    stack.paired_layers);
  check<ValueError>(stack.paired_layers <= kMostLayers, "{}: the number of paired layers must be at most {}, got {}", who,
                    kMostLayers, stack.paired_layers);
}

LayerPtr PlacementOptions::new_norm() const {
  check<ValueError>(static_cast<bool>(make_norm), "PlacementOptions: make_norm is no function");
  LayerPtr norm = make_norm();
  check<ValueError>(norm != nullptr, "PlacementOptions: make_norm made nothing");
  return norm;
}

Placement::Placement(const PlacementOptions& options) : order_(options.sublayers), stack_(options.stack) {
  d_model_ = check_size("Placement", "d_model", options.d_model);
  check<ValueError>(!order_.empty(), "Placement: a block needs at least one sublayer");
  check_stack("Placement", stack_);
}

Stream Placement::operator()(const Stream& stream, const std::vector<Sublayer>& sublayers) {
  check_not_moved_from();
  check<ValueError>(sublayers.size() == order_.size(), "{}: expected {} sublayers, got {}", describe(), order_.size(),
                    sublayers.size());
  const auto missing = std::find(sublayers.begin(), sublayers.end(), nullptr);
  check<ValueError>(missing == sublayers.end(), "{}: sublayer {} is no function", describe(), missing - sublayers.begin());
  check_defined("Placement", {{"the stream's x", stream.x}});
  check<ShapeError>(stream.x.rank() > 0 && stream.x.size(-1) == d_model_, "{}: expected [..., {}], got {}", describe(),
                    d_model_, stream.x.shape());
  check<ValueError>(!stream.condition.defined() || takes_condition(),
                    "{}: takes no condition; leave it out, or take placement 'adaptive'", describe());
  std::vector<Sublayer> checked;
  for (std::size_t i = 0; i < sublayers.size(); ++i) checked.push_back(with_checks(sublayers[i], i));
  return forward(stream, checked);
}

Sublayer Placement::with_checks(const Sublayer& f, std::size_t i) const {
  return [this, &f, i](const Tensor& x) {
    Tensor y = f(x);
    check<GraphError>(y.defined(), "{}: sublayer {} gave an undefined tensor", describe(), i);
    check<ShapeError>(y.shape() == x.shape(), "{}: sublayer {} made {} of {}; the shapes must be the same", describe(), i,
                      y.shape(), x.shape());
    return y;
  };
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

void Placement::initialize(const NamedTensors& parameters, const InitChoice& init) const {
  const Init draw = init.make({.added_sublayers = added_sublayers()});
  for (auto& [path, weight, role] : linear_maps(parameters)) draw(weight, role);
}

}  // namespace gradus::nn
