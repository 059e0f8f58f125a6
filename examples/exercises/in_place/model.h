// A small language model whose parts can be exchanged: the library's, or a student's functions in their place.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::exercises {

// AdamW's ε. It is large, as a small one makes steps of what is only rounding in a gradient, and two trainings drift apart.
inline constexpr double kEps = 1e-3;

struct Optimized {
  Tensor value, m, v;
};

// x, q, k, v are [T, d] or [rows, n], in f64.
struct Parts {
  std::function<Tensor(const Tensor& x, const Tensor& gain)> norm;
  std::function<Tensor(const Tensor& x)> activation;
  std::function<Tensor(const Tensor& x)> rope;                                           // of one head, positions 0 … T−1
  std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v)> attention;    // of one head, causal
  std::function<Tensor(const Tensor& x, int64_t heads)> split_heads;                     // [B, T, H d] to [B, H, T, d]
  std::function<Tensor(const Tensor& x)> merge_heads;                                    // and back
  std::function<Tensor(const Tensor& scores, const Tensor& targets)> loss;               // of [rows, classes], [rows] (i64)
  std::function<void(Optimized& p, int t, double lr)> optimize;
};
Parts library_parts();

// What a training has seen: the loss of each step; and of its first step, each result and gradient by name.
struct Training {
  std::vector<double> losses;
  std::vector<std::pair<std::string, Tensor>> seen;
};

// Trains on the text from the same start each time. `tell` hears of the step and its loss.
Training train_with(const Parts& parts, int steps, const std::function<void(int, double)>& tell = {});

// The first of what both have seen that differs by more than a millionth; "" if nothing does.
std::string first_difference(const Training& mine, const Training& reference);

}  // namespace gradus::exercises
