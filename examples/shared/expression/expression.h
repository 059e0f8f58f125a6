// Expressions on tensors, as one types them: "tanh(w*x+b)^2", "sum(softmax(x @ w, 1) * [1, 2, 3])".
//
//   Expression e = parse("s = a + b; s * a");
//   Tensor y = evaluate(e, {{"a", a}, {"b", b}}).value;
//
//   program    = statement { ";" statement } [ ";" ]          the value is the last statement's
//   statement  = [ name "=" ] sum                             a name for what is used more than once
//   sum        = product { ( "+" | "-" ) product }
//   product    = unary { ( "*" | "/" | "@" ) unary }          @ is the matrix product
//   unary      = [ "-" | "+" ] unary  |  atom [ "^" unary ]   so -x^2 = -(x^2), and x^y^z = x^(y^z)
//   atom       = number | name | name "(" sum { "," sum } ")" | "[" sum { "," sum } "]" | "(" sum ")"
//
// Also − · × ⊙ for - * * *, and Greek letters in names. pi, inf and nan are numbers. Neither input nor output happens here.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::examples {

// What is wrong with an expression and where: the message, the expression, and a caret under the place.
class ExpressionError : public ValueError {
 public:
  ExpressionError(std::string_view text, std::size_t column, const std::string& message);
  std::size_t column() const { return column_; }  // bytes before it, at most all

 private:
  std::size_t column_;
};

struct Term {
  enum class Kind { number, variable, list, call };
  Kind kind = Kind::number;
  std::size_t column = 0;  // of the number, the name, the bracket, the operator
  double number = 0;
  std::string name = {};  // of the variable, or of the function: "add" where "+" stands
  std::vector<int> operands = {};
};

struct Expression {
  std::string text;
  std::vector<Term> terms;  // operands stand before what is made of them; a term that has a name may be used often
  int value = 0;            // the term that is the result
  std::vector<std::pair<std::string, int>> definitions;  // names that the text gives, in order
  std::vector<int> variables;                            // the terms that are a name from outside, one for each
};

// ExpressionError for what is no expression, an unknown function, a wrong number of arguments, a name defined twice.
Expression parse(std::string_view text);

struct Evaluated {
  Tensor value;
  std::vector<std::pair<std::string, Tensor>> names;  // the definitions
  Tensors terms;                                      // of each term its value
};

// Numbers in the text become constants of this dtype (f32 beside f16, which takes them so). Variables are not changed.
// ExpressionError for a variable that is not given, and for every error of an op, at the op's column.
Evaluated evaluate(const Expression& expression, const std::map<std::string, Tensor>& variables, DType dtype = DType::f64);

// The term as one types it, "sign(x*2)"; of what is long only the head, "sign(…)".
std::string written(const Expression& expression, int term);

// The calls whose result has no gradient though an operand has: sign(x), argmax(x), detach(x).
std::vector<int> cuts(const Expression& expression, const Tensors& terms);

}  // namespace gradus::examples
