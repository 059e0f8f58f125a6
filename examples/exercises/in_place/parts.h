// The parts of the small language model that can be exchanged: the library's, or a student's functions in their place.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/tensor/tensor.h"
#include "examples/exercises/in_place/training.h"

namespace gradus::exercises {

using Part = std::function<Tensor(const Tensor& x)>;  // a sublayer, or a norm
using Placement = std::function<Tensor(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2)>;
using Turn = std::function<Tensor(const Tensor& x, const Tensor& positions)>;

// What a head has of the tokens before: keys and values, and how many tokens it has read.
struct Kept {
  Tensor k, v;
  int64_t read = 0;
};

// Tensors of two axes are [rows, n], a row for each token of all texts, or [T, d], of one head; in f64.
struct Parts {
  std::function<Tensor(const Tensor& x, int64_t texts)> embed;  // of the embeddings, before the first block
  std::function<Tensor(const Tensor& x, const Tensor& gain, const Tensor& bias)> norm;
  bool has_bias = false;  // that of the norm
  std::function<Tensor(const Tensor& a, const Tensor& b)> product;  // of matrices
  std::function<Tensor(const Tensor& a, const Tensor& b)> multiply;
  std::function<Tensor(const Tensor& x)> activation;
  std::function<Tensor(const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3)> feed_forward;  // empty: of those above
  Turn rope;
  std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v)> attention;  // [H, T, d], causal
  std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v, const Turn& rope, Kept& kept)> cached;  // of new tokens; empty: no cache
  std::function<Tensor(const Tensor& x, int64_t heads)> split_heads;  // [B, T, H d] to [B, H, T, d]
  std::function<Tensor(const Tensor& x)> merge_heads;                 // and back
  std::vector<Placement> blocks;
  std::function<Tensor(const Tensor& scores, const Tensor& targets)> loss;  // of [rows, classes], [rows] (i64)
  Descent descent;
  std::function<Tensor(const Tensor& scores, const std::vector<int>& seen)> next;  // the probabilities of the next byte, [1, 256]
  int written = 0;  // bytes that are written after the training
};
Parts library_parts();
inline constexpr double kAlpha = 1.4;  // DeepNorm's α

}  // namespace gradus::exercises
