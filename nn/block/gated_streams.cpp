#include "nn/block/gated_streams.h"

#include <algorithm>

#include "core/options/range.h"
#include "nn/activation/swish.h"
#include "nn/call_scope.h"
#include "nn/norm/rms_norm.h"

namespace gradus::nn {

// #region block-gated-streams
StreamReader::Result StreamReader::operator()(const Tensor& h) {
  const CallScope call(*this);
  check_streams(h, streams_);
  const Tensor y = gain * rms_norm(h);  // [..., n, C]
  const Tensor flat = flatten(y, -2) / streams_;
  const Tensor gate = reshape(sigmoid(matmul(act::silu(matmul(flat, down)), up)), h.shape());
  return {mean(gate * y, -2), flat};
}

Stream GatedStreams::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor h = streams_of(s, options_.streams);
  const auto [x, flat] = readers_[i](h);
  const Tensor write = 2 * sigmoid(matmul(flat, writes_[i]));  // [..., n]
  const Tensor written = h + unsqueeze(write, -1) * unsqueeze(f(x), -2);
  if (i + 1 < order().size()) return {s.x, written};
  return {readers_.size() > order().size() ? readers_.back()(written).x : mean(written, -2), written};
}
// #endregion block-gated-streams

StreamReader::StreamReader(const PlacementOptions& o, const GatedStreamOptions& gated)
    : streams_(check_size("the number of streams", gated.streams)) {
  check<ValueError>(gated.rank >= 0, "StreamReader: the rank must not be negative, got {}", gated.rank);
  const int64_t rank = gated.rank > 0 ? gated.rank : std::max<int64_t>(o.d_model / 4, 1), width = streams_ * o.d_model;
  down = drawn_map(width, rank);
  up = drawn_map(rank, width);
  gain = ones({streams_, o.d_model});
}

void StreamReader::members(Members& m) {
  m.parameter("gain", gain, Role::gain);
  m.parameter("down", down, Role::other);
  m.parameter("up", up, Role::other);
}

GatedStreams::GatedStreams(const PlacementOptions& o, const GatedStreamOptions& gated) : Placement(o), options_(gated) {
  const bool is_last = stack().index + 1 == stack().layers;
  for (std::size_t i = 0; i < order().size() + (is_last ? 1 : 0); ++i) readers_.emplace_back(o, gated);
  for (std::size_t i = 0; i < order().size(); ++i) writes_.emplace_back(drawn_map(gated.streams * o.d_model, gated.streams));
}

void GatedStreams::members(Members& m) {
  for (std::size_t i = 0; i < order().size(); ++i) {
    m.child(fmt::format("reader{}", i + 1), readers_[i]);
    m.parameter(fmt::format("write{}", i + 1), writes_[i], Role::other);
  }
  if (readers_.size() > order().size()) m.child("last_reader", readers_.back());
}

}  // namespace gradus::nn
