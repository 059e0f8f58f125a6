// Exercise 18, heads: columns that become heads, heads that become columns, and keys and values that serve several heads.
//                                                                                              docs/ch07.md#attn-multi-head
//   split_heads   x [B, T, H · d] to y [B, H, T, d]      y[b][h][t][c] = x[b][t][h · d + c]
//   merge_heads   x [B, H, T, d] to y [B, T, H · d], its way back
//   share_heads   x [B, G, T, d] to y [B, H, T, d]       head h is head ⌊h · G / H⌋ of x, where G divides H
//
// Use what moves tensors and has its gradient: reshape, permute or transpose, expand, cat and stack, slice …
// See also docs/ch07.md#attn-gqa.
#include "core/core.h"
#include "examples/exercises/rows.h"

using namespace gradus;

Tensor split_heads(const Tensor& x, int64_t heads) {
  // blank: a new shape, and a new order of its axes
  const Tensor apart = reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads});
  return permute(apart, {0, 2, 1, 3});
  // end
}

Tensor merge_heads(const Tensor& x) {
  // blank: the same steps back, in which order?
  const Tensor together = permute(x, {0, 2, 1, 3});
  return reshape(together, {x.size(0), x.size(2), x.size(1) * x.size(3)});
  // end
}

Tensor share_heads(const Tensor& x, int64_t heads) {
  // blank: each head H / G times, one after the other
  const int64_t batch = x.size(0), groups = x.size(1), length = x.size(2), width = x.size(3);
  const Tensor apart = reshape(x, {batch, groups, 1, length, width});
  return reshape(expand(apart, {batch, groups, heads / groups, length, width}), {batch, heads, length, width});
  // end
}
