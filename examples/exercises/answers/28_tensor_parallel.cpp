// Exercise 28, tensor-parallel: one layer, split over ranks.                                          docs/ch13.md#dist-tensor-parallel
//
//   y = relu(x U + a) V + b      x, y [T, C]      U [C, F]      a [F]      V [F, C]      b [C]
//
// Each of n ranks has F / n of the hidden units: the columns of U, the numbers of a and the rows of V that belong to them. All have x,
// and all are to have y. So x is copied to the ranks before the layer, and what the ranks have is summed behind it: two ops, which
// send messages, forward or backward. Here they get what all ranks have, at [r] what rank r has, and give {y, dL/dx} of all ranks.
// All tensors are in f64, and slice(x, axis, begin, end) is x from `begin` to before `end` on that axis.
//! title: A layer split over ranks, and the two ops around it
//! minutes: 40
//! needs: rule-broadcast, ring-all-reduce
//! done: Two messages for a layer, one forward and one backward: each op's gradient is the other op.
#include "core/core.h"
#include "examples/exercises/rows.h"

using namespace gradus;

using Two = std::pair<Tensors, Tensors>;

// Every rank has the same x, does another share of the work with its y, and gets another gradient g[r] = dL/dy[r] for it.
Two copy_to_ranks(const Tensors& x, const Tensors& g) {
  // blank: what comes to each rank, forward and backward?
  //! One number of x grows by 0.1, on every rank: it is one x. Whose y move?
  //! Nothing is sent on the way forward. What each rank finds on the way back is but its own share.
  //! A value that several use gets the sum of their gradients, and all ranks go on with the walk.
  //! y[r] is x[r], and dL/dx is g[0] + g[1] + … on each rank: backward it is what sum_over_ranks is forward.
  Tensor sum = g[0];
  for (std::size_t r = 1; r < g.size(); ++r) sum = sum + g[r];
  Tensors y, dx;
  for (std::size_t r = 0; r < g.size(); ++r) {
    y.push_back(x[r]);
    //~ 6 tp/copy-divided: y.push_back(x[r] / static_cast<double>(x.size()));
    //? Which x must a rank have to compute with it what one rank alone would?
    //= each rank gets one n-th of x
    //~ 7 tp/copies-summed:
    //| Tensor all = x[0];
    //| for (std::size_t s = 1; s < x.size(); ++s) all = all + x[s];
    //| y.push_back(all);
    //? All have the same x. Which of the two ops has something to sum on the way forward?
    //= the copies are summed on the way forward: n times x
    dx.push_back(sum);
    //~ 1 tp/gradient-not-summed: dx.push_back(g[r]);
    //? One number of x grows by 0.1. Whose y move, and what does that do to L?
    //= each rank keeps the gradient of its own share: what was the same on all ranks drifts apart
    //~ 2 tp/gradient-averaged: dx.push_back(sum / static_cast<double>(g.size()));
    //? Two ranks have half of the work each: is the whole gradient the sum or the mean of theirs?
    //= the mean of the ranks' gradients, not their sum
    //~ 3 tp/rank-0-alone: dx.push_back(r == 0 ? sum : g[r]);
    //? Which ranks go on with the walk?
    //= the sum comes to rank 0 alone
    //~ 4 tp/gradient-of-rank-0: dx.push_back(g[0]);
    //? Which share of the work does g[0] know of?
    //= all get the gradient of rank 0
    //~ 5 tp/of-the-others: dx.push_back(sum - g[r]);
    //? Is a rank's own share a part of the whole?
    //= the sum lacks the rank's own gradient
  }
  return {y, dx};
  // end
}

// Every rank has another x, a part of a sum, and gets all of the sum, y. From there on all ranks do the same, so that they get the
// same g[r] = dL/dy, of one and the same loss.
Two sum_over_ranks(const Tensors& x, const Tensors& g) {
  // blank: what comes to each rank, forward and backward?
  //! One number of x[1] grows by 0.1. How far does y move, and on which ranks?
  //! The sum is the message of the way forward. What of the way back does a rank not know already?
  //! All ranks have the same y and the same loss: n copies of one gradient, not n shares of it.
  //! y is x[0] + x[1] + … on each rank, and dL/dx[r] is g[r]: backward it is what copy_to_ranks is forward.
  Tensor sum = x[0];
  for (std::size_t r = 1; r < x.size(); ++r) sum = sum + x[r];
  //+ Tensor sum_of_g = g[0];
  //+ for (std::size_t r = 1; r < g.size(); ++r) sum_of_g = sum_of_g + g[r];
  //+ const double n = static_cast<double>(x.size());
  Tensors y, dx;
  for (std::size_t r = 0; r < x.size(); ++r) {
    y.push_back(sum);
    //~ 3 tp/averaged: y.push_back(sum / n);
    //? Two ranks have half of the products each: is the whole the sum or the mean of theirs?
    //= the mean of what the ranks have
    //~ 4 tp/not-summed: y.push_back(x[r]);
    //? Which products does x[r] lack?
    //= each rank goes on with its own part
    //~ 5 tp/rank-0-alone: y.push_back(r == 0 ? sum : x[r]);
    //? Which ranks go on with y?
    //~ 6 tp/summed-so-far:
    //| Tensor so_far = x[0];
    //| for (std::size_t s = 1; s <= r; ++s) so_far = so_far + x[s];
    //| y.push_back(so_far);
    //? Do all ranks have the same y?
    //= rank r gets the sum of the ranks up to it
    dx.push_back(g[r]);
    //~ 1 tp/gradient-summed-again: dx.push_back(sum_of_g);
    //? One number of x[r] grows by 0.1: how far does y move? And L, of which there is one?
    //= the gradients of all ranks are summed, though all are of one loss: n times too large
    //~ 2 tp/gradient-divided: dx.push_back(g[r] / n);
    //? One number of x[r] grows by 0.1: how far does y move?
    //= the gradient is divided by n
    //~ 7 tp/gradient-at-rank-0: dx.push_back(r == 0 ? g[r] : zeros_like(g[r]));
    //? Does x[1] move y?
    //= rank 0 alone gets a gradient
  }
  return {y, dx};
  // end
}

// What this rank gives to sum_over_ranks: its part of y. All parts together are y; b is added once. It gets the weights whole, and
// uses of them only what it would have.
Tensor part_of_layer(const Tensor& x, const Tensor& u, const Tensor& a, const Tensor& v, const Tensor& b, int64_t rank, int64_t ranks) {
  // blank: which columns, which rows, and whose b?
  //! A hidden unit is one column of U, one number of a and one row of V. Can a rank compute its unit without asking the others?
  //! relu stands between the two products: what it reads must be complete on one rank. So U is cut one way, and V the other.
  //! Each unit belongs to one rank, and so does b: what every rank adds is n times in the sum.
  //! relu of x times this rank's columns of U plus its numbers of a, times its rows of V; and b, on rank 0.
  const int64_t own = u.size(1) / ranks, begin = rank * own, end = begin + own;
  //~ 6 tp/first-part-always: const int64_t own = u.size(1) / ranks, begin = 0, end = own;
  //? Which hidden units has rank 1?
  //= every rank takes the first F / n units
  //+ const double n = static_cast<double>(ranks);
  //+ const int64_t from = x.size(1) * rank / ranks, to = x.size(1) * (rank + 1) / ranks;
  Tensor hidden = relu(matmul(x, slice(u, 1, begin, end)) + slice(a, 0, begin, end));
  //~ 1 (convention) tp/every-nth: Tensor hidden = relu(matmul(x, slice(u, 1, rank, u.size(1), ranks)) + slice(a, 0, rank, u.size(1), ranks));
  //= rank r has the units r, r + n, r + 2n …
  //~ 2 tp/rows-first: Tensor hidden = relu(matmul(slice(x, 1, from, to), slice(u, 0, from, to)) + a);
  //? Is relu(p + q) the sum of relu(p) and relu(q)?
  //= U is split by rows: relu comes before the sum that it should see
  //~ 4 tp/inner-bias-missing: Tensor hidden = relu(matmul(x, slice(u, 1, begin, end)));
  //? What is a hidden unit where x is 0?
  //= a is not added
  //~ 5 tp/activation-missing: Tensor hidden = matmul(x, slice(u, 1, begin, end)) + slice(a, 0, begin, end);
  //? What becomes of a hidden unit below 0?
  //= relu is missing
  //~ 7 tp/inner-bias-of-first: Tensor hidden = relu(matmul(x, slice(u, 1, begin, end)) + slice(a, 0, 0, own));
  //? Which numbers of a belong to this rank's units?
  //= every rank adds the first F / n numbers of a
  //~ 15 tp/whole-on-each: Tensor hidden = relu(matmul(x, u) + a);
  //? What do n whole layers sum to?
  //= every rank computes the whole layer
  Tensor part = matmul(hidden, slice(v, 0, begin, end));
  //~ also tp/every-nth: Tensor part = matmul(hidden, slice(v, 0, rank, u.size(1), ranks));
  //~ also tp/rows-first: Tensor part = matmul(hidden, v);
  //~ also tp/whole-on-each: Tensor part = matmul(hidden, v);
  //~ 8 tp/rows-of-first: Tensor part = matmul(hidden, slice(v, 0, 0, own));
  //? Which rows of V meet this rank's units?
  //= every rank takes the first F / n rows of V
  //~ 9 tp/rows-reversed: Tensor part = matmul(hidden, slice(v, 0, u.size(1) - end, u.size(1) - begin));
  //? Which rows of V meet this rank's units?
  //= the rows of V are counted from the last rank
  //~ 10 tp/part-divided: Tensor part = matmul(hidden, slice(v, 0, begin, end)) / n;
  //? All parts together are y: sum or mean?
  //= each part is divided by n
  return rank == 0 ? part + b : part;
  //~ 3 tp/bias-on-each-rank: return part + b;
  //? How often is b in the sum?
  //= every rank adds b: it is n times in y
  //@ MinivLLM#80, slapo#10, Paddle PR35186
  //~ 11 (convention) tp/bias-shared: return part + b / n;
  //= every rank adds b / n
  //~ 12 (convention) tp/bias-on-last-rank: return rank == ranks - 1 ? part + b : part;
  //= the last rank adds b, not the first
  //~ 13 tp/bias-missing: return part;
  //? What is y where all hidden units are 0?
  //= no rank adds b
  //~ 14 tp/relu-of-part: return relu(rank == 0 ? part + b : part);
  //? Is y ever below 0?
  //= relu comes a second time, behind V
  // end
}

// How long is the gradient of the whole model? split[r] is the gradient of the weights that rank r alone has, whole[r] that of those
// that all ranks have, the same on each. To be given is the length that one rank alone would find, which has all weights once.
double gradient_length(const Tensors& split, const Tensors& whole) {
  // blank: which squares, and how often each?
  //! A model of two weights, one on each rank, with the gradients 3 and 4. How long is the gradient of the model?
  //! Squares are summed, over all numbers that the model has. How many gains has it?
  //! What a rank alone has must come from all ranks; what all have is known already.
  //! The root of the squares of all split[r], and of one of whole.
  double squares = 0;
  //+ double of_whole = 0;
  //+ for (const Tensor& one : whole) of_whole += sum(square(one)).item() / static_cast<double>(whole.size());
  for (std::size_t r = 0; r < split.size(); ++r) {
    squares += sum(square(split[r])).item();
    //~ 5 dist/norms-summed: squares += std::sqrt(sum(square(split[r])).item());
    //? Two ranks have gradients 3 and 4 long, at right angles. How long are both together?
    //= the lengths are summed, not their squares
    //~ 7 dist/largest-norm: squares = std::max(squares, sum(square(split[r])).item());
    //? Two ranks have gradients 3 and 4 long, at right angles. How long are both together?
    //= the longest of the ranks' parts
  }
  //~ 2 dist/norm-of-shard: squares = sum(square(split[0])).item();
  //? By which factor would rank 0 clip, and by which rank 1?
  //= the part of rank 0 alone, with what all have
  //@ AReaL#312, llm.c PR524, Paddle PR35893
  squares += sum(square(whole[0])).item();
  //~ 1 dist/counted-again: squares += of_whole * static_cast<double>(whole.size());
  //? A gain that all ranks have: how many gains has the model?
  //= what all ranks have is counted n times
  //@ NeMo RL PR3788, TransformerEngine PR715, twinkle PR290
  //~ 3 dist/mean-of-norms:
  //| double lengths = 0;
  //| for (const Tensor& one : split) lengths += std::sqrt(sum(square(one)).item() + of_whole);
  //| return lengths / static_cast<double>(split.size());
  //? Two ranks have gradients 3 and 4 long, at right angles. How long are both together?
  //= the mean of the lengths that the ranks find by themselves
  //@ DeepSpeed#8475
  //~ 4 dist/whole-left-out: squares += 0;
  //? Does a gain's gradient count when the length is found?
  //= what all ranks have is left out
  //~ also dist/norms-summed: squares += std::sqrt(of_whole);
  //~ 6 dist/mean-of-squares: squares = squares / static_cast<double>(split.size()) + of_whole;
  //? Is a model's gradient shorter if more ranks have it?
  //= the squares are averaged over the ranks
  return std::sqrt(squares);
  //~ also dist/norms-summed: return squares;
  //~ 8 dist/root-missing: return squares;
  //? All gradients are twice as large: how much longer is yours?
  //= the square of the length
  // end
}
