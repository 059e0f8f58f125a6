// The pages beside the walk: values, source, help.
#include <fmt/format.h>

#include <algorithm>

#include "examples/shared/terminal/columns.h"
#include "examples/step/naive.h"
#include "examples/step/rule.h"
#include "examples/step/screen.h"
#include "examples/step/words.h"

namespace gradus::examples {
namespace {

using inspect::TracedTensor;
using inspect::Values;

void add_summary(Lines& lines, const Values& values) {
  const Measures m = measures(values);
  lines.push_back(fmt::format("{} elements; zeros {}, NaN {}, infinite {}; norm {}", m.count, m.zero, m.nan, m.inf, number(m.norm)));
  if (!values.summary) return;
  const Values::Summary& s = *values.summary;
  lines.push_back(fmt::format("least {}, greatest {}, mean {}, rms {}", number(s.min), number(s.max), number(s.mean), number(s.rms)));
  std::int64_t most = 1;
  for (const std::int64_t count : s.histogram) most = std::max(most, count);
  for (std::size_t i = 0; i < s.histogram.size(); ++i) {
    std::string bar;
    for (std::int64_t k = 0; k < (s.histogram[i] * 40 + most - 1) / most; ++k) bar += "█";
    const double from = s.min + (s.max - s.min) * static_cast<double>(i) / static_cast<double>(s.histogram.size());
    lines.push_back(
        StyledLine(fmt::format("{:>12} ", number(from))).add(Role::value, bar).add(Role::soft, fmt::format(" {}", s.histogram[i])));
  }
}

// The last two axes as a matrix; the axes before them one block below the other.
void add_matrix(Lines& lines, const std::vector<double>& all, const Shape& shape, Role role) {
  if (shape.numel() == 0 || static_cast<int64_t>(all.size()) != shape.numel()) return;
  const auto width = static_cast<std::size_t>(shape.rank() > 0 ? shape[-1] : 1);
  const auto height = static_cast<std::size_t>(shape.rank() > 1 ? shape[-2] : 1);
  std::size_t cell = 1;
  for (const double x : all) cell = std::max(cell, columns(number(x)));
  for (std::size_t row = 0; row < all.size() / width; ++row) {
    if (shape.rank() > 2 && row % height == 0) {
      lines.push_back(StyledLine(Role::soft, fmt::format("matrix {}", row / height)));
    }
    std::string text = fmt::format("{:>4} │", row % height);
    for (std::size_t i = 0; i < width; ++i) {
      const std::string shown = number(all[row * width + i]);
      text += std::string(cell + 2 - columns(shown), ' ') + shown;
    }
    lines.push_back({role, text});
  }
}

void add_values(Lines& lines, const StyledLine& title, const Values& values, Role role) {
  lines.push_back(StyledLine(title).add(" " + values.shape.str()));
  add_matrix(lines, values.all, values.shape, role);
  if (values.all.empty() && !values.corner.empty()) {
    lines.push_back(StyledLine(Role::soft, "the corner that the trace holds:"));
    add_matrix(lines, values.corner, values.corner_shape, role);
  }
  if (values.all.size() != 1) add_summary(lines, values);
  lines.push_back("");
}

Lines values_lines(const Stepper& stepper) {
  const TracedTensor& tensor = stepper.current();
  Lines lines;
  add_values(lines, StyledLine(Role::heading, "value of ").add(called(tensor)), tensor.values, Role::value);
  if (const Values* gradient = stepper.replay().gradient(tensor.number)) {
    add_values(lines, StyledLine(Role::heading, "its gradient"), *gradient, Role::gradient);
  } else {
    lines.push_back("No gradient has arrived yet.");
  }
  const auto arrivals = stepper.replay().arrivals(tensor.number);
  for (const inspect::Delivery* d : arrivals) {
    if (arrivals.size() > 1) {
      add_values(lines, StyledLine(Role::heading, "a contribution to it"), d->contribution, Role::gradient);
    }
  }
  return lines;
}

Lines source_lines(const Stepper& stepper) {
  const TracedTensor& tensor = stepper.current();
  const auto found = stepper.trace().ops.find(tensor.op);
  if (found == stepper.trace().ops.end()) {
    return {tensor.op.empty() ? StyledLine("A leaf: no op made it.")
                              : StyledLine("The trace does not say where " + tensor.op + " is written.")};
  }
  Lines lines;
  for (const std::string& formula : formulas_of(stepper.trace(), tensor)) lines.push_back({Role::formula, "  " + formula});
  if (!lines.empty()) lines.push_back("");
  if (!found->second.region.empty()) lines.push_back("Its formula id is " + found->second.region + ".");
  lines.push_back(StyledLine(place_of(stepper.trace(), tensor)).add(Role::soft, "  (▸ marks the backward rule)"));
  bool marked = false;
  for (const CodeLine& code : code_lines(stepper.trace(), tensor)) {
    marked = marked || code.rule;
    lines.push_back(
        StyledLine(code.rule ? Role::heading : Role::soft, fmt::format("{} {:>4} │ ", code.rule ? "▸" : " ", code.number)).add(code.text));
  }
  if (!marked) {
    lines.push_back("");
    lines.push_back("This is the formula. Value and gradient are computed by a kernel that the tests");
    lines.push_back(fmt::format("hold equal to it; it is named in line {}.", found->second.rule_line));
  }
  return lines;
}

// At most 78 columns.
Lines help_lines() {
  return {
      StyledLine(Role::heading, "Keys"),
      "  n p          to the end of this visit or of the next; back (also arrows)",
      "  d D          one delivery on; back",
      "  c            on until  op=mul  name=u  nan  zero  |g|>5  (Enter alone: again)",
      "  u            to the turn of a tensor, by its number or name",
      "  s v f        inside the rule, the ops it is made of; values; source",
      "  w            why an order: naive recursion, arrival by arrival",
      "  PgUp PgDn    more of the tape, where it is longer than its pane",
      "  Home End q   the beginning; the end; leave a page, or the stepper",
      "",
      StyledLine(Role::heading, "What you see"),
      "  The tape: each op, its inputs, its value. Numbers (#7) count all tensors made.",
      "  The backward pass walks it from the output to the leaves, each tensor once:",
      "    1. its gradient is complete: whatever used it is newer, and was visited;",
      "    2. the rule of its op makes of dL/dy a contribution to each input;",
      "    3. where contributions meet they are added: before + contribution = after.",
      "  Pending tensors wait, newest first. \"1 of 2\": one contribution has come, one",
      "  is to come. To go on at once would hand on the first now, and again with the",
      "  second: it would count twice. So naive recursion does (w).",
      StyledLine("  ").add(Role::formula, "a, b, x, y").add(" in a formula are the op's letters, not your variables."),
      StyledLine("  ▸ being visited   • visited   ◦ pending   ↑ shown above   ✓ delivered"),
      StyledLine(Role::value, "  values   ")
          .add(Role::gradient, "∂ gradients   ")
          .add(Role::parameter, "leaves   ")
          .add(Role::constant, "constants   ")
          .add(Role::formula, "formulas"),
  };
}

}  // namespace

PageText page_text(const Stepper& stepper, std::size_t width, bool ascii) {
  const std::string who = called(stepper.current()).text();
  switch (stepper.page()) {
    case Stepper::Page::values: return {"values of " + who, values_lines(stepper)};
    case Stepper::Page::code: return {"source of " + who, source_lines(stepper)};
    case Stepper::Page::inside: return {"inside the rule of " + who, inside_lines(stepper.replay(), stepper.current(), width)};
    case Stepper::Page::naive: return {"naive recursion", naive_lines(stepper.trace(), width, ascii)};
    case Stepper::Page::help:
    case Stepper::Page::walk: break;
  }
  return {"help", help_lines()};
}

}  // namespace gradus::examples
