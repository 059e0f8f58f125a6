// Position encodings: one small interface says where an encoding acts, so that attention does not know them by name.
#pragma once

#include <optional>

#include "core/options/table.h"
#include "nn/module.h"

namespace gradus::nn {

// The positions of an attention's queries and keys in their sequence: i64, [T] and [S], or [B, T] and [B, S].
struct Positions {
  Tensor queries;
  Tensor keys;
};

struct PositionOptions {
  int64_t d_model;
  int64_t heads;
  int64_t head_dim;
  int64_t max_length;                             // the longest sequence that tables are made for
  bool causal = true;                             // whether queries see no later keys
  std::optional<double> theta = {}, factor = {};  // as in RopeOptions; none: the encoding's own
};

// The base of all encodings. An encoding overrides the hooks at which it acts; the other hooks do nothing.
class PositionEncoding : public Module {
 public:
  PositionEncoding() = default;
  // For an encoding made from options: ValueError, beginning with its class's name, unless the sizes are positive.
  PositionEncoding(const char* type, const PositionOptions& options);

  // Does each layer have its own encoding? Else all layers share one.
  virtual bool per_layer() const { return false; }
  // The factor that a model applies to its embedding by default, so that the encoding does not drown it.
  virtual double embedding_scale(int64_t /*d_model*/) const { return 1; }

  // The embedding x [B, T, C] with the encoding of its positions [T] or [B, T].
  virtual Tensor on_embedding(const Tensor& x, const Tensor& /*positions*/) { return x; }
  // on_embedding for the next piece of a sequence. It reads and replaces `state`, its memory of the pieces before, which is
  // undefined at the first.
  virtual Tensor on_next_embedding(const Tensor& x, const Tensor& positions, Tensor& /*state*/) { return on_embedding(x, positions); }
  // The queries [B, T, H, d] or keys [B, S, G, d], before their scores are taken; positions [T] or [B, T].
  virtual Tensor on_queries(const Tensor& q, const Tensor& /*positions*/) { return q; }
  virtual Tensor on_keys(const Tensor& k, const Tensor& /*positions*/) { return k; }
  // An addend of the scaled scores, which broadcasts to [B, H, T, S]; undefined for none. q and k as attention takes them;
  // `scale` is the factor of q · k.
  virtual Tensor on_scores(const Tensor& /*q*/, const Tensor& /*k*/, const Positions&, double /*scale*/) { return {}; }
  // An addend of attention's result [B, T, H, d], given its probabilities [B, H, T, S], a costly matrix. Called only if
  // acts_on_values() is true.
  virtual bool acts_on_values() const { return false; }
  virtual Tensor on_values(const Tensor& /*probabilities*/, const Positions&) { return {}; }

 protected:
  // For subclasses; errors begin with the subclass's name.
  // The distances j - i from each query i to each key j, i64 [T, S] or [B, T, S], for on_scores(q, k, …). GraphError, DTypeError
  // or ShapeError unless q is [B, T, heads, head_dim], as in the options, k [B, S, G, head_dim] and the positions fit both.
  Tensor offsets(const Tensor& q, const Tensor& k, const Positions& positions) const;
  // The table's rows at these positions (i64), [..., width] in `dtype`. ValueError with the remedy for one outside the table.
  Tensor rows_at(const Tensor& table, const Tensor& positions, DType dtype, const char* remedy = "build it with a larger max_length") const;
  // Those for on_embedding(x, …), in x's dtype. ShapeError, DTypeError or GraphError unless x is [B, T, width of the table] and
  // positions [T] or [B, T].
  Tensor rows_for(const Tensor& x, const Tensor& positions, const Tensor& table,
                  const char* remedy = "build it with a larger max_length") const;
  const PositionOptions& options() const { return options_; }  // that it was made from; all 0 if from none

 private:
  const char* type_ = "PositionEncoding";
  PositionOptions options_{};
};

// Whether an encoding reads the options theta and factor; otherwise it ignores them.
struct PositionTraits { bool theta = false, factor = false; };

using PositionEncodingPtr = std::shared_ptr<PositionEncoding>;
using MakePositionEncoding = Factory<PositionEncodingPtr, PositionOptions, PositionTraits>;
const Table<MakePositionEncoding>& position_encodings();  // by name: "rope", "alibi", …
using PositionChoice = Choice<position_encodings>;        // a name in the table, or a MakePositionEncoding

// --- for the classes of encodings ------------------------------------------------------------------------------
// The distances j - i from each query i to each key j: i64 [T, S] or [B, T, S]. GraphError for undefined positions,
// DTypeError unless they are i64, ShapeError unless each is [T] or [B, T], ValueError for one beyond ±2⁵².
Tensor key_offsets(const Positions& positions);
// A bias of the scores from a table [n, H]: its rows `ids`, [T, S] or [B, T, S], as [H, T, S] or [B, H, T, S] in `dtype`.
Tensor bias_of_heads(const Tensor& table, const Tensor& ids, DType dtype);

}  // namespace gradus::nn
