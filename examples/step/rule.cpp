#include "examples/step/rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "examples/step/words.h"

namespace gradus::examples {

using inspect::Delivery;
using inspect::OpSource;
using inspect::Trace;
using inspect::TracedTensor;
using inspect::Values;
using inspect::Visit;

namespace {

constexpr std::size_t kInFormula = 22;  // columns for a number, or an array, inside of a formula

const OpSource* source_of(const Trace& trace, const TracedTensor& tensor) {
  const auto found = trace.ops.find(tensor.op);
  return found == trace.ops.end() ? nullptr : &found->second;
}

// What the formulas call input i; empty where they have no name for it.
std::string parameter(const OpSource* source, std::size_t i) {
  return source != nullptr && i < source->parameters.size() ? source->parameters[i] : "";
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// With the minus that numbers have; the hyphen of "the i-th" is none.
std::string with_minus(const std::string& formula) {
  std::string text;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    const auto letter = [&](std::size_t at) { return at < formula.size() && is_letter(formula[at]); };
    const bool hyphen = letter(i - 1) && letter(i + 1) && (letter(i - 2) || letter(i + 2));
    text += formula[i] == '-' && !hyphen ? "−" : std::string(1, formula[i]);
  }
  return text;
}

// "dL/da = dL/dy ⊙ b" for input a; where there is one such formula in all, that one.
std::string rule_formula(const OpSource* source, std::size_t input) {
  if (source == nullptr) return "";
  std::vector<std::string> gradients;
  for (const std::string& formula : source->formulas) {
    if (formula.rfind("dL/d", 0) == 0) gradients.push_back(with_minus(formula));
  }
  const std::string head = "dL/d" + parameter(source, input) + " = ";
  for (const std::string& formula : gradients) {
    if (formula.rfind(head, 0) == 0) return formula;
  }
  return gradients.size() == 1 ? gradients[0] : "";
}

// By the names of the formulas; only what is short enough to stand in one.
std::map<std::string, std::string> numbers_of(const Trace& trace, const Visit& visit) {
  std::map<std::string, std::string> numbers;
  const auto put = [&](const std::string& name, const Values& values) {
    if (!name.empty() && is_written_out(values, kInFormula)) numbers.emplace(name, brief(values, kInFormula));
  };
  const TracedTensor& y = trace.tensor(visit.tensor);
  const OpSource* source = source_of(trace, y);
  for (std::size_t i = 0; i < y.inputs.size(); ++i) {
    if (y.inputs[i] != 0) put(parameter(source, i), trace.tensor(y.inputs[i]).values);
  }
  put("y", y.values);
  put("dL/dy", visit.gradient);
  put("g", visit.gradient);
  return numbers;
}

// "the first of 2: 5", "5 + 1 = 6, complete"
StyledLine sum_line(const Replay& replay, const Delivery& d, std::size_t room) {
  const bool complete = replay.completes(d);
  StyledLine line;
  if (d.before) {
    line.add(Role::gradient, brief(*d.before, room)).add(" + ").add(Role::gradient, brief(d.contribution, room)).add(" = ");
  } else {
    if (!complete) line.add(fmt::format("the first of {}: ", replay.expected(d.to)));
    if (d.contribution.shape != d.after.shape) line.add(Role::gradient, brief(d.contribution, room)).add(" → ");
  }
  line.add(Role::gradient, brief(d.after, room));
  return complete ? line.add(Role::right, ", complete") : line;
}

}  // namespace

std::vector<std::string> formulas_of(const Trace& trace, const TracedTensor& tensor) {
  std::vector<std::string> formulas;
  if (const OpSource* source = source_of(trace, tensor)) {
    for (const std::string& formula : source->formulas) formulas.push_back(with_minus(formula));
  }
  return formulas;
}

std::string formula_of(const Trace& trace, const TracedTensor& tensor) {
  const std::vector<std::string> formulas = formulas_of(trace, tensor);
  const bool told = !formulas.empty() && formulas[0].rfind("dL/", 0) != 0;
  return told ? formulas[0] : "";
}

StyledLine names_line(const Trace& trace, const Visit& visit, std::size_t room) {
  const TracedTensor& y = trace.tensor(visit.tensor);
  const OpSource* source = source_of(trace, y);
  constexpr std::size_t kMany = 6;
  StyledLine line(y.op + "'s ");
  const auto letter = [&](const std::string& name) { line.add(Role::formula, name).add(" = "); };
  for (std::size_t i = 0; i < y.inputs.size() && i < kMany; ++i) {
    if (y.inputs[i] == 0) continue;
    const TracedTensor& input = trace.tensor(y.inputs[i]);
    const std::string name = parameter(source, i);
    const StyledLine who = called_short(input);
    const bool number = input.kind == TracedTensor::Kind::constant && input.name.empty();
    if (!name.empty()) letter(name);
    if (who.text() != name && !number) line.add(who).add(" = ");
    line.add(value_of(input, room)).add(", ");
  }
  if (y.inputs.size() > kMany) line.add("…, ");
  letter("y");
  line.add(value_of(y, room)).add(", ");
  letter("dL/dy");
  return line.add(Role::gradient, brief(visit.gradient, room));
}

Lines delivery_lines(const Replay& replay, const Visit& visit, std::size_t index, bool happened, std::size_t room) {
  const Trace& trace = replay.trace();
  const Delivery& d = visit.deliveries[index];
  const OpSource* source = source_of(trace, trace.tensor(visit.tensor));
  const std::string formula = rule_formula(source, static_cast<std::size_t>(std::max(d.input, 0)));
  const TracedTensor& target = trace.tensor(d.to);
  StyledLine first = StyledLine("to ").add(called_short(target)).add(": ");
  first.add(Role::formula, formula.empty() ? "the rule" : formula);
  if (const std::size_t equals = formula.find(" = "); equals != std::string::npos) {
    const std::string put_in = with_numbers(formula.substr(equals + 3), numbers_of(trace, visit));
    if (!put_in.empty() && put_in != brief(d.contribution, room)) first.add(" = " + put_in);
  }
  StyledLine to = StyledLine("→ ").add(called(target)).add(": ");
  if (!happened) {
    return {first, d.before ? to.add(Role::gradient, brief(*d.before, room)).add(" so far") : to.add("nothing so far")};
  }
  first.add(formula.empty() ? " gives " : " = ").add(Role::gradient, brief(d.contribution, room));
  if (!d.summed_over.empty()) {
    to.add(fmt::format("summed over ax{} {}, along which it was broadcast: ", d.summed_over.size() == 1 ? "is" : "es",
                       fmt::join(d.summed_over, ", ")));
  }
  if (d.by_rows) to.add("a few rows, zero elsewhere: ");
  return {first, to.add(sum_line(replay, d, room))};
}

std::vector<CodeLine> code_lines(const Trace& trace, const TracedTensor& tensor) {
  const OpSource* source = source_of(trace, tensor);
  std::vector<CodeLine> lines;
  if (source == nullptr) return lines;
  std::string_view rest = source->code;
  for (int number = source->line; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string text(rest.substr(0, end));
    const bool rule = number >= source->rule_line && source->rule_line >= source->line && text != "}";
    lines.push_back({number, text, rule});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

std::vector<CodeLine> rule_code(const Trace& trace, const TracedTensor& tensor) {
  std::vector<CodeLine> rule;
  std::size_t indent = std::string::npos;
  for (CodeLine line : code_lines(trace, tensor)) {
    if (!line.rule) continue;
    const std::size_t lambda = line.text.find("](const Step"), own = line.text.find_first_not_of(' ');
    if (lambda != std::string::npos) {
      line.text.erase(own, line.text.rfind('[', lambda) - own);  // before it is the forward pass
    }
    indent = std::min(indent, own);
    rule.push_back(line);
  }
  for (CodeLine& line : rule) line.text.erase(0, std::min(indent, line.text.size()));
  return rule;
}

std::string parameter_of(const Trace& trace, const TracedTensor& tensor, std::size_t i) { return parameter(source_of(trace, tensor), i); }

std::string place_of(const Trace& trace, const TracedTensor& tensor) {
  const OpSource* source = source_of(trace, tensor);
  return source == nullptr ? "" : fmt::format("{}:{}", source->file, source->line);
}

}  // namespace gradus::examples
