// The backward rule of one visit: its formula, the formula with numbers, what goes where, and the C++ that says so.
#pragma once

#include "examples/shared/terminal/styled.h"
#include "examples/step/replay.h"

namespace gradus::examples {

std::vector<std::string> formulas_of(const inspect::Trace& trace, const inspect::TracedTensor& tensor);
std::string formula_of(const inspect::Trace& trace, const inspect::TracedTensor& tensor);  // "y = a ⊙ b", or ""

// What the formulas call what: "mul's a = w = 0.5, b = x = 2, y = 1, dL/dy = 0.84".
StyledLine names_line(const inspect::Trace& trace, const inspect::Visit& visit, std::size_t room);

// Two lines for one delivery: "to w: dL/da = dL/dy ⊙ b = 0.84 ⊙ 2 = 1.68", and what becomes of it: axes that are summed, and
// before + contribution = after. One that has not happened has no result yet. Arrays of up to
// `room` columns are written out.
Lines delivery_lines(const Replay& replay, const inspect::Visit& visit, std::size_t delivery, bool happened, std::size_t room);

struct CodeLine {
  int number = 0;
  std::string text;
  bool rule = false;
};
// The op's function; marked are the lines of the rule. Empty for an op without a source.
std::vector<CodeLine> code_lines(const inspect::Trace& trace, const inspect::TracedTensor& tensor);
// The rule alone, moved left.
std::vector<CodeLine> rule_code(const inspect::Trace& trace, const inspect::TracedTensor& tensor);

// What the formulas call input i of this tensor's op: "a". Empty where they have no name for it.
std::string parameter_of(const inspect::Trace& trace, const inspect::TracedTensor& tensor, std::size_t i);
// "core/ops/arithmetic.cpp:33", or "".
std::string place_of(const inspect::Trace& trace, const inspect::TracedTensor& tensor);

}  // namespace gradus::examples
