// The parts of a small GPT that can be exchanged: the library's, or a student's functions in their place.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/tensor/tensor.h"
#include "examples/exercises/in_place/training.h"

namespace gradus::exercises {

using Part = std::function<Tensor(const Tensor& x)>;  // a sublayer, or a norm
using Turn = std::function<Tensor(const Tensor& x, const Tensor& positions)>;

// What a head has of the tokens before: keys and values, and how many tokens it has read.
struct Kept {
  Tensor k, v;
  int64_t read = 0;
};

// Tensors of two axes are [rows, n], a row for each token of all texts, or [T, d], of one head; in f64.
struct Parts {
  std::function<Tensor(const Tensor& x, const Tensor& gain)> norm;
  std::function<Tensor(const Tensor& a, const Tensor& b)> product;  // of matrices
  std::function<Tensor(const Tensor& a, const Tensor& b)> multiply;
  std::function<Tensor(const Tensor& x)> activation;
  std::function<Tensor(const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3)> feed_forward;  // empty: of those above
  Turn rope;
  std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v)> attention;  // [H, T, d], causal
  std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v, const Turn& rope, Kept& kept)>
      cached;                                                         // of new tokens; empty: no cache
  std::function<Tensor(const Tensor& x, int64_t heads)> split_heads;  // [B, T, H d] to [B, H, T, d]
  std::function<Tensor(const Tensor& x)> merge_heads;                 // and back
  std::function<Tensor(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2)> placement;
  std::function<Tensor(const Tensor& scores, const Tensor& targets)> loss;  // of a text: of [T, classes], [T] (i64)
  std::function<Tensor(const Tensors& losses)> mean;                        // of the texts
  Descent descent;
  std::function<Tensor(const Tensor& scores, const std::vector<int>& seen, double temperature)> next;  // probabilities, [1, 256]
};
Parts library_parts();

// The first block is made of whole functions, the second of their pieces: so each has a place. All around the blocks is the first's.
struct GptParts { Parts whole = library_parts(), pieces = library_parts(); };

}  // namespace gradus::exercises
