#include "nn/block/hyper_connections.h"

#include "core/options/range.h"
#include "nn/block/manifold_connection.h"
#include "nn/call_scope.h"

namespace gradus::nn {

StreamConnection::StreamConnection(int64_t streams) : streams_(check_size("the number of streams", streams)) {}

StreamConnection::Numbers StreamConnection::operator()(const Tensor& h) {
  const CallScope call(*this);
  check_streams(h, streams_);
  return numbers(h);
}

HyperConnection::HyperConnection(const PlacementOptions& o, const HyperConnectionOptions& hyper, int64_t sublayer)
    : StreamConnection(hyper.streams) {
  const int64_t n = streams();
  check<ValueError>(sublayer >= 0, "HyperConnection: sublayers are counted from 0, got {}", sublayer);
  const Tensor read_first = unsqueeze(cast(arange(n) == sublayer % n, DType::f32), 1);  // e_k
  alpha = cat({read_first, eye(n)}, 1);
  beta = ones({n});
  if (hyper.map == StreamMap::fixed) return;
  alpha_map = zeros({o.d_model, n + 1});
  beta_map = zeros({o.d_model});
  alpha_scale = full({}, 0.01);
  beta_scale = full({}, 0.01);
  norm_ = o.new_norm();
}

// #region block-hyper-connections
StreamConnection::Numbers HyperConnection::numbers(const Tensor& h) {
  if (norm_ == nullptr) return {alpha, beta};
  const Tensor y = (*norm_)(h);
  return {alpha + alpha_scale * tanh(matmul(y, alpha_map)), beta + beta_scale * tanh(matmul(y, beta_map))};
}

Stream HyperConnections::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor h = streams_of(s, options_.streams);
  const auto [a, b] = (*connections_[i])(h);
  const Tensor read = matmul(a, h, {.transpose_a = true});  // [..., n+1, C]: x, and the streams mixed
  const Tensor y = f(norm(i)(select(read, -2, 0)));
  const Tensor written = slice(read, -2, 1) + unsqueeze(b, -1) * unsqueeze(y, -2);
  return {.x = i + 1 == order().size() ? sum(written, -2) : s.x, .second = written};
}
// #endregion block-hyper-connections

void HyperConnection::members(Members& m) {
  m.parameter("alpha", alpha, Role::gain);
  m.parameter("beta", beta, Role::gain);
  m.parameter("alpha_map", alpha_map, Role::other);
  m.parameter("beta_map", beta_map, Role::other);
  m.parameter("alpha_scale", alpha_scale, Role::gain);
  m.parameter("beta_scale", beta_scale, Role::gain);
  if (norm_ != nullptr) m.child("norm", *norm_);
}

HyperConnections::HyperConnections(const PlacementOptions& o, const HyperConnectionOptions& hyper) : Placement(o, 1), options_(hyper) {
  check<ValueError>(hyper.streams > 0, "HyperConnections: needs at least one stream, got {}", hyper.streams);
  const auto count = static_cast<int64_t>(order().size());
  for (int64_t i = 0; i < count; ++i) {
    if (hyper.map == StreamMap::manifold) {
      connections_.push_back(std::make_unique<ManifoldConnection>(o, hyper));
    } else {
      connections_.push_back(std::make_unique<HyperConnection>(o, hyper, stack().index * count + i));
    }
  }
}

void HyperConnections::members(Members& m) {
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    m.child(fmt::format("norm{}", i + 1), norm(i));
    m.child(fmt::format("connection{}", i + 1), *connections_[i]);
  }
}

std::string HyperConnections::describe() const {
  const char* const map = options_.map == StreamMap::fixed ? "static" : options_.map == StreamMap::dynamic ? "dynamic" : "manifold";
  return fmt::format("HyperConnections({} streams, {})", options_.streams, map);
}

}  // namespace gradus::nn
