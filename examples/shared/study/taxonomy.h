// Absolute or relative, learned or fixed, and where it acts: an encoding's place among all, found by asking it.
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::examples {

struct Taxonomy {
  enum class Kind { none, absolute, relative };
  Kind kind;  // absolute if it acts on the embedding, where each position is alone; relative where two positions meet
  bool learned;
  bool on_embedding, on_queries_and_keys, on_scores, on_values;

  std::string str() const;  // "relative, learned: scores, values"
};

// `options` are those the encoding was made with.
Taxonomy taxonomy_of(nn::PositionEncoding& position, const nn::PositionOptions& options);

}  // namespace gradus::examples
