// Inside a rule: the ops that it is made of, which a walk under create_graph leaves on the tape.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "examples/step/rule.h"
#include "examples/step/screen.h"
#include "examples/step/words.h"

namespace gradus::examples {
namespace {

using inspect::Delivery;
using inspect::Trace;
using inspect::TracedTensor;
using inspect::Visit;

// A gradient that depends on no leaf is off the tape, and no delivery names it. It is older than all that the rule made.
std::uint64_t constant_gradient(const Trace& trace, const Visit& visit) {
  std::vector<std::uint64_t> roots;
  for (const Delivery& d : visit.deliveries) {
    if (d.made_by != 0) roots.push_back(d.made_by);
  }
  const Tree tree(trace, roots, [](const TracedTensor& t) { return !t.of_walk; });
  std::uint64_t oldest = 0;
  for (const Tree::Row& row : tree.rows()) {
    if (trace.tensor(row.number).of_walk && (oldest == 0 || row.number < oldest)) oldest = row.number;
  }
  if (oldest == 0) return 0;
  const TracedTensor& found = trace.tensor(oldest);
  const bool same = found.values.shape == visit.gradient.shape && brief(found.values) == brief(visit.gradient);
  return same && found.inputs.empty() ? oldest : 0;
}

// Where a rule begins: the tensors that are dL/dy of this visit. One contribution is it itself; several were added up, and
// broadcasts summed.
std::set<std::uint64_t> incoming(const Replay& replay, const Visit& visit) {
  std::set<std::uint64_t> parts;
  for (const Delivery* d : replay.arrivals(visit.tensor)) {
    if (d->made_by != 0) parts.insert(d->made_by);
  }
  if (parts.empty()) return {constant_gradient(replay.trace(), visit)};
  for (const TracedTensor& t : replay.trace().tensors) {
    const bool gathers = t.of_walk && ((t.op == "add" && replay.expected(visit.tensor) > 1) || t.op == "sum_to");
    const bool of_parts = std::any_of(t.inputs.begin(), t.inputs.end(), [&](std::uint64_t i) { return parts.count(i) > 0; });
    if (gathers && of_parts && t.values.shape == visit.gradient.shape && brief(t.values) == brief(visit.gradient)) {
      parts.insert(t.number);
    }
  }
  return parts;
}

struct Infix {
  std::string_view op, sign;
  int binds;
};
constexpr Infix kInfix[] = {{"add", "+", 1}, {"mul", "⊙", 2}, {"div", "/", 2}, {"matmul", "@", 2}, {"pow", "^", 3}};

class Formula {
 public:
  Formula(const Replay& replay, const TracedTensor& y, const Visit& visit)
      : trace_(replay.trace()), y_(y), incoming_(incoming(replay, visit)) {}

  // As one would write it, in brackets if it binds less than `needed`; what is deeper than a few levels, or more than fits on
  // any screen, is "…".
  std::string of(std::uint64_t number, int needed = 0, int level = 0) const {  // NOLINT(misc-no-recursion)
    const TracedTensor& t = trace_.tensor(number);
    if (ends_at(t)) return name_of(t);
    if (level == 0) parts_left_ = 200;
    if (level > 10 || --parts_left_ < 0) return "…";
    const auto operand = [&](std::size_t i, int binds) { return of(t.inputs[i], binds, level + 1); };
    const auto bracketed = [&](const std::string& text, int binds) { return binds < needed ? "(" + text + ")" : text; };
    if (t.op == "add" && t.inputs.size() == 2 && is_negation(t.inputs[1])) {
      const std::uint64_t taken = trace_.tensor(t.inputs[1]).inputs[0];
      return bracketed(operand(0, 1) + " − " + of(taken, 2, level + 1), 1);
    }
    for (const auto& [op, sign, binds] : kInfix) {
      if (t.op == op && t.inputs.size() == 2) {
        return bracketed(fmt::format("{} {} {}", operand(0, binds), sign, operand(1, binds + 1)), binds);
      }
    }
    if (t.op == "neg") return bracketed("−" + operand(0, 3), 1);
    std::string text = t.op + "(";
    for (std::size_t i = 0; i < t.inputs.size(); ++i) {
      if (t.inputs[i] != 0) text += (text.back() == '(' ? "" : ", ") + operand(i, 0);
    }
    return text + ")";
  }

  bool ends_at(const TracedTensor& t) const { return !t.of_walk || t.inputs.empty() || incoming_.count(t.number) > 0; }

  std::string name_of(const TracedTensor& t) const {
    if (incoming_.count(t.number) > 0) return "dL/dy";
    if (t.number == y_.number) return "y";
    for (std::size_t i = 0; i < y_.inputs.size(); ++i) {
      const std::string name = parameter_of(trace_, y_, i);
      if (y_.inputs[i] == t.number && !name.empty()) return name;
    }
    return t.name.empty() && is_written_out(t.values, 16) ? brief(t.values, 16) : called_short(t).text();
  }

  // A row of the tree of the formula's ops: what it is called here, and its value.
  Lines row(const Tree& tree, std::size_t i) const {
    const TracedTensor& t = trace_.tensor(tree.rows()[i].number);
    const std::string name = ends_at(t) ? name_of(t) : fmt::format("#{} {}", t.number, t.op);
    const Role role = name == "dL/dy" ? Role::gradient : Role::plain;
    StyledLine line = StyledLine("  ").add(Role::soft, tree.guides(i, 0)).add(role, (tree.rows()[i].reference ? "↑ " : "") + name);
    const std::string value = brief(t.values);
    return {line, name == value ? StyledLine() : StyledLine(role == Role::plain ? Role::value : role, value)};
  }

 private:
  bool is_negation(std::uint64_t number) const {
    const TracedTensor& t = trace_.tensor(number);
    return t.op == "neg" && !ends_at(t);
  }

  const Trace& trace_;
  const TracedTensor& y_;
  std::set<std::uint64_t> incoming_;
  mutable int parts_left_ = 0;  // of the formula that is being written
};

}  // namespace

Lines inside_lines(const Replay& replay, const TracedTensor& y, std::size_t width) {
  const Visit* visit = replay.visit();
  if (visit == nullptr) return {"No op is visited yet. n goes to the first, and here stands its rule."};
  if (y.inputs.empty()) return {"A leaf has no rule: its gradient goes no further. n goes to the next visit."};
  if (std::all_of(visit->deliveries.begin(), visit->deliveries.end(), [](const Delivery& d) { return d.made_by == 0; })) {
    return {"This trace does not hold the ops that the rules are made of. Make it with them:", "",
            "  inspect::trace(loss, {.create_graph = true})      in a program",
            "  ./examples/run step EXPRESSION …                  does so by itself",
            "  ./examples/run step EXPRESSION … --create-graph --json FILE"};
  }
  const Trace& trace = replay.trace();
  const Formula formula(replay, y, *visit);
  Lines lines;
  const std::vector<CodeLine> code = code_lines(trace, y);
  if (!code.empty() && std::none_of(code.begin(), code.end(), [](const CodeLine& line) { return line.rule; })) {
    lines = {StyledLine("The formula, differentiated op by op; the kernel that ran gives the same."), ""};
  }
  for (const Delivery& d : visit->deliveries) {
    lines.push_back(StyledLine(Role::heading, "contribution to ")
                        .add(called(trace.tensor(d.to)))
                        .add(" = ")
                        .add(Role::gradient, brief(d.contribution)));
    if (d.made_by == 0) continue;
    for (const StyledLine& line : wrapped("  = " + formula.of(d.made_by), width, 4)) lines.push_back(line);
    const Tree tree(trace, {d.made_by}, [&](const TracedTensor& t) { return formula.ends_at(t); });
    std::vector<Lines> rows;
    for (std::size_t i = 0; i < std::min<std::size_t>(tree.rows().size(), 200); ++i) {
      rows.push_back(formula.row(tree, i));
    }
    for (const StyledLine& line : aligned(rows, false)) lines.push_back(line);
    lines.push_back("");
  }
  lines.push_back(StyledLine(Role::soft, "Rules are made of differentiable ops, so these can be walked back too: second derivatives."));
  return lines;
}

}  // namespace gradus::examples
