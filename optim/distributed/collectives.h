// Collectives: what all ranks do together. Each is called by every rank with a buffer of the same length.
//
// The cost laws are those of Hockney (1994): a message of b bytes takes α + β b seconds, where α is the latency and 1/β the
// bandwidth; a rank sends and receives at the same time. n is the number of ranks, b the bytes of the buffer.
#pragma once

#include <string>
#include <vector>

#include "core/options/table.h"
#include "optim/distributed/link.h"

namespace gradus::distributed {

struct LinkCost {
  double latency = 0;    // α, in seconds
  double byte_time = 0;  // β, in seconds per byte
};

// A way to make everybody's numbers their sum over all ranks, x_r = Σ_s x_s, the same bits on every rank.
struct AllReduce {
  void (*f32)(Link& link, std::span<float> x);
  void (*f64)(Link& link, std::span<double> x);
  double (*cost)(int ranks, double bytes, const LinkCost& cost);  // seconds
  bool binary_tree;  // are numbers added as ((x₀ + x₁) + (x₂ + x₃)) + …, the same bits at 1, 2, 4 … ranks?

  void operator()(Link& link, std::span<float> x) const { f32(link, x); }
  void operator()(Link& link, std::span<double> x) const { f64(link, x); }
};
const Table<AllReduce>& all_reduces();  // "doubling", "halving", "tree", "ring", "mpi"

// Everybody sends all it has to its partner, at distance 1, 2, 4 …: log₂ n (α + β b). ValueError unless n is a power of 2,
// as for the next.
template <typename T> void doubling_all_reduce(Link& link, std::span<T> x);
// The halves of the buffer are exchanged and summed at distance 1, quarters at 2, …, until each rank has the sum of one part of n;
// then the parts come back (Rabenseifner, 2004): 2 log₂ n α + 2 (n - 1)/n β b.
template <typename T> void halving_all_reduce(Link& link, std::span<T> x);
// Sums go up a binomial tree to its root, rank 0, and the result down again: 2 ⌈log₂ n⌉ (α + β b).
template <typename T> void tree_all_reduce(Link& link, std::span<T> x);
// Each part of n goes once around the ring to be summed, and once more to be handed out (Patarasu and Yuan, 2009):
// 2 (n - 1) α + 2 (n - 1)/n β b. A part's sum begins at another rank: its bits depend on n.
template <typename T> void ring_all_reduce(Link& link, std::span<T> x);

// The part of a buffer of `size` that belongs to `rank` of `ranks`: they differ by one number at most.
struct Part { std::size_t begin, end; };
Part part_of(std::size_t size, int rank, int ranks);
template <typename T> std::span<T> part_of(std::span<T> x, int rank, int ranks) {
  const auto [begin, end] = part_of(x.size(), rank, ranks);
  return x.subspan(begin, end - begin);
}

// Afterwards part r of x is the sum on rank r alone, the other parts are undefined: (n - 1) (α + β b/n).
template <typename T> void reduce_scatter(Link& link, std::span<T> x);
// Everybody gets part r from rank r: (n - 1) (α + β b/n).
template <typename T> void all_gather(Link& link, std::span<T> x);
// The two phases of halving_all_reduce, log₂ n α + (n - 1)/n β b each: a rank gets the sum of halving_part(), then all get all.
template <typename T> std::span<T> halving_part(const Link& link, std::span<T> x);
template <typename T> std::span<T> halving_reduce_scatter(Link& link, std::span<T> x);  // this rank's part, summed
template <typename T> void doubling_all_gather(Link& link, std::span<T> x);
// Everybody gets the root's numbers: ⌈log₂ n⌉ (α + β b).
template <typename T> void broadcast(Link& link, std::span<T> x, int root = 0);

// The sum over all ranks of a few numbers, in the order of a binary tree.
double sum_over(Link& link, double own);

// On rank 0 the texts of all ranks, in their order; empty on the others.
std::vector<std::string> gather_texts(Link& link, const std::string& own);

}  // namespace gradus::distributed
