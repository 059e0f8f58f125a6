// Expressions: what is read, what it is worth, and where an error points.
#include "core/inspect/compare.h"
#include "core/inspect/gradcheck.h"
#include "examples/shared/expression/expression.h"

#include <cmath>
#include <random>

#include "core/core.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::examples;
using gradus::test::leaf;
using gradus::test::Values;

namespace {

double number(const std::string& text) { return evaluate(parse(text), {}).value.item(); }

// The expression with each operator's place in brackets: "(a + (b * c))".
std::string structure(const std::string& text) {
  const Expression e = parse(text);
  std::vector<std::string> shown;
  for (const Term& term : e.terms) {
    std::string s = term.kind == Term::Kind::number ? fmt::format("{}", term.number) : term.name;
    if (!term.operands.empty()) s += "(";
    for (const int i : term.operands) s += (s.back() == '(' ? "" : " ") + shown[static_cast<std::size_t>(i)];
    shown.push_back(term.operands.empty() ? s : s + ")");
  }
  return shown[static_cast<std::size_t>(e.value)];
}

struct Failure {
  std::size_t column = 0;
  std::string message = "none";
};

Failure failure(const std::string& text, const std::map<std::string, Tensor>& variables = {}) {
  try {
    evaluate(parse(text), variables);
  } catch (const ExpressionError& error) {
    return {error.column(), error.what()};
  }
  return {};
}

bool says(const Failure& f, std::size_t column, const std::string& text) {
  INFO(f.message);
  CHECK(f.column == column);
  CHECK(f.message.find(text) != std::string::npos);
  return f.column == column && f.message.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("expression: what binds tighter, and from which side") {
  CHECK(structure("a+b*c") == "add(a mul(b c))");
  CHECK(structure("a-b-c") == "sub(sub(a b) c)");
  CHECK(structure("a/b*c") == "mul(div(a b) c)");
  CHECK(structure("-x^2") == "neg(pow(x 2))");
  CHECK(structure("2^-x") == "pow(2 neg(x))");
  CHECK(structure("a^b^c") == "pow(a pow(b c))");
  CHECK(structure("-a*b") == "mul(neg(a) b)");
  CHECK(structure("a - -b") == "sub(a neg(b))");
  CHECK(structure("a*(b+c)@d") == "matmul(mul(a add(b c)) d)");
  CHECK(structure("a − b · c × d ⊙ e") == "sub(a mul(mul(mul(b c) d) e))");
  CHECK(structure("maximum(a, -b)") == "maximum(a neg(b))");
  CHECK(structure("θ*x_1") == "mul(θ x_1)");
  CHECK(structure("\tx \n+ 1 ;") == "add(x 1)");
}

TEST_CASE("expression: a name for a part is that part, not a copy") {
  const Expression e = parse("s = a+b; p = a*b; s + p + s*p");
  CHECK(e.terms.size() == 7);  // a, b, s, p, s+p, s*p, and the last sum: each once
  CHECK(e.definitions.size() == 2);
  const Tensor a = leaf(2), b = leaf(3);
  const Tensor y = evaluate(e, {{"a", a}, {"b", b}}).value;
  CHECK(y.item() == 41);
  y.backward();
  CHECK(a.grad().item() == 25);
  CHECK(b.grad().item() == 19);
}

TEST_CASE("expression: values are those of plain numbers") {
  CHECK(number("1 + 2*3 - 4/8") == 6.5);
  CHECK(number("-2^2") == -4);
  CHECK(number("2^3^2") == 512);
  CHECK(number(".5e1 + 1.e-1") == 5.1);
  CHECK(number("2*pi") == doctest::Approx(2 * std::acos(-1.0)).epsilon(1e-15));
  CHECK(number("tanh(0.5) + exp(-1)*sin(2)") == doctest::Approx(std::tanh(0.5) + std::exp(-1) * std::sin(2)).epsilon(1e-14));
  CHECK(number("sqrt(2) + log(3) + cos(1) + erf(0.3) + expm1(0.1) + log1p(0.1)") ==
        doctest::Approx(std::sqrt(2) + std::log(3) + std::cos(1) + std::erf(0.3) + std::expm1(0.1) + std::log1p(0.1)).epsilon(1e-14));
  CHECK(number("clamp(5, 0, 2) + maximum(1, 3) + minimum(1, 3) + abs(-2) + square(3)") == 2 + 3 + 1 + 2 + 9);
  CHECK(number("sum([1, 2, 3]) + mean([[1, 2], [3, 6]]) + max([4, 5]) + prod([2, 3])") == 6 + 3 + 5 + 6);
  CHECK(number("sum([[1, 2], [3, 4]] @ [1, 10])") == 21 + 43);
  CHECK(number("sum(softmax([[1, 2], [3, 4]], 0) * [[1, 0], [0, 0]])") == doctest::Approx(1 / (1 + std::exp(2))).epsilon(1e-14));
  CHECK(number("sum(softmax([[1, 2], [3, 4]], 1) * [[1, 0], [0, 0]])") == doctest::Approx(1 / (1 + std::exp(1))).epsilon(1e-14));
  CHECK(number("silu(1)") == doctest::Approx(1 / (1 + std::exp(-1))).epsilon(1e-14));
  CHECK(number("gelu_tanh(0)") == 0);
  CHECK(std::isnan(number("log(-1)")));
  CHECK(number("1/0") == HUGE_VAL);
  CHECK(equal(evaluate(parse("sum([[1, 2], [3, 4]], 0)"), {}).value, tensor({4, 6}, DType::f64)));
  CHECK(evaluate(parse("1.5"), {}, DType::f32).value.dtype() == DType::f32);
}

TEST_CASE("expression: the calls that cut a gradient, as they are typed") {
  const auto cut = [](const std::string& text) {
    const Expression e = parse(text);
    std::vector<std::string> names;
    for (const int i : cuts(e, evaluate(e, {{"x", leaf({3, 4})}}).terms)) names.push_back(written(e, i));
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(cut("tanh(x)*2 + sign([1, 2])") == Names{});
  CHECK(cut("sign(sign(x)) + argmax(x, 0)") == Names{"sign(x)", "argmax(x, 0)"});
  CHECK(cut("s = x^2; detach((x + s)*3) + x") == Names{"detach((x + s)*3)"});
  CHECK(cut("gt(x, [1, 2])") == Names{"gt(x, [1, 2])"});
  CHECK(cut("sign(x + x + x + x + x + x + x + x)") == Names{"sign(…)"});
}

TEST_CASE("expression: of a chain of 100,000 ops only the head is written, and the stack is deep enough") {
  std::string text = "x";
  for (int i = 0; i < 100000; ++i) text += "+1";
  const Expression e = parse("sign(" + text + ")");
  CHECK(written(e, e.value) == "sign(…)");
}

TEST_CASE("expression: gradients agree with finite differences") {
  const std::map<std::string, Nested> values{{"w", 0.5}, {"x", 2}, {"b", -0.7}, {"v", {0.3, -1.2}}, {"m", {{1, 0.5}, {-2, 0.25}}}};
  for (const char* text : {"tanh(w*x+b)^2", "s = w+x; p = w*x; s + p + s*p", "sum(m @ v) / x", "x^w - w^-x", "sum(softmax(m, 0) * m)",
                           "logsumexp(v) + std(v) + mean(gelu(m) * w)", "sum([w, x, w*b] * [1, 2, 3])", "sum(m * v)",
                           "sum(where(gt(m, 0), m*w, m/x))", "sum(cumsum(v) * v)"}) {
    CAPTURE(text);
    const Expression e = parse(text);
    Tensors inputs;
    for (const int i : e.variables) inputs.push_back(leaf(values.at(e.terms[static_cast<std::size_t>(i)].name)));
    const GradcheckReport report = gradcheck(
        [&](const Tensors& in) {
          std::map<std::string, Tensor> given;
          for (std::size_t i = 0; i < in.size(); ++i) {
            given[e.terms[static_cast<std::size_t>(e.variables[i])].name] = in[i];
          }
          return evaluate(e, given).value;
        },
        inputs);
    CHECK_MESSAGE(report.passed, report.text);
    CHECK(report.entries > 0);
  }
}

TEST_CASE("expression: an error names the place, what was expected, and the nearest name") {
  CHECK(says(failure(""), 0, "the expression is empty"));
  CHECK(says(failure("  "), 2, "empty"));
  CHECK(says(failure("1 + tnh(2)"), 4, "there is no function 'tnh'; did you mean 'tanh'?"));
  CHECK(says(failure("1 + "), 4, "a number, a name, '(' or '[' was expected, and here is the end"));
  CHECK(says(failure("(1 + 2"), 6, "an operator or ')' was expected"));
  CHECK(says(failure("1 2"), 2, "an operator or the end was expected, not '2'"));
  CHECK(says(failure("2x"), 1, "a product is written 2*x"));
  CHECK(says(failure("x**2"), 1, "a power is written ^"));
  CHECK(says(failure("1 + 1e999"), 4, "too large"));
  CHECK(says(failure("sum(1, 2, 3)"), 0, "sum was given 3 arguments; it is sum(x, axis), the last of which may be left out"));
  CHECK(says(failure("pow(2)"), 0, "pow was given 1 argument; it is pow(a, b)"));
  CHECK(says(failure("tanh()"), 0, "0 arguments"));
  CHECK(says(failure("[]"), 1, "was expected, not ']'"));
  CHECK(says(failure("1 + x"), 4, "the variable 'x' has no value"));
  CHECK(says(failure("[1, 2] + [1, 2, 3]"), 7, "add: "));
  CHECK(says(failure("1 + ([1, 2] @ [1, 2, 3])"), 12, "matmul: "));
  CHECK(says(failure("[1, [2, 3]]"), 0, "the parts of a list have one shape"));
  CHECK(says(failure("sum([1], 0.5)"), 0, "whole number"));
  CHECK(says(failure("sum([1], 3)"), 0, "sum: "));
  CHECK(says(failure("s = 1; s = 2; s"), 7, "'s' is given twice"));
  CHECK(says(failure("s + 1; s = 2"), 7, "'s' was used before"));
  CHECK(says(failure("s = s + 1"), 0, "'s' is made from itself"));
  CHECK(says(failure("pi = 3"), 0, "'pi' is a number"));
  CHECK(says(failure("1 = 2"), 2, "'=' gives a name"));
  CHECK(says(failure("1 ? 2"), 2, "'?' means nothing here"));
  CHECK(says(failure("1 + \xff"), 4, "'\\xff'"));
  CHECK(says(failure("[[[[[[[1]]]]]]]"), 0, "no room for another axis"));
  CHECK(says(failure(std::string(10000, '(')), 200, "nested more than 200 deep"));
  CHECK(says(failure(std::string(10000, '-') + "1"), 200, "nested"));
  CHECK(number(std::string(199, '(') + "1" + std::string(199, ')')) == 1);
  std::string sum = "1";
  for (int i = 0; i < 20000; ++i) sum += "+1";
  CHECK(number(sum) == 20001);
}

TEST_CASE("expression: a caret stands under the place, counted in columns") {
  CHECK(failure("1 · 漢").message == "'漢' means nothing here\n  1 · 漢\n      ^");
  CHECK(failure("θ · · x").message.find("\n  θ · · x\n      ^") != std::string::npos);
  const std::string long_one = failure(std::string(300, ' ') + "$" + std::string(300, 'x')).message;
  CHECK(long_one.find("$" + std::string(25, 'x') + "…\n") != std::string::npos);
}

TEST_CASE("expression: 10,000 random texts are values or errors with a column inside of them") {
  const std::vector<std::string> words{"x", "1", "2.5",  "1e3",  "+",      "-", "*", "/",   "^",     "@",        "(",
                                       ")", "[", "]",    ",",    ";",      "=", " ", "sum", "tanh(", "softmax(", "matmul(",
                                       "⊙", "−", "\xff", "\xe2", "where(", "y", "θ", ".",   "e",     "\n",       "max("};
  std::mt19937 random(7);
  int values = 0;
  for (int i = 0; i < 10000; ++i) {
    std::string text;
    for (std::size_t k = random() % 12; k-- > 0;) text += words[random() % words.size()];
    try {
      evaluate(parse(text), {{"x", leaf({1, 2})}});
      ++values;
    } catch (const ExpressionError& error) {
      CHECK_MESSAGE(error.column() <= text.size(), text);
    }
  }
  CHECK(values > 50);
}
