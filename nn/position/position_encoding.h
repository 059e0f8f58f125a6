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

struct PositionOptions;

// What all encodings are: a class that overrides the hooks at which it acts. The others do nothing.
class PositionEncoding : public Module {
 public:
  PositionEncoding() = default;
  // For an encoding that is made from options, before its fields are: ValueError, beginning with its class's name, unless the
  // sizes are positive.
  PositionEncoding(const char* type, const PositionOptions& options);

  // Whether each layer has an encoding of its own, as a rule because it has so in the paper; else all layers share one.
  virtual bool per_layer() const { return false; }

  // The factor that a model applies to its embedding by default, so that the encoding does not drown it.
  virtual double embedding_scale(int64_t d_model) const;

  // The embedding x [B, T, C] with the encoding of its positions [T] or [B, T].
  virtual Tensor on_embedding(const Tensor& x, const Tensor& positions);
  // on_embedding for the next piece of a sequence, as in generation. `state` is what the encoding remembers of the pieces
  // before, undefined at the first; it is read and replaced.
  virtual Tensor on_next_embedding(const Tensor& x, const Tensor& positions, Tensor& state);
  // The queries [B, T, H, d], or keys [B, S, G, d], before scores are made of them; positions [T] or [B, T].
  virtual Tensor on_queries(const Tensor& q, const Tensor& positions);
  virtual Tensor on_keys(const Tensor& k, const Tensor& positions);
  // What is added to the scaled scores, of a shape that broadcasts to [B, H, T, S]; undefined for nothing. q [B, T, H, d]
  // and k [B, S, G, d] as attention takes them; `scale` is the factor of q · k.
  virtual Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale);
  // What is added to attention's result [B, T, H, d], given its probabilities [B, H, T, S]. Called only if acts_on_values()
  // is true, since the matrix of probabilities is costly.
  virtual bool acts_on_values() const { return false; }
  virtual Tensor on_values(const Tensor& probabilities, const Positions& positions);
};

struct PositionOptions {
  int64_t d_model;
  int64_t heads;
  int64_t head_dim;    // d_model / heads, unless told otherwise
  int64_t max_length;  // the longest sequence that tables are made for
  bool causal = true;  // whether queries see no later keys
  std::optional<double> theta = {}, factor = {};  // as in RopeOptions; none: the encoding's own
};

// Whether an encoding reads the options theta and factor; otherwise it ignores them.
struct PositionTraits {
  bool theta = false, factor = false;
};

using PositionEncodingPtr = std::shared_ptr<PositionEncoding>;
using MakePositionEncoding = Factory<PositionEncodingPtr, PositionOptions, PositionTraits>;
const Table<MakePositionEncoding>& position_encodings();  // by name: "rope", "alibi", …
using PositionChoice = Choice<position_encodings>;  // a name in the table, or a MakePositionEncoding

// --- what the encodings share ------------------------------------------------------------------------------
// The distances j - i from each query i to each key j: i64 [T, S] or [B, T, S]. GraphError for undefined positions,
// DTypeError unless they are i64, ShapeError unless each is [T] or [B, T], ValueError for one beyond ±2⁵².
Tensor key_offsets(const Positions& positions);
// The same for on_scores(q, k, …) of the class `who`, which the errors name: GraphError, DTypeError or ShapeError, too, unless
// q and k are [B, T, H, d] and [B, S, G, d] of one dtype, with T and S positions.
Tensor key_offsets(const char* who, const Tensor& q, const Tensor& k, const Positions& positions);
// ShapeError, DTypeError and GraphError, beginning with `who`, unless x is [B, T, width] and positions [T] or [B, T].
void check_embedding(const char* who, const Tensor& x, const Tensor& positions, int64_t width);

// A bias of the scores, read from a table [n, H] with a number for each head: its rows `ids`, [T, S] or [B, T, S], as
// [H, T, S] or [B, H, T, S] in `dtype`.
Tensor bias_of_heads(const Tensor& table, const Tensor& ids, DType dtype);

// The table's rows at these positions (i64), [..., width] in `dtype`. ValueError that names `who` and the remedy for a
// position outside the table.
Tensor rows_at(const char* who, const Tensor& table, const Tensor& positions, DType dtype,
               const char* remedy = "build it with a larger max_length");

}  // namespace gradus::nn
