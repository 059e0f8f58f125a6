#include "optim/distributed/link.h"

#include <vector>

namespace gradus::distributed {

// After round k a rank has heard, directly or not, from the 2^(k+1) ranks before it (Hensgen, Finkel and Manber, 1988).
void Link::barrier() {
  std::byte here{}, heard{};
  for (int distance = 1; distance < ranks_; distance *= 2) {
    exchange((rank_ + distance) % ranks_, {&here, 1}, (rank_ + ranks_ - distance) % ranks_, {&heard, 1});
  }
}

void Link::check_rank(const char* call, int other) const {
  check<ValueError>(other >= 0 && other < ranks_ && other != rank_, "{}: rank {} has no link to rank {}; there are {} ranks", call, rank_,
                    other, ranks_);
}

void Link::refuse_waiting(int other) const {
  throw IoError(fmt::format("rank {} has waited {:.3g} s for rank {}, which should take part in {}; rank {} hangs, or does something else",
                            rank_, patience_.count(), other, task_, other));
}

void check_same(Link& link, const std::string& what, std::uint64_t number) {
  link.set_task("the comparison of the " + what);
  const std::span<std::uint64_t> own(&number, 1);
  std::vector<std::uint64_t> all(static_cast<std::size_t>(link.ranks()), number);
  for (int distance = 1; distance < link.ranks(); ++distance) {
    const int to = (link.rank() + distance) % link.ranks(), from = (link.rank() + link.ranks() - distance) % link.ranks();
    exchange(link, to, own, from, std::span(&all[static_cast<std::size_t>(from)], 1));
  }
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    check<ValueError>(all[rank] == all[0], "the {} of rank {} are not those of rank 0; start all ranks from the same", what, rank);
  }
}

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace gradus::distributed
