// Position encodings: one small interface says where an encoding acts, so that attention does not know them by name.
#pragma once

#include <optional>

#include "core/table.h"
#include "nn/module.h"

namespace gradus::nn {

// Where the queries and the keys of one attention stand in their sequence: i64, [T] and [S], or [B, T] and [B, S].
struct Positions {
  Tensor queries;
  Tensor keys;
};

// An encoding overrides the hooks where it acts; at all others it does nothing.
class PositionEncoding : public Module {
 public:
  // Does each layer have tables and projections of its own, in the paper? Else one object serves all layers.
  virtual bool per_layer() const { return false; }

  // What a model multiplies its embedding by unless told otherwise, so that the encoding does not drown it.
  virtual double embedding_scale(int64_t d_model) const;

  // On the embedding: x [B, T, C], positions [T] or [B, T].
  virtual Tensor on_embedding(const Tensor& x, const Tensor& positions);
  // The same where a sequence comes piece by piece, as in generation: `state` is what the encoding remembers of the
  // pieces before, undefined at the first; read and replaced.
  virtual Tensor on_next_embedding(const Tensor& x, const Tensor& positions, Tensor& state);
  // On queries and keys before they meet: [B, T, H, d], positions as above.
  virtual Tensor on_queries(const Tensor& q, const Tensor& positions);
  virtual Tensor on_keys(const Tensor& k, const Tensor& positions);
  // On the scores: what is added to them, of a shape that broadcasts to [B, H, T, S]; undefined for nothing.
  // q [B, T, H, d] and k [B, S, G, d], as attention takes them; `scale` is what q · k is multiplied by.
  virtual Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale);
  // On the values: what is added to the result [B, T, H, d], given the probabilities [B, H, T, S]. Asked only where
  // acts_on_values is true, for it costs the matrix of probabilities.
  virtual bool acts_on_values() const { return false; }
  virtual Tensor on_values(const Tensor& probabilities, const Positions& positions);
};

struct PositionOptions {
  int64_t d_model;
  int64_t heads;
  int64_t head_dim;    // d_model / heads, unless told otherwise
  int64_t max_length;  // the longest sequence that tables are made for
  bool causal = true;  // will a query see no later key?
  std::optional<double> theta = {}, factor = {};  // as in RopeOptions; none: those of the row
};

// Which of the last two an encoding knows; the others it ignores.
struct PositionTraits {
  bool theta = false, factor = false;
};

using PositionEncodingPtr = std::shared_ptr<PositionEncoding>;
using MakePositionEncoding = Factory<PositionEncodingPtr, PositionOptions, PositionTraits>;
const Table<MakePositionEncoding>& position_encodings();
using PositionChoice = Choice<position_encodings>;  // a name in the table, or a MakePositionEncoding

// --- what the encodings share ------------------------------------------------------------------------------
// The distances j - i from each query i to each key j: i64 [T, S] or [B, T, S].
Tensor key_offsets(const Positions& positions);

// Of a table [n, H] of a number for each head, the rows `ids` [T, S] or [B, T, S] as a bias of the scores: [H, T, S] or
// [B, H, T, S], in `dtype`.
Tensor bias_of_heads(const Tensor& table, const Tensor& ids, DType dtype);

// The table's rows at the positions, [..., width] in `dtype`. ValueError naming `who` and the remedy for a place
// outside.
Tensor rows_at(const char* who, const Tensor& table, const Tensor& positions, DType dtype,
               const char* remedy = "build it with a larger max_length");

}  // namespace gradus::nn
