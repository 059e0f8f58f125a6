#include <fmt/format.h>

#include <algorithm>

#include "core/composites/composites.h"
#include "examples/shared/expression/expression.h"
#include "examples/shared/expression/functions.h"

namespace gradus::examples {
namespace {

// Beside f16 a number is f32, as in C++; a list is made of its own dtype.
Tensor number(double value, DType dtype) { return full({}, value, dtype == DType::f16 ? DType::f32 : dtype); }

Tensor list(Tensors parts, DType dtype) {
  for (Tensor& part : parts) {
    check<ShapeError>(part.shape() == parts[0].shape(), "the parts of a list have one shape, these have {} and {}", parts[0].shape(),
                      part.shape());
    part = cast(part, dtype);
  }
  return stack(parts);
}

}  // namespace

Evaluated evaluate(const Expression& expression, const std::map<std::string, Tensor>& variables, DType dtype) {
  Tensors values;
  for (const Term& term : expression.terms) {
    Tensors operands;
    for (const int i : term.operands) operands.push_back(values[static_cast<std::size_t>(i)]);
    try {
      switch (term.kind) {
        case Term::Kind::number: values.push_back(number(term.number, dtype)); break;
        case Term::Kind::list: values.push_back(list(operands, dtype)); break;
        case Term::Kind::call: values.push_back(find_expression_function(term.name)->call(operands)); break;
        case Term::Kind::variable: {
          const auto given = variables.find(term.name);
          check<ValueError>(given != variables.end(), "the variable '{}' has no value", term.name);
          values.push_back(given->second);
        }
      }
    } catch (const Error& error) {
      throw ExpressionError(expression.text, term.column, error.what());
    }
  }
  Evaluated result{values[static_cast<std::size_t>(expression.value)], {}, values};
  for (const auto& [name, term] : expression.definitions) {
    result.names.emplace_back(name, values[static_cast<std::size_t>(term)]);
  }
  return result;
}

namespace {

constexpr std::size_t kLong = 24;

std::string written_within(const Expression& expression, int index, std::size_t levels) {  // NOLINT(misc-no-recursion)
  if (levels == 0) return "…";                                                             // each level is a letter at least
  static const std::map<std::string, const char*> infix{{"add", " + "}, {"sub", " - "},    {"mul", "*"},
                                                        {"div", "/"},   {"matmul", " @ "}, {"pow", "^"}};
  const Term& term = expression.terms[static_cast<std::size_t>(index)];
  if (term.kind == Term::Kind::number) return fmt::format("{}", term.number);
  if (term.kind == Term::Kind::variable) return term.name;
  const auto sign = infix.find(term.name);
  std::string text;
  for (const int i : term.operands) {
    const auto defined = std::find_if(expression.definitions.begin(), expression.definitions.end(),
                                      [i](const auto& definition) { return definition.second == i; });
    if (!text.empty()) text += sign == infix.end() ? ", " : sign->second;
    const bool named = defined != expression.definitions.end();
    const std::string operand = named ? defined->first : written_within(expression, i, levels - 1);
    const Term& below = expression.terms[static_cast<std::size_t>(i)];
    const bool bracketed = !named && sign != infix.end() && infix.count(below.name) > 0;
    text += bracketed ? "(" + operand + ")" : operand;
    if (text.size() > kLong || operand == "…") {
      text = "…";
      break;
    }
  }
  if (term.kind == Term::Kind::list) return "[" + text + "]";
  return sign == infix.end() ? term.name + "(" + text + ")" : text;
}

}  // namespace

std::string written(const Expression& expression, int index) { return written_within(expression, index, kLong); }

std::vector<int> cuts(const Expression& expression, const Tensors& terms) {
  const auto wanted = [&](int i) { return terms[static_cast<std::size_t>(i)].requires_grad(); };
  std::vector<int> found;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::vector<int>& operands = expression.terms[i].operands;
    const bool of_call = expression.terms[i].kind == Term::Kind::call && !terms[i].requires_grad();
    if (of_call && std::any_of(operands.begin(), operands.end(), wanted)) found.push_back(static_cast<int>(i));
  }
  return found;
}

}  // namespace gradus::examples
