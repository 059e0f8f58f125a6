// Expressions that are none, and values that no op takes: each is refused with what was expected, and the place.
#include "examples/step/expression/expression.h"
#include "tests/support/bad_input.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

// An ExpressionError is a ValueError that knows its place, too; the table compares the class above it.
BadCall refused(const std::string& text, const std::string& says) {
  const auto call = [text] {
    try {
      evaluate(parse(text), {});
    } catch (const ExpressionError& error) {
      throw ValueError(error.what());
    }
  };
  return {text.substr(0, 60), call, Raises::value, says};
}

std::string repeated(const std::string& part, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += part;
  return all;
}

}  // namespace

TEST_CASE("bad input: what is no expression is refused with what was expected") {
  check_bad_calls({
      refused("", "the expression is empty"),
      refused(" \t\n", "the expression is empty"),
      refused(";", "was expected, not ';'"),
      refused("1;;2", "was expected, not ';'"),
      refused("+", "was expected, and here is the end"),
      refused("1 +", "a number, a name, '(' or '[' was expected, and here is the end"),
      refused("1 + * 2", "was expected, not '*'"),
      refused("(", "was expected, and here is the end"),
      refused("(1", "an operator or ')' was expected, and here is the end"),
      refused("(1]", "an operator or ')' was expected, not ']'"),
      refused("1)", "an operator or the end was expected, not ')'"),
      refused("[1, 2", "',' or ']' was expected, and here is the end"),
      refused("[1; 2]", "',' or ']' was expected, not ';'"),
      refused("[]", "was expected, not ']'"),
      refused("[1,]", "was expected, not ']'"),
      refused("1 2", "an operator or the end was expected, not '2'"),
      refused("1.2.3", "an operator or the end was expected, not '.3'"),
      refused("2pi", "a product is written 2*pi"),
      refused("2 ** 3", "a power is written ^"),
      refused("2 ^", "was expected, and here is the end"),
      refused("1e999", "1e999 is too large: numbers end at 1.8e308"),
      refused("1 ? 2", "'?' means nothing here"),
      refused("$HOME", "means nothing here"),
      refused("a\\b", "means nothing here"),
      refused(std::string("1\0+1", 4), "means nothing here"),
      refused("1 + \xff", "means nothing here"),
      refused("'x'", "means nothing here"),
      refused("= 1", "was expected, not '='"),
      refused("1 = 2", "'=' gives a name"),
      refused("a + b = 2", "'=' gives a name"),
      refused("s = ", "was expected, and here is the end"),
      refused("s = 1; s = 2", "'s' is given twice"),
      refused("s + 1; s = 2", "'s' was used before it is given"),
      refused("s = s", "'s' is made from itself"),
      refused("pi = 3", "'pi' is a number"),
      refused("nan = 3", "'nan' is a number"),
      refused(std::string(100000, '('), "nested more than 200 deep"),
      refused(std::string(100000, '['), "nested more than 200 deep"),
      refused(std::string(100000, '-') + "1", "nested more than 200 deep"),
      refused(repeated("2^", 100000) + "2", "nested more than 200 deep"),
      refused(repeated("sum(", 100000), "nested more than 200 deep"),
  });
}

TEST_CASE("bad input: a function that is none, or is given what it does not take, is refused by its name") {
  check_bad_calls({
      refused("tnh(1)", "there is no function 'tnh'; did you mean 'tanh'?"),
      refused("sine(1)", "there is no function 'sine'; did you mean 'sin'?"),
      refused("foo(1)", "there is no function 'foo'; the functions are abs, "),  // like none of them
      refused("()", "was expected, not ')'"),
      refused("tanh()", "tanh was given 0 arguments; it is tanh(x)"),
      refused("tanh(1, 2)", "tanh was given 2 arguments; it is tanh(x)"),
      refused("tanh(1,)", "was expected, not ')'"),
      refused("tanh(1", "',' or ')' was expected, and here is the end"),
      refused("pow(2)", "pow was given 1 argument; it is pow(a, b)"),
      refused("sum([1], 0.5)", "the axis must be a whole number, got 0.5"),
      refused("sum([1], nan)", "the axis must be a whole number, got nan"),
      refused("sum([1], inf)", "the axis must be a whole number, got inf"),
      refused("sum([1], 1e300)", "the axis must be a whole number"),
      refused("sum([1], [0, 0])", "the axis must be a number, not a variable or an array"),
      refused("sum([1], 3)", "sum: "),
      refused("softmax([1, 2], 4)", "softmax: "),
      refused("x", "the variable 'x' has no value"),
      refused("tanh", "the variable 'tanh' has no value"),
  });
}

TEST_CASE("bad input: shapes that do not fit are refused at the op that was written") {
  check_bad_calls({
      refused("[1, 2] + [1, 2, 3]", "add: "),
      refused("[1, 2] - [1, 2, 3]", "sub: "),
      refused("[1, 2] * [1, 2, 3]", "mul: "),
      refused("[1, 2] / [1, 2, 3]", "div: "),
      refused("[1, 2] ^ [1, 2, 3]", "pow: "),
      refused("[1, 2] @ [1, 2, 3]", "matmul: "),
      refused("1 @ 2", "matmul: "),
      refused("dot([1, 2], [1, 2, 3])", "dot: the lengths differ: [2] and [3]"),
      refused("[1, [2, 3]]", "the parts of a list have one shape"),
      refused("[[1, 2], [3]]", "the parts of a list have one shape"),
      refused("[[[[[[[1]]]]]]]", "stack: shape [1, 1, 1, 1, 1, 1] has no room for another axis"),
  });
}
