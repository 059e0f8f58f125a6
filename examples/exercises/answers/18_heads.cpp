// Exercise 18, heads: columns that become heads, heads that become columns, and keys and values that serve several heads.
//                                                                                              docs/ch07.md#attn-multi-head
//   split_heads   x [B, T, H · d] to y [B, H, T, d]      y[b][h][t][c] = x[b][t][h · d + c]
//   merge_heads   x [B, H, T, d] to y [B, T, H · d], its way back
//   share_heads   x [B, G, T, d] to y [B, H, T, d]       head h is head ⌊h · G / H⌋ of x, where G divides H
//
// Use what moves tensors and has its gradient: reshape, permute or transpose, expand, cat and stack, slice …
// See also docs/ch07.md#attn-gqa.
//! title: Heads apart, heads together, and heads that are shared
//! minutes: 25
//! needs: attention
//! done: Shapes were right in most of the wrong answers: reshape gives the shape you ask for, whatever numbers come to stand in it.
#include "core/core.h"
#include "examples/exercises/rows.h"

using namespace gradus;

Tensor split_heads(const Tensor& x, int64_t heads) {
  // blank: a new shape, and a new order of its axes
  //! Two tokens lie in memory as: head 0 of the first, head 1 of the first, head 0 of the second … In which order do you want them?
  //! reshape moves nothing in memory; it only reads it with other sizes. What moves numbers is permute, and transpose.
  //! Cut an axis into two where it stands, the left one first; only then change the order of the axes.
  //! [B, T, H · d] is read as [B, T, H, d], whose second and third axes are then exchanged.
  const Tensor apart = reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads});
  //~ 2 attn/heads-interleaved: const Tensor apart = transpose(reshape(x, {x.size(0), x.size(1), x.size(2) / heads, heads}), 2, 3);
  //? Are the numbers of one head neighbours in x?
  //= head h takes the columns h, h + heads, …
  return permute(apart, {0, 2, 1, 3});
  //~ 1 attn/split-without-transpose: return reshape(apart, {x.size(0), heads, x.size(1), x.size(2) / heads});
  //? Which columns of x has the first head of the second token?
  //~ 3 attn/batch-and-heads-exchanged: return reshape(permute(apart, {2, 0, 1, 3}), {x.size(0), heads, x.size(1), x.size(2) / heads});
  //? Do both texts keep their own heads?
  //= [H, B, T, d], read as [B, H, T, d]
  //@ lsdefine#36
  //~ 4 attn/transposed-before-split: return reshape(transpose(x, 1, 2), {x.size(0), heads, x.size(1), x.size(2) / heads});
  //? When you cut the columns into heads, are they still the last axis?
  //= [B, H · d, T], read as [B, H, T, d]
  //~ 5 attn/first-head-repeated: return expand(slice(permute(apart, {0, 2, 1, 3}), 1, 0, 1), {x.size(0), heads, x.size(1), x.size(2) / heads});
  //? Which columns are the second head's?
  //= every head is the first head again
  // end
}

Tensor merge_heads(const Tensor& x) {
  // blank: the same steps back, in which order?
  //! Which numbers of x make one row of y, and how far apart are they in memory?
  //! The two steps of split_heads backwards: what came last there comes first here.
  //! Axes may be joined only where they are neighbours and the left one is the outer one. Split, then merged, is x again.
  //! [B, H, T, d] with its second and third axes exchanged is [B, T, H, d], whose last two axes are then read as one.
  const Tensor together = permute(x, {0, 2, 1, 3});
  //~ 1 attn/merge-without-transpose: const Tensor together = x;
  //? Which numbers of x belong to the first token?
  //~ 2 attn/heads-interleaved: const Tensor together = permute(x, {0, 2, 3, 1});
  //? Are the numbers of one head neighbours in y?
  //= head h takes the columns h, h + heads, …
  //~ 3 attn/batch-and-heads-exchanged: const Tensor together = permute(reshape(x, {x.size(1), x.size(0), x.size(2), x.size(3)}), {1, 2, 0, 3});
  //= [H, B, T, d], read as [B, H, T, d]
  //@ lsdefine#36
  //~ 4 attn/merge-of-turned-heads: const Tensor together = transpose(x, 2, 3);
  //? Which axis should stand beside the heads when they become columns?
  //= [B, H, d, T], read as [B, T, H · d]
  //~ 5 attn/first-head-repeated: const Tensor together = permute(expand(slice(x, 1, 0, 1), x.shape()), {0, 2, 1, 3});
  //= every head is the first head again
  //~ 6 attn/length-not-second: const Tensor together = permute(x, {0, 3, 2, 1});
  //? Is the second axis of what you reshape that of the tokens?
  //= [B, d, T, H], read as [B, T, H · d]
  return reshape(together, {x.size(0), x.size(2), x.size(1) * x.size(3)});
  // end
}

Tensor share_heads(const Tensor& x, int64_t heads) {
  // blank: each head H / G times, one after the other
  //! Two heads become four. Which heads of y are copies of the first head of x: 0 and 1, or 0 and 2?
  //! A new axis of size 1 is stretched, and joined with that of the heads: on which side of it must it stand?
  //! Each head of x is in y H / G times, the copies side by side, and its gradient is the sum of theirs.
  //! [B, G, 1, T, d], stretched to [B, G, H / G, T, d], and read as [B, H, T, d].
  const int64_t batch = x.size(0), groups = x.size(1), length = x.size(2), width = x.size(3);
  const Tensor apart = reshape(x, {batch, groups, 1, length, width});
  //~ 1 attn/kv-heads-tiled: const Tensor apart = reshape(x, {batch, 1, groups, length, width});
  //? Which two heads of y are copies of the first head of x?
  //~ 2 attn/repeated-over-batch: const Tensor apart = reshape(x, {1, batch, groups, length, width});
  //? Does the second text still have its own numbers?
  //= all of x is repeated, text after text
  //~ 3 attn/repeated-over-tokens: const Tensor apart = reshape(x, {batch, groups, length, 1, width});
  //? Does a head have each of its tokens once?
  //= each token is repeated, not each head
  //~ 4 attn/repeated-over-numbers: const Tensor apart = reshape(x, {batch, groups, length, width, 1});
  //? Does a token have each of its numbers once?
  //= each number is repeated, not each head
  return reshape(expand(apart, {batch, groups, heads / groups, length, width}), {batch, heads, length, width});
  //~ also attn/kv-heads-tiled: return reshape(expand(apart, {batch, heads / groups, groups, length, width}), {batch, heads, length, width});
  //~ also attn/repeated-over-batch: return reshape(expand(apart, {heads / groups, batch, groups, length, width}), {batch, heads, length, width});
  //~ also attn/repeated-over-tokens: return reshape(expand(apart, {batch, groups, length, heads / groups, width}), {batch, heads, length, width});
  //~ also attn/repeated-over-numbers: return reshape(expand(apart, {batch, groups, length, width, heads / groups}), {batch, heads, length, width});
  //~ 5 attn/first-group-alone: return expand(slice(x, 1, 0, 1), {batch, heads, length, width});
  //? Who reads the second head of x?
  //= every head is the first one of x
  // end
}
