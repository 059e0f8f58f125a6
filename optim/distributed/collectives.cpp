#include "optim/distributed/collectives.h"

#include <bit>
#include <cmath>
#include <vector>

#include "optim/distributed/mpi.h"

namespace gradus::distributed {
namespace {

template <typename T> void add_to(std::span<T> x, std::span<const T> other) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += other[i];
}

void check_power_of_two(const char* name, int ranks) {
  check<ValueError>(std::has_single_bit(static_cast<unsigned>(ranks)),
                    "{}: needs 1, 2, 4, 8 … ranks, got {}; a ring and a tree take any number", name, ranks);
}

double log2_up(int ranks) { return std::ceil(std::log2(ranks)); }
double all_but_one(int ranks) { return (ranks - 1.0) / ranks; }

}  // namespace

// #region dist-doubling
template <typename T> void doubling_all_reduce(Link& link, std::span<T> x) {
  check_power_of_two("doubling", link.ranks());
  std::vector<T> theirs(x.size());
  for (int distance = 1; distance < link.ranks(); distance *= 2) {
    const int partner = link.rank() ^ distance;
    exchange(link, partner, x, partner, std::span(theirs));
    add_to<T>(x, theirs);  // a + b = b + a: both get the same bits
  }
}
// #endregion dist-doubling

// #region dist-halving
// The nested halves of x that this rank goes through, the whole first; the last is its part.
template <typename T> std::vector<std::span<T>> halves(const Link& link, std::span<T> x) {
  std::vector<std::span<T>> all = {x};
  for (int distance = 1; distance < link.ranks(); distance *= 2) {
    all.push_back(part_of(all.back(), (link.rank() & distance) != 0 ? 1 : 0, 2));
  }
  return all;
}

// The half of `whole` that `half` is not.
template <typename T> std::span<T> other_half(std::span<T> whole, std::span<T> half) {
  return half.data() == whole.data() && half.size() < whole.size() ? whole.subspan(half.size()) : whole.first(whole.size() - half.size());
}

template <typename T> std::span<T> halving_part(const Link& link, std::span<T> x) {
  check_power_of_two("halving", link.ranks());
  return halves(link, x).back();
}

template <typename T> std::span<T> halving_reduce_scatter(Link& link, std::span<T> x) {
  check_power_of_two("halving", link.ranks());
  const std::vector<std::span<T>> all = halves(link, x);
  std::vector<T> theirs(x.size());
  for (std::size_t k = 0; k + 1 < all.size(); ++k) {
    const int partner = link.rank() ^ 1 << k;
    const std::span<T> kept = all[k + 1], room = std::span(theirs).first(kept.size());
    exchange(link, partner, other_half(all[k], kept), partner, room);
    add_to<T>(kept, room);
  }
  return all.back();
}

template <typename T> void doubling_all_gather(Link& link, std::span<T> x) {
  check_power_of_two("halving", link.ranks());
  const std::vector<std::span<T>> all = halves(link, x);
  for (std::size_t k = all.size() - 1; k-- > 0;) {
    const int partner = link.rank() ^ 1 << k;
    exchange(link, partner, all[k + 1], partner, other_half(all[k], all[k + 1]));
  }
}

template <typename T> void halving_all_reduce(Link& link, std::span<T> x) {
  halving_reduce_scatter(link, x);
  doubling_all_gather(link, x);
}
// #endregion dist-halving

// #region dist-tree
template <typename T> void tree_all_reduce(Link& link, std::span<T> x) {
  std::vector<T> theirs(x.size());
  for (int distance = 1; distance < link.ranks(); distance *= 2) {
    if ((link.rank() & distance) != 0) {
      send(link, link.rank() - distance, x);
      break;
    }
    if (link.rank() + distance >= link.ranks()) continue;
    receive(link, link.rank() + distance, std::span(theirs));
    add_to<T>(x, theirs);
  }
  broadcast(link, x);
}

// Counted from the root, rank r hears from r less its lowest bit, and tells those above it.
template <typename T> void broadcast(Link& link, std::span<T> x, int root) {
  const int n = link.ranks(), r = (link.rank() + n - root) % n;
  check<ValueError>(root >= 0 && root < n, "broadcast: there is no rank {} among {}", root, n);
  const auto rank_of = [&](int counted) { return (counted + root) % n; };
  int distance = 1;
  while (distance < n && (r & distance) == 0) distance *= 2;
  if (r != 0) receive(link, rank_of(r - distance), x);
  for (distance /= 2; distance > 0; distance /= 2) {
    if (r + distance < n) send(link, rank_of(r + distance), x);
  }
}
// #endregion dist-tree

// #region dist-ring
// In step s part r - s - 1 comes to rank r from the left, with the sum of s + 1 ranks in it; the last to come is part r.
template <typename T> void reduce_scatter(Link& link, std::span<T> x) {
  const int n = link.ranks(), r = link.rank(), left = (r + n - 1) % n, right = (r + 1) % n;
  std::vector<T> theirs(part_of(x, 0, n).size());
  for (int step = 1; step < n; ++step) {
    const std::span<T> going = part_of(x, (r + n - step) % n, n), kept = part_of(x, (r + 2 * n - step - 1) % n, n);
    const std::span<T> room = std::span(theirs).first(kept.size());
    exchange(link, right, going, left, room);
    add_to<T>(kept, room);
  }
}

template <typename T> void all_gather(Link& link, std::span<T> x) {
  const int n = link.ranks(), r = link.rank(), left = (r + n - 1) % n, right = (r + 1) % n;
  for (int step = 0; step < n - 1; ++step) {
    exchange(link, right, part_of(x, (r + n - step) % n, n), left, part_of(x, (r + 2 * n - step - 1) % n, n));
  }
}

template <typename T> void ring_all_reduce(Link& link, std::span<T> x) {
  reduce_scatter(link, x);
  all_gather(link, x);
}
// #endregion dist-ring

Part part_of(std::size_t size, int rank, int ranks) {
  const auto begin_of = [&](int r) {
    return (size * static_cast<std::size_t>(r) + static_cast<std::size_t>(ranks) - 1) / static_cast<std::size_t>(ranks);
  };
  return {begin_of(rank), begin_of(rank + 1)};
}

double sum_over(Link& link, double own) {
  tree_all_reduce(link, std::span(&own, 1));
  return own;
}

std::vector<std::string> gather_texts(Link& link, const std::string& own) {
  std::size_t size = own.size();
  if (link.rank() > 0) {
    send(link, 0, std::span(&size, 1));
    send(link, 0, std::span(own));
    return {};
  }
  std::vector<std::string> all = {own};
  for (int rank = 1; rank < link.ranks(); ++rank) {
    receive(link, rank, std::span(&size, 1));
    receive(link, rank, std::span(all.emplace_back(size, ' ')));
  }
  return all;
}

const Table<AllReduce>& all_reduces() {
  static const auto doubling = [](int n, double b, const LinkCost& c) { return log2_up(n) * (c.latency + c.byte_time * b); };
  static const auto halving = [](int n, double b, const LinkCost& c) {
    return 2 * log2_up(n) * c.latency + 2 * all_but_one(n) * c.byte_time * b;
  };
  static const auto tree = [](int n, double b, const LinkCost& c) { return 2 * log2_up(n) * (c.latency + c.byte_time * b); };
  static const auto ring = [](int n, double b, const LinkCost& c) {
    return 2 * (n - 1) * c.latency + 2 * all_but_one(n) * c.byte_time * b;
  };
  static const Table<AllReduce> table{
      "all-reduce",
      {{"doubling", "dist-doubling", {doubling_all_reduce<float>, doubling_all_reduce<double>, doubling, true}},
       {"halving", "dist-halving", {halving_all_reduce<float>, halving_all_reduce<double>, halving, true}},
       {"tree", "dist-tree", {tree_all_reduce<float>, tree_all_reduce<double>, tree, true}},
       {"ring", "dist-ring", {ring_all_reduce<float>, ring_all_reduce<double>, ring, false}},
       {"mpi", "dist-ring", {mpi_all_reduce, mpi_all_reduce, ring, false}}}};
  return table;
}

template void doubling_all_reduce(Link&, std::span<float>);
template void doubling_all_reduce(Link&, std::span<double>);
template void halving_all_reduce(Link&, std::span<float>);
template void halving_all_reduce(Link&, std::span<double>);
template void tree_all_reduce(Link&, std::span<float>);
template void tree_all_reduce(Link&, std::span<double>);
template void ring_all_reduce(Link&, std::span<float>);
template void ring_all_reduce(Link&, std::span<double>);
template void reduce_scatter(Link&, std::span<float>);
template void reduce_scatter(Link&, std::span<double>);
template void all_gather(Link&, std::span<float>);
template void all_gather(Link&, std::span<double>);
template std::span<float> halving_reduce_scatter(Link&, std::span<float>);
template std::span<double> halving_reduce_scatter(Link&, std::span<double>);
template void doubling_all_gather(Link&, std::span<float>);
template std::span<float> halving_part(const Link&, std::span<float>);
template void doubling_all_gather(Link&, std::span<double>);
template std::span<double> halving_part(const Link&, std::span<double>);
template void broadcast(Link&, std::span<float>, int);
template void broadcast(Link&, std::span<double>, int);
template void broadcast(Link&, std::span<std::byte>, int);

}  // namespace gradus::distributed
