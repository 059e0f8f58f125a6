// Inside a rule: the ops that it is made of, which a walk under create_graph leaves on the tape.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "examples/support/step_rule.h"
#include "examples/support/step_screen.h"
#include "examples/support/step_words.h"

namespace gradus::examples {
namespace {

using inspect::Delivery;
using inspect::Trace;
using inspect::TracedTensor;
using inspect::Visit;

// Where a rule begins: the tensors that are dL/dy of this visit. One contribution is it itself; several were added up.
std::set<std::uint64_t> incoming(const Replay& replay, std::uint64_t number) {
  std::set<std::uint64_t> parts;
  for (const Delivery* d : replay.arrivals(number)) parts.insert(d->made_by);
  for (const TracedTensor& t : replay.trace().tensors) {
    const bool sum = t.of_walk && t.op == "add" && t.inputs.size() == 2 && parts.size() > 1;
    if (sum && parts.count(t.inputs[0]) > 0 && parts.count(t.inputs[1]) > 0) parts.insert(t.number);
  }
  return parts;
}

class Formula {
 public:
  Formula(const Replay& replay, const TracedTensor& y)
      : trace_(replay.trace()), y_(y), incoming_(incoming(replay, y.number)) {}

  // As one would write it; what is deeper than a few levels is "…".
  std::string of(std::uint64_t number, int level = 0) const {  // NOLINT(misc-no-recursion)
    const TracedTensor& t = trace_.tensor(number);
    if (ends_at(t)) return name_of(t);
    if (level > 8) return "…";
    std::vector<std::string> parts;
    for (const std::uint64_t input : t.inputs) {
      if (input != 0) parts.push_back(of(input, level + 1));
    }
    const auto infix = [&](const char* sign) {
      const std::string text = fmt::format("{} {} {}", parts[0], sign, parts[1]);
      return level == 0 ? text : "(" + text + ")";
    };
    if (parts.size() == 2) {
      if (t.op == "add") return infix("+");
      if (t.op == "mul") return infix("⊙");
      if (t.op == "div") return infix("/");
      if (t.op == "pow") return infix("^");
      if (t.op == "matmul") return infix("@");
    }
    if (t.op == "neg" && parts.size() == 1) return "−" + parts[0];
    return fmt::format("{}({})", t.op, fmt::join(parts, ", "));
  }

  bool ends_at(const TracedTensor& t) const { return !t.of_walk || t.inputs.empty() || incoming_.count(t.number) > 0; }

  std::string name_of(const TracedTensor& t) const {
    if (incoming_.count(t.number) > 0) return "dL/dy";
    return t.number == y_.number ? "y" : called_short(t).text();
  }

 private:
  const Trace& trace_;
  const TracedTensor& y_;
  std::set<std::uint64_t> incoming_;
};

}  // namespace

Lines inside_lines(const Replay& replay, const TracedTensor& y, std::size_t width) {
  const Visit* visit = replay.visit();
  if (visit == nullptr || y.inputs.empty()) return {"Here is no rule: n goes to the first op, or the next."};
  if (std::all_of(visit->deliveries.begin(), visit->deliveries.end(), [](const Delivery& d) { return d.made_by == 0; })) {
    return {"This trace does not hold the ops that the rules are made of. Make it with them:", "",
            "  inspect::trace(loss, {.create_graph = true})      in a program",
            "  ./examples/run step EXPRESSION …                  does so by itself",
            "  ./examples/run step EXPRESSION … --create-graph --json FILE"};
  }
  const Trace& trace = replay.trace();
  const Formula formula(replay, y);
  Lines lines;
  for (const Delivery& d : visit->deliveries) {
    lines.push_back(Line(Role::heading, "contribution to ").add(called(trace.tensor(d.to))).add(" = ").add(Role::gradient, brief(d.contribution)));
    if (d.made_by == 0) continue;
    for (const Line& line : wrapped("  = " + formula.of(d.made_by), width, 4)) lines.push_back(line);
    const Tree tree(trace, {d.made_by}, [&](const TracedTensor& t) { return formula.ends_at(t); });
    std::vector<Lines> rows;
    for (std::size_t i = 0; i < std::min<std::size_t>(tree.rows().size(), 200); ++i) {
      const TracedTensor& t = trace.tensor(tree.rows()[i].number);
      const bool end = formula.ends_at(t);
      const std::string name = end ? formula.name_of(t) : fmt::format("#{} {}", t.number, t.op);
      const bool gradient = name == "dL/dy";
      rows.push_back({Line("  ").add(Role::soft, tree.guides(i, 0)).add(gradient ? Role::gradient : Role::plain, tree.rows()[i].reference ? "↑ " + name : name),
                      gradient ? Line(Role::gradient, brief(t.values)) : name == brief(t.values) ? Line() : value_of(t)});
    }
    for (const Line& line : aligned(rows, false)) lines.push_back(line);
    lines.push_back("");
  }
  lines.push_back(Line(Role::soft, "Rules are made of differentiable ops, so these can be walked back too: second derivatives."));
  return lines;
}

}  // namespace gradus::examples
