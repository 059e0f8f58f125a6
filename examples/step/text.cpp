#include "examples/step/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/step/naive.h"
#include "examples/step/replay.h"
#include "examples/step/rule.h"
#include "examples/step/words.h"

namespace gradus::examples {
namespace {

using inspect::Trace;
using inspect::TracedTensor;
using inspect::Visit;
using Kind = TracedTensor::Kind;

constexpr std::size_t kWidth = 80, kRoom = 48;  // columns: of a line, of an array

void add(Lines& lines, const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); }

bool is_leaf(const TracedTensor& t) { return t.kind == Kind::leaf && t.requires_grad && !t.of_walk; }

Lines forward(const Trace& trace, bool ascii) {
  std::vector<Lines> rows;
  for (const TracedTensor& t : trace.tensors) {
    if (t.of_walk || (t.kind == Kind::constant && t.name.empty())) continue;
    StyledLine made;
    for (const std::uint64_t input : t.inputs) {
      if (input != 0) made.add(made.empty() ? "← " : ", ").add(called_short(trace.tensor(input)));
    }
    const std::string shape = t.values.shape.rank() > 0 ? t.values.shape.str() : "";
    rows.push_back({StyledLine("  ").add(called(t)), value_of(t, kRoom), StyledLine(is_written_out(t.values, kRoom) ? "" : shape), made});
  }
  Lines lines{StyledLine(Role::heading, "Forward: the tape, oldest first. Numbers count all tensors made, not only these.")};
  add(lines, aligned(rows, ascii));
  return lines;
}

Lines one_visit(const Replay& replay, std::size_t index) {
  const Trace& trace = replay.trace();
  const Visit& visit = trace.walk[index];
  const TracedTensor& y = trace.tensor(visit.tensor);
  const std::string formula = formula_of(trace, y), place = place_of(trace, y);
  StyledLine head = StyledLine(fmt::format("{:>3}. ", index + 1)).add(called(y));
  if (y.inputs.empty()) return {head.add(": complete, ").add(Role::gradient, brief(visit.gradient, kRoom))};
  if (!formula.empty()) head.add("   " + formula);
  if (!place.empty()) head.add(Role::soft, "   " + place);
  Lines lines{head, StyledLine("     ").add(names_line(trace, visit, kRoom))};
  for (std::size_t i = 0; i < visit.deliveries.size(); ++i) {
    for (const StyledLine& line : delivery_lines(replay, visit, i, true, kRoom)) lines.push_back(StyledLine("     ").add(line));
  }
  if (visit.deliveries.empty()) lines.push_back("     nothing goes on from here");
  return lines;
}

Lines leaves(const Replay& replay, bool ascii) {
  const Trace& trace = replay.trace();
  std::vector<Lines> rows;
  for (const TracedTensor& t : trace.tensors) {
    if (!is_leaf(t)) continue;
    const std::ptrdiff_t visit = replay.visit_of(t.number);
    StyledLine gradient = StyledLine("dL/d").add(called_short(t)).add(" = ");
    if (visit >= 0) {
      gradient.add(Role::gradient, brief(trace.walk[static_cast<std::size_t>(visit)].gradient, kRoom));
    } else if (const StyledLine cut = cut_of(trace, t); !cut.empty()) {
      gradient.add("nothing: ").add(cut);
    } else {
      gradient.add("nothing: no gradient came this way");
    }
    const inspect::Values* naive = naive_gradient(trace, t.number);
    const bool both = naive != nullptr && visit >= 0;
    const StyledLine beside =
        both ? compared("naive recursion: ", *naive, trace.walk[static_cast<std::size_t>(visit)].gradient, kRoom) : StyledLine();
    rows.push_back({StyledLine("  ").add(gradient), beside});
  }
  Lines lines{StyledLine(Role::heading, "The leaves' gradients.")};
  add(lines, aligned(rows, ascii));
  for (const std::string& name : trace.unreached) {
    lines.push_back(fmt::format("  {}: no way leads to it from the output", name));
  }
  return lines;
}

}  // namespace

Lines walk_text(const Trace& trace, bool ascii) {
  const Replay replay(trace);
  Lines lines;
  if (!trace.title.empty()) add(lines, {StyledLine(Role::heading, trace.title), ""});
  add(lines, forward(trace, ascii));
  lines.push_back("");
  lines.push_back(StyledLine(Role::heading, "Backward: newest first, each tensor once, when its gradient is complete."));
  for (const inspect::Delivery& seed : trace.seeds) {
    lines.push_back(
        StyledLine("  0. the seed: dL/d").add(called_short(trace.tensor(seed.to))).add(" = ").add(Role::gradient, brief(seed.after)));
  }
  for (std::size_t i = 0; i < trace.walk.size(); ++i) add(lines, one_visit(replay, i));
  lines.push_back("");
  add(lines, leaves(replay, ascii));
  if (trace.naive) {
    lines.push_back(fmt::format("  {} here; naive recursion makes {}{}", plural(trace.walk.size(), "visit"),
                                trace.naive->complete ? "" : "more than ", trace.naive->visits));
    lines.push_back("");
    add(lines, naive_lines(trace, kWidth, ascii));
  }
  for (const std::string& note : trace.notes) lines.push_back("  note: " + note);
  Lines text;
  for (const StyledLine& line : lines) add(text, wrapped(ascii ? line.in_ascii() : line, kWidth, 9));
  return text;
}

}  // namespace gradus::examples
