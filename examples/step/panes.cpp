#include "examples/step/panes.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/step/rule.h"
#include "examples/step/words.h"

namespace gradus::examples {

using inspect::TracedTensor;
using inspect::Visit;

namespace {

constexpr std::size_t kShort = 14;  // columns for a number, or an array, beside others

}  // namespace

// --- the tape -----------------------------------------------------------------------------------------------

namespace {

struct Mark {
  Role role;
  const char* text;
};

Mark mark_of(const Stepper& stepper, std::uint64_t number) {
  const Replay& replay = stepper.replay();
  if (replay.visit() != nullptr && stepper.current().number == number) return {Role::heading, "▸ "};
  if (replay.visited(number)) return {Role::right, "• "};
  return replay.pending().count(number) > 0 ? Mark{Role::gradient, "◦ "} : Mark{Role::plain, "  "};
}

// Columns that a row of the tape may use, and how deep it is indented.
struct Rooms { std::size_t name, value, gradient, levels; };

Lines tree_row(const Stepper& stepper, std::size_t index, std::size_t from_depth, const Rooms& rooms) {
  const Tree::Row& row = stepper.tree().rows()[index];
  const TracedTensor& tensor = stepper.trace().tensor(row.number);
  const Mark mark = mark_of(stepper, row.number);
  StyledLine name = StyledLine(mark.role, mark.text);
  name.add(Role::soft, (row.depth < from_depth ? "… " : "") + stepper.tree().guides(index, from_depth));
  if (row.reference) return {name.add(Role::soft, "↑ " + called(tensor, rooms.name).text())};
  const bool now = mark.role == Role::heading;
  name.add(now ? StyledLine(Role::heading, called(tensor, rooms.name).text()) : called(tensor, rooms.name));
  if (tensor.kind == TracedTensor::Kind::constant && called(tensor).text() == value_of(tensor).text()) return {name};
  const inspect::Values* gradient = stepper.replay().gradient(row.number);
  StyledLine sum;
  if (gradient != nullptr) sum.add("∂ ").add(Role::gradient, brief(*gradient, rooms.gradient));
  return {name, value_of(tensor, rooms.value), sum};
}

// The first row that is shown: the current tensor is in the middle, unless the tape is scrolled.
std::size_t first_row(const Stepper& stepper, std::size_t height) {
  const auto current = static_cast<std::ptrdiff_t>(stepper.tree().row_of(stepper.current().number));
  const auto count = static_cast<std::ptrdiff_t>(stepper.tree().rows().size());
  const auto shown = static_cast<std::ptrdiff_t>(height);
  const std::ptrdiff_t last = std::max<std::ptrdiff_t>(count - shown, 0);
  const std::ptrdiff_t middle = std::clamp<std::ptrdiff_t>(current - shown / 2, 0, last);
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(middle + stepper.tape_scroll(), 0, last));
}

}  // namespace

// Indentation gives way first, then values, then names, gradients last.
Lines tree_lines(const Stepper& stepper, std::size_t width, std::size_t height, bool ascii) {
  const Tree& tree = stepper.tree();
  const std::size_t first = first_row(stepper, height), end = std::min(first + height, tree.rows().size());
  const std::size_t depth = tree.rows()[std::clamp(tree.row_of(stepper.current().number), first, end - 1)].depth;
  Lines lines;
  for (const Rooms& rooms : {Rooms{24, 24, 24, 12}, Rooms{24, 24, 24, 3}, Rooms{24, 13, 24, 3}, Rooms{24, 9, 24, 3}, Rooms{16, 9, 18, 3},
                             Rooms{16, 9, 13, 2}, Rooms{10, 9, 9, 1}}) {
    std::vector<Lines> rows;
    for (std::size_t i = first; i < end; ++i) {
      rows.push_back(tree_row(stepper, i, depth > rooms.levels ? depth - rooms.levels / 2 : 0, rooms));
    }
    lines = aligned(rows, ascii);
    if (std::all_of(lines.begin(), lines.end(), [&](const StyledLine& line) { return line.width() <= width; })) break;
  }
  return lines;
}

StyledLine tree_rest(const Stepper& stepper, std::size_t height) {
  const std::size_t above = first_row(stepper, height), count = stepper.tree().rows().size();
  const std::size_t below = count - std::min(above + height, count);
  if (above + below == 0) return {};
  return fmt::format("{}{}more", above > 0 ? fmt::format("↑ {} ", above) : "", below > 0 ? fmt::format("↓ {} ", below) : "");
}

// --- what is pending, and the leaves ------------------------------------------------------------------------

namespace {

StyledLine count_of(const Replay& replay, std::uint64_t number) {
  const std::size_t arrived = replay.arrived(number), expected = replay.expected(number);
  if (replay.visited(number)) return {Role::right, "complete"};
  return {arrived == expected ? Role::plain : Role::soft, fmt::format("{} of {}", arrived, expected)};
}

}  // namespace

Lines pending_lines(const Stepper& stepper, std::size_t width, std::size_t height, bool ascii) {
  const std::size_t room = width > kShort + 20 ? width - kShort - 12 : 8;  // beside a number and "1 of 2"
  const Replay& replay = stepper.replay();
  std::vector<Lines> rows;
  for (const std::uint64_t number : replay.pending()) {
    if (rows.size() + 1 == height && replay.pending().size() > height) {
      rows.push_back({StyledLine(Role::soft, fmt::format("… and {} more", replay.pending().size() - rows.size()))});
      break;
    }
    rows.push_back({called(stepper.trace().tensor(number), room), StyledLine(Role::gradient, brief(*replay.gradient(number), kShort)),
                    count_of(replay, number)});
  }
  if (rows.empty()) rows.push_back({StyledLine(Role::soft, replay.over() ? "nothing: the walk is over" : "nothing")});
  return aligned(rows, ascii);
}

namespace {

// What naive recursion would have given this leaf, once the walk is over.
StyledLine naive_line(const Stepper& stepper, const TracedTensor& leaf) {
  const inspect::Values* naive = stepper.replay().over() ? naive_gradient(stepper.trace(), leaf.number) : nullptr;
  const inspect::Values* right = stepper.replay().gradient(leaf.number);
  return naive == nullptr || right == nullptr ? StyledLine() : compared("naive ", *naive, *right, kShort);
}

Lines leaf_lines_in(const Stepper& stepper, std::size_t width, std::size_t height, std::size_t room, bool ascii) {
  const Replay& replay = stepper.replay();
  std::vector<Lines> cells;
  std::vector<std::uint64_t> numbers;
  for (const TracedTensor& leaf : stepper.trace().tensors) {
    if (leaf.kind != TracedTensor::Kind::leaf || leaf.of_walk || !leaf.requires_grad) continue;
    const inspect::Values* gradient = replay.gradient(leaf.number);
    StyledLine sum = leaf.name.size() > 8 ? StyledLine("∂ ") : StyledLine("dL/d").add(called_short(leaf)).add(" = ");
    const StyledLine cut = cut_of(stepper.trace(), leaf);
    if (!cut.empty()) {
      sum = StyledLine(Role::wrong, cut.text());
    } else if (gradient != nullptr) {
      sum.add(Role::gradient, brief(*gradient, room));
    } else {
      sum.add(Role::soft, replay.over() ? "no way leads here" : "nothing yet");
    }
    numbers.push_back(leaf.number);
    cells.push_back({called(leaf, width * 2 / 5), value_of(leaf, room), sum, cut.empty() ? count_of(replay, leaf.number) : StyledLine(),
                     naive_line(stepper, leaf)});
  }
  const Lines lines = aligned(cells, ascii);
  std::size_t widest = 1;
  for (const StyledLine& line : lines) widest = std::max(widest, line.width() + 4);
  const std::size_t across = std::max<std::size_t>(width / widest, 1), down = (lines.size() + across - 1) / across;
  Lines all(down);
  for (std::size_t i = 0; i < lines.size(); ++i) all[i % down].add(lines[i].fitted(std::min(widest, width), ascii));
  if (down <= height) return all;
  // The newest come first on the way back: the last that has a gradient stays in sight.
  std::size_t first = 0;
  while (first + height - 1 < down && replay.arrived(numbers[first]) == 0) ++first;
  Lines shown(all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(first + height - 1));
  shown.push_back(StyledLine(Role::soft, fmt::format("… {} leaves in all", lines.size())));
  return shown;
}

bool is_cut(const StyledLine& line) {
  const std::string text = line.text();
  return text.find("…") != std::string::npos || text.find('~') != std::string::npos;
}

}  // namespace

// Arrays are written out while no line has to be cut for it.
Lines leaf_lines(const Stepper& stepper, std::size_t width, std::size_t height, bool ascii) {
  for (const std::size_t room : {width * 3 / 8, width / 4}) {
    const Lines lines = leaf_lines_in(stepper, width, height, room, ascii);
    if (std::none_of(lines.begin(), lines.end(), is_cut)) return lines;
  }
  return leaf_lines_in(stepper, width, height, kShort, ascii);
}

// --- the rule -----------------------------------------------------------------------------------------------

namespace {

Lines seed_lines(const Stepper& stepper) {
  Lines lines;
  for (const inspect::Delivery& seed : stepper.trace().seeds) {
    lines.push_back(StyledLine("The walk begins at ")
                        .add(called(stepper.trace().tensor(seed.to)))
                        .add(": dL/dL = ")
                        .add(Role::gradient, brief(seed.after))
                        .add(", the seed."));
  }
  lines.push_back("The newest pending tensor is always next: whatever used it is newer still, and");
  lines.push_back("has been visited, so its gradient is complete. The rule of its op then hands");
  lines.push_back("contributions on to its inputs. n goes there.");
  return lines;
}

}  // namespace

Lines rule_lines(const Stepper& stepper, std::size_t width, std::size_t height) {
  const Replay& replay = stepper.replay();
  const Visit* visit = replay.visit();
  if (visit == nullptr) return seed_lines(stepper);
  const TracedTensor& y = stepper.current();
  if (y.inputs.empty()) {
    Lines lines{StyledLine("A leaf: its gradient ")
                    .add(Role::gradient, brief(visit->gradient, width / 2))
                    .add(" is complete, and goes no further.")};
    if (replay.over()) {
      lines.push_back(fmt::format("The walk is over: {}, each tensor once.", plural(replay.visits(), "visit")));
    }
    if (replay.over() && stepper.trace().naive) {
      lines.push_back(fmt::format("Naive recursion makes {}{}, and counts twice: w shows each.",
                                  stepper.trace().naive->complete ? "" : "more than ",
                                  plural(static_cast<std::size_t>(stepper.trace().naive->visits), "visit")));
    }
    return lines;
  }
  Lines lines;
  if (y.module >= 0) {
    const inspect::ModuleCall& call = stepper.trace().modules.at(static_cast<std::size_t>(y.module));
    lines.push_back(StyledLine(Role::soft, fmt::format("in {}, {}", call.path.empty() ? "the model" : call.path, call.type)));
  }
  const StyledLine names = names_line(stepper.trace(), *visit, width / 2);
  for (const StyledLine& line : wrapped(names, width, 2)) lines.push_back(line);
  for (std::size_t i = 0; i < visit->deliveries.size(); ++i) {
    const bool done = i < replay.delivered();
    Lines delivery;
    for (const std::size_t room : {width / 2, std::max<std::size_t>(width / 4, 24), kShort}) {
      delivery = delivery_lines(replay, *visit, i, done, room);
      if (delivery[0].width() + 2 <= width) break;
    }
    lines.push_back(StyledLine(done ? Role::right : Role::soft, done ? "✓ " : "· ").add(delivery[0]));
    for (std::size_t k = 1; k < delivery.size(); ++k) {
      const StyledLine told = done ? delivery[k] : StyledLine(Role::soft, delivery[k].text());
      for (const StyledLine& line : wrapped(StyledLine("  ").add(told), width, 4)) lines.push_back(line);
    }
  }
  if (visit->deliveries.empty()) lines.push_back("  The rule hands nothing on.");
  for (const CodeLine& code : rule_code(stepper.trace(), y)) {
    if (lines.size() < height) lines.push_back(StyledLine(Role::soft, fmt::format("{:>4} │ ", code.number)).add(code.text));
  }
  return lines;
}

StyledLine rule_title(const Stepper& stepper) {
  if (stepper.replay().visit() == nullptr) return {Role::heading, "before the first visit"};
  StyledLine title = StyledLine(Role::heading, "visit of ").add(Role::heading, called(stepper.current()).text());
  const std::string formula = formula_of(stepper.trace(), stepper.current());
  return formula.empty() ? title : title.add("  " + formula);
}

}  // namespace gradus::examples
