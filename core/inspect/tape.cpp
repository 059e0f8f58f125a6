#include "core/inspect/tape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "core/io/print.h"
#include "core/tape/node.h"
#include "core/tensor/half.h"

namespace gradus::inspect {
namespace {

// --- the walk -----------------------------------------------------------------------------------------------

struct Walk {
  Tensors shown;  // newest first, at most `limit`
  int64_t ops = 0, leaves = 0;
  int64_t hidden() const { return ops + leaves - static_cast<int64_t>(shown.size()); }
};

// The engine's order: of all tensors found, the newest is next.
Walk walk(const Tensor& y, int64_t limit) {
  Walk result;
  std::map<std::uint64_t, Tensor, std::greater<>> pending{{y.number(), y}};
  while (!pending.empty()) {
    const Tensor x = pending.begin()->second;
    pending.erase(pending.begin());
    ++(x.is_leaf() ? result.leaves : result.ops);
    if (static_cast<int64_t>(result.shown.size()) < limit) result.shown.push_back(x);
    if (x.node() == nullptr) continue;
    for (std::size_t i = 0; i < x.node()->input_count(); ++i) {
      const Tensor& input = x.node()->input(i);
      if (input.defined() && input.requires_grad()) pending.emplace(input.number(), input);
    }
  }
  return result;
}

// --- words for a tensor -------------------------------------------------------------------------------------

class Names {
 public:
  explicit Names(const Options& options) {
    for (const auto& [name, x] : options.names) {
      if (x.defined()) names_[x.number()] = name;
    }
  }

  // Empty for a tensor without a name.
  std::string of(const Tensor& x) const {
    const auto found = names_.find(x.number());
    return found == names_.end() ? "" : found->second;
  }

  std::string after(const std::string& text, const Tensor& x) const {
    const std::string name = of(x);
    return name.empty() ? text : fmt::format("{} {}", text, name);
  }

 private:
  std::map<std::uint64_t, std::string> names_;
};

std::string number_of(const Tensor& x) { return fmt::format("#{}", x.number()); }

// The value of a tensor with one element, whatever its rank. (x.view({}) would do, and use up a number.)
std::string value_of(const Tensor& x) {
  if (x.numel() != 1) return "";
  const std::string text = fmt::format("{}", x);
  const std::size_t first = text.find_first_not_of('[');
  return text.substr(first, text.find_last_not_of(']') + 1 - first);
}

double length(const Tensor& x) {
  return dispatch(x.dtype(), [&]<typename T>() {
    double squares = 0;
    const T* data = x.data<T>();
    for (int64_t i = 0; i < x.numel(); ++i) squares += std::pow(static_cast<double>(data[i]), 2);
    return std::sqrt(squares);
  });
}

std::string gradient_of(const Tensor& x) {
  const Tensor grad = x.grad();
  if (!grad.defined()) return "";
  return grad.numel() == 1 ? fmt::format("grad {}", value_of(grad)) : fmt::format("|grad| {:.4g}", length(grad));
}

std::string op_or_leaf(const Tensor& x) {
  if (x.node() != nullptr) return x.node()->name();
  return x.is_leaf() ? "leaf" : "freed";
}

// A constant input: its value when it is one number.
std::string constant(const Tensor& x, const Names& names) {
  const std::string what = names.after("constant", x);
  if (x.numel() == 1) return what == "constant" ? value_of(x) : fmt::format("{} = {}", what, value_of(x));
  return fmt::format("{} {}", what, x.shape());
}

std::string inputs_of(const Tensor& x, const Names& names) {
  if (x.graph_freed()) return "(inputs freed by backward)";
  if (x.is_leaf()) return "";
  std::string text = "← ";
  for (std::size_t i = 0; i < x.node()->input_count(); ++i) {
    const Tensor& input = x.node()->input(i);
    if (!input.defined()) continue;
    if (i > 0) text += ", ";
    text += input.requires_grad() ? names.after(number_of(input), input) : constant(input, names);
    if (input.requires_grad() && input.is_leaf()) text += " (leaf)";
  }
  return text;
}

// --- text ---------------------------------------------------------------------------------------------------

using Row = std::array<std::string, 8>;

Row row_of(const Tensor& x, const Names& names) {
  return {number_of(x), names.of(x),    op_or_leaf(x),      x.shape().str(), std::string(name_of(x.dtype())),
          value_of(x),  gradient_of(x), inputs_of(x, names)};
}

// Characters, not bytes: of UTF-8 the continuation bytes are not counted.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Two spaces between columns; a column that is empty in all rows takes none.
std::string align(const std::vector<Row>& rows) {
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      const std::string padding(widths[i] - width(row[i]), ' ');
      line += "  " + (i == 0 ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string plural(int64_t count, const char* one, const char* many) { return fmt::format("{} {}", count, count == 1 ? one : many); }

// --- drawing ------------------------------------------------------------------------------------------------

// The lines as one quoted label; empty lines are left out.
std::string label(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    if (line.empty()) continue;
    if (!text.empty()) text += "\\n";
    for (char c : line) {
      if (c == '"' || c == '\\') text += '\\';
      text += c == '\n' ? ' ' : c;
    }
  }
  return '"' + text + '"';
}

class Drawing {
 public:
  Drawing(const Tensor& y, const Options& options) : y_(y), names_(options), walk_(walk(y, options.limit)) {
    for (const Tensor& x : walk_.shown) drawn_.insert(x.number());
  }

  std::string text() {
    out_ =
        "digraph tape {\n"
        "  graph [bgcolor=transparent, nodesep=0.25, ranksep=0.3]\n"
        "  node [fontname=\"DejaVu Sans\", fontsize=11, color=\"#5b6770\", fontcolor=\"#1c2329\", style=filled]\n"
        "  edge [color=\"#7c8a94\", arrowsize=0.6]\n";
    for (const Tensor& x : walk_.shown) {
      box(x, x.same_as(y_) ? "#fce3b4" : x.is_leaf() ? "#cfe9d4" : "#ffffff");
      if (!x.is_leaf()) op(x);
    }
    if (walk_.hidden() > 0) {
      out_ += fmt::format("  more [shape=box, style=\"dashed,rounded\", label=\"… and {} more\"]\n", walk_.hidden());
    }
    return out_ + "}\n";
  }

 private:
  void box(const Tensor& x, const char* fill) {
    const std::string value = value_of(x);
    out_ += fmt::format("  t{} [shape=box, style=\"filled,rounded\", fillcolor=\"{}\", label={}]\n", x.number(), fill,
                        label({names_.after(number_of(x), x), fmt::format("{} {}", x.shape(), x.dtype()), value.empty() ? "" : "= " + value,
                               gradient_of(x)}));
  }

  // The op that made y, with its edges. A freed op has lost its inputs.
  void op(const Tensor& y) {
    const bool freed = y.graph_freed();
    out_ += fmt::format("  op{0} [shape=ellipse, style=\"{1}\", fillcolor=\"#d8e6f6\", label={2}]\n  op{0} -> t{0}\n", y.number(),
                        freed ? "filled,dashed" : "filled", label({op_or_leaf(y)}));
    if (freed) return;
    for (std::size_t i = 0; i < y.node()->input_count(); ++i) {
      const Tensor& x = y.node()->input(i);
      if (!x.defined()) continue;
      if (!x.requires_grad() && drawn_.insert(x.number()).second) box(x, "#e9ecee");
      const bool hidden = drawn_.count(x.number()) == 0;
      out_ += fmt::format("  {} -> op{}{}\n", hidden ? "more" : fmt::format("t{}", x.number()), y.number(),
                          x.requires_grad() ? "" : " [style=dashed]");
    }
  }

  const Tensor y_;
  const Names names_;
  const Walk walk_;
  std::set<std::uint64_t> drawn_;
  std::string out_;
};

}  // namespace

std::string tape(const Tensor& y, const Options& options) {
  if (!y.defined()) return "an undefined tensor has no tape\n";
  const Names names(options);
  const std::string what = fmt::format("{} ({} {})", names.after(number_of(y), y), y.shape(), y.dtype());
  if (!y.requires_grad()) return fmt::format("{} is a constant: nothing is on the tape\n", what);
  if (y.is_leaf()) return fmt::format("{} is a leaf: no op made it\n", what);
  if (y.graph_freed()) {
    return fmt::format("the tape of {} was freed by an earlier backward; call backward({{loss}}, {{}}, true) to keep it\n", what);
  }
  const Walk found = walk(y, options.limit);
  std::vector<Row> rows;
  for (const Tensor& x : found.shown) rows.push_back(row_of(x, names));
  return fmt::format("tape of {}: {}, {}, newest first\n{}{}", names.after(number_of(y), y), plural(found.ops, "op", "ops"),
                     plural(found.leaves, "leaf", "leaves"), align(rows),
                     found.hidden() > 0 ? fmt::format("  … and {} more\n", found.hidden()) : "");
}

std::string dot(const Tensor& y, const Options& options) {
  check<ValueError>(y.defined(), "dot: an undefined tensor has no graph");
  return Drawing(y, options).text();
}

}  // namespace gradus::inspect
