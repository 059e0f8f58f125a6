// The gated residual of Qwen4-Exp: several streams that are read through a gate for each number, and never mixed (Qwen Team, 2026).
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

struct GatedStreamOptions {
  int64_t streams = 4;  // n, at least 1
  int64_t rank = 0;     // r, between the two maps of the gate; 0: d_model / 4, at least 1
};

// How a token's input is made of its streams h [n, C], all of them normalised by one norm, and read as one row ĥ [n C]:
//   x = 1/n Σ_k gate_k ⊙ norm(h_k)      gate = σ(U silu(D ĥ / n)) [n, C]
class StreamReader : public Module {
 public:
  // ValueError unless streams is positive and rank is not negative.
  StreamReader(const PlacementOptions& options, const GatedStreamOptions& gated);

  struct Result {
    Tensor x;     // [..., C]
    Tensor flat;  // ĥ / n [..., n C]
  };
  Result operator()(const Tensor& h);  // of the streams h [..., n, C]
  void members(Members& m) override;
  std::string describe() const override { return fmt::format("StreamReader({} streams, rank {})", streams_, down.size(1)); }

  Parameter down, up;  // D [n C, r] and U [r, n C], which start N(0, 1/in)
  Parameter gain;      // of the norm, [n, C], starts at 1

 private:
  int64_t streams_;
};

// With y = f(x), x as the sublayer's StreamReader makes it, which takes the place of a norm:
//   h_k ← h_k + 2 σ(w_k · ĥ / n) y
// All streams start as the embedding; the stack hands on what one more reader makes of them, without a final norm.
class GatedStreams : public Placement {
 public:
  explicit GatedStreams(const PlacementOptions& options, const GatedStreamOptions& gated = {});

  bool keeps_more() const override { return true; }
  bool needs_final_norm() const override { return false; }
  void members(Members& m) override;  // "reader1", "write1", …, and in the last block "last_reader"
  std::string describe() const override { return fmt::format("GatedStreams({} streams)", options_.streams); }

 private:
  int64_t added_sublayers() const override { return sublayers_of_stack(); }
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  GatedStreamOptions options_;
  std::vector<StreamReader> readers_;
  std::vector<Parameter> writes_;  // w [n C, n] of each sublayer
};

}  // namespace gradus::nn
