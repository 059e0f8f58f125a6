#include "examples/step/tree.h"

#include <algorithm>

namespace gradus::examples {

Tree::Tree(const inspect::Trace& trace, const std::vector<std::uint64_t>& roots,
           const std::function<bool(const inspect::TracedTensor&)>& stop) {
  std::vector<Row> pending;
  for (auto root = roots.rbegin(); root != roots.rend(); ++root) pending.push_back({*root});
  while (!pending.empty()) {
    Row row = pending.back();
    pending.pop_back();
    const inspect::TracedTensor& tensor = trace.tensor(row.number);
    const bool branches = !tensor.inputs.empty() && !stop(tensor);
    const bool met = !first_.emplace(row.number, rows_.size()).second;
    row.reference = met && tensor.kind != inspect::TracedTensor::Kind::constant;
    rows_.push_back(row);
    if (!branches || met) continue;
    const auto here = static_cast<std::ptrdiff_t>(rows_.size()) - 1;
    bool last = true;
    for (auto input = tensor.inputs.rbegin(); input != tensor.inputs.rend(); ++input) {
      if (*input == 0) continue;
      pending.push_back({*input, here, row.depth + 1, last, false});
      last = false;
    }
  }
}

std::size_t Tree::row_of(std::uint64_t number) const {
  const auto found = first_.find(number);
  return found == first_.end() ? 0 : found->second;
}

std::string Tree::guides(std::size_t index, std::size_t from_depth) const {
  std::vector<const char*> parts;  // from the row outwards
  for (const Row* row = &rows_[index]; row->depth > from_depth; row = &rows_[static_cast<std::size_t>(row->parent)]) {
    const bool own = row == &rows_[index];
    parts.push_back(own ? (row->last ? "└ " : "├ ") : (row->last ? "  " : "│ "));
  }
  std::string text;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) text += *part;
  return text;
}

}  // namespace gradus::examples
