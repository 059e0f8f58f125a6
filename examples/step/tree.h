// The tape as a tree: an op, and below it what it was made from. A tensor that is used more than once has its branch where
// it is met first; elsewhere stands a reference to it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/inspect/trace.h"

namespace gradus::examples {

class Tree {
 public:
  struct Row {
    std::uint64_t number = 0;
    std::ptrdiff_t parent = -1;  // a row above
    std::size_t depth = 0;
    bool last = true;  // of its parent's
    bool reference = false;
  };

  // From the roots down to what `stop` says has no branches here. Nothing is recursive: 10⁵ rows of depth are no trouble.
  Tree(const inspect::Trace& trace, const std::vector<std::uint64_t>& roots, const std::function<bool(const inspect::TracedTensor&)>& stop);

  const std::vector<Row>& rows() const { return rows_; }
  std::size_t row_of(std::uint64_t number) const;  // with the branch; 0 for a tensor that is not here

  // The guides before row i, "│ └ ", from this depth on: what is left of it is scrolled away.
  std::string guides(std::size_t row, std::size_t from_depth) const;

 private:
  std::vector<Row> rows_;
  std::unordered_map<std::uint64_t, std::size_t> first_;
};

}  // namespace gradus::examples
