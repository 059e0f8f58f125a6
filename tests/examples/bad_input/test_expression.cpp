// Expressions that are none, and values that no op takes: each is refused with what was expected, and the place.
#include "examples/shared/expression/expression.h"
#include "tests/support/bad_input.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

// An ExpressionError is a ValueError that knows its place, too; the table compares the class above it.
BadCall refused_expression(const std::string& text, const std::string& says) {
  const auto call = [text] {
    try {
      evaluate(parse(text), {});
    } catch (const ExpressionError& error) {
      throw ValueError(error.what());
    }
  };
  return {text.substr(0, 60), call, Raises::value, says};
}

BadCalls refused_each(const std::vector<std::string>& texts, const std::string& says) {
  BadCalls rows;
  for (const std::string& text : texts) rows += refused_expression(text, says);
  return rows;
}

std::string repeated(const std::string& part, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += part;
  return all;
}

}  // namespace

TEST_CASE("bad input: what is no expression is refused with what was expected") {
  check_bad_calls({
      refused_each({"", " \t\n"}, "the expression is empty"),
      refused_each({";", "1;;2"}, "was expected, not ';'"),
      refused_each({"+", "(", "2 ^", "s = "}, "was expected, and here is the end"),
      refused_each({"[]", "[1,]"}, "was expected, not ']'"),
      refused_each({"$HOME", "a\\b", std::string("1\0+1", 4), "1 + \xff", "'x'"}, "means nothing here"),
      refused_each({"1 = 2", "a + b = 2"}, "'=' gives a name"),
      refused_each({std::string(100000, '('), std::string(100000, '['), std::string(100000, '-') + "1", repeated("2^", 100000) + "2",
                    repeated("sum(", 100000)},
                   "nested more than 200 deep"),
      refused_expression("1 +", "a number, a name, '(' or '[' was expected, and here is the end"),
      refused_expression("1 + * 2", "was expected, not '*'"),
      refused_expression("(1", "an operator or ')' was expected, and here is the end"),
      refused_expression("(1]", "an operator or ')' was expected, not ']'"),
      refused_expression("1)", "an operator or the end was expected, not ')'"),
      refused_expression("[1, 2", "',' or ']' was expected, and here is the end"),
      refused_expression("[1; 2]", "',' or ']' was expected, not ';'"),
      refused_expression("1 2", "an operator or the end was expected, not '2'"),
      refused_expression("1.2.3", "an operator or the end was expected, not '.3'"),
      refused_expression("2pi", "a product is written 2*pi"),
      refused_expression("2 ** 3", "a power is written ^"),
      refused_expression("1e999", "1e999 is too large: numbers end at 1.8e308"),
      refused_expression("1 ? 2", "'?' means nothing here"),
      refused_expression("= 1", "was expected, not '='"),
      refused_expression("s = 1; s = 2", "'s' is given twice"),
      refused_expression("s + 1; s = 2", "'s' was used before it is given"),
      refused_expression("s = s", "'s' is made from itself"),
      refused_expression("pi = 3", "'pi' is a number"),
      refused_expression("nan = 3", "'nan' is a number"),
  });
}

TEST_CASE("bad input: a function that is none, or is given what it does not take, is refused by its name") {
  check_bad_calls({
      refused_each({"()", "tanh(1,)"}, "was expected, not ')'"),
      refused_expression("tnh(1)", "there is no function 'tnh'; did you mean 'tanh'?"),
      refused_expression("sine(1)", "there is no function 'sine'; did you mean 'sin'?"),
      refused_expression("foo(1)", "there is no function 'foo'; the functions are abs, "),  // like none of them
      refused_expression("tanh()", "tanh was given 0 arguments; it is tanh(x)"),
      refused_expression("tanh(1, 2)", "tanh was given 2 arguments; it is tanh(x)"),
      refused_expression("tanh(1", "',' or ')' was expected, and here is the end"),
      refused_expression("pow(2)", "pow was given 1 argument; it is pow(a, b)"),
      refused_expression("sum([1], 0.5)", "the axis must be a whole number, got 0.5"),
      refused_expression("sum([1], nan)", "the axis must be a whole number, got nan"),
      refused_expression("sum([1], inf)", "the axis must be a whole number, got inf"),
      refused_expression("sum([1], 1e300)", "the axis must be a whole number"),
      refused_expression("sum([1], [0, 0])", "the axis must be a number, not a variable or an array"),
      refused_expression("max([1], [2, 3])", "the axis must be a number, not a variable or an array; the greater of two is maximum(a, b)"),
      refused_expression("min([1], [2, 3])", "the axis must be a number, not a variable or an array; the lesser of two is minimum(a, b)"),
      refused_expression("sum([1], 3)", "sum: "),
      refused_expression("softmax([1, 2], 4)", "softmax: "),
      refused_expression("x", "the variable 'x' has no value"),
      refused_expression("tanh", "the variable 'tanh' has no value"),
  });
}

TEST_CASE("bad input: shapes that do not fit are refused at the op that was written") {
  BadCalls rows;
  for (const auto& [sign, op] :
       {std::pair{"+", "add: "}, {"-", "sub: "}, {"*", "mul: "}, {"/", "div: "}, {"^", "pow: "}, {"@", "matmul: "}}) {
    rows += refused_expression(fmt::format("[1, 2] {} [1, 2, 3]", sign), op);
  }
  rows += {
      refused_expression("1 @ 2", "matmul: "),
      refused_expression("dot([1, 2], [1, 2, 3])", "dot: the lengths differ: [2] and [3]"),
      refused_expression("[1, [2, 3]]", "the parts of a list have one shape"),
      refused_expression("[[1, 2], [3]]", "the parts of a list have one shape"),
      refused_expression("[[[[[[[1]]]]]]]", "stack: shape [1, 1, 1, 1, 1, 1] has no room for another axis"),
  };
  check_bad_calls(rows);
}
