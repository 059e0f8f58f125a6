#include "examples/shared/expression/expression.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/options/edit_distance.h"
#include "examples/shared/expression/functions.h"
#include "examples/shared/expression/tokens.h"

namespace gradus::examples {
namespace {

constexpr int kDeepest = 200;  // parentheses in parentheses: each is a few calls of the parser's own

constexpr std::pair<std::string_view, double> kConstants[] = {
    {"pi", 3.14159265358979323846}, {"inf", HUGE_VAL}, {"nan", static_cast<double>(NAN)}};

// "did you mean 'tanh'?" of a word that is like a function's, else all of them.
std::string meant_by(const std::string& word) {
  std::vector<std::string> names;
  for (const ExpressionFunction& f : expression_functions()) names.push_back(f.name);
  const std::string near = nearest(word, names);
  if (3 * edit_distance(word, near) <= word.size() || is_longer_form(word, near)) return fmt::format("did you mean '{}'?", near);
  std::sort(names.begin(), names.end());
  return fmt::format("the functions are {}", fmt::join(names, ", "));
}

class Parser {
 public:
  explicit Parser(std::string_view text) {
    e_.text = std::string(text);
    advance();
  }

  Expression program() {
    if (token_.kind == Token::Kind::end) fail(token_.column, "the expression is empty");
    do {
      e_.value = statement();
    } while (accept(";") && token_.kind != Token::Kind::end);
    if (token_.kind != Token::Kind::end) unexpected("an operator or the end");
    return std::move(e_);
  }

 private:
  using Kind = Term::Kind;

  [[noreturn]] void fail(std::size_t column, const std::string& message) const { throw ExpressionError(e_.text, column, message); }
  [[noreturn]] void unexpected(const std::string& expected) const {
    const bool end = token_.kind == Token::Kind::end;
    const bool power = token_.sign == "**";
    fail(token_.column,
         fmt::format("{} was expected, {}{}", expected, end ? "and here is the end" : "not '" + std::string(token_.text) + "'",
                     power ? "; a power is written ^" : ""));
  }

  // --- words ------------------------------------------------------------------------------------------------
  void advance() {
    token_ = token_at(e_.text, at_);
    at_ = token_.column + token_.text.size();
  }

  bool accept(std::string_view sign) {
    if (token_.kind != Token::Kind::sign || token_.sign != sign) return false;
    advance();
    return true;
  }
  void expect(std::string_view sign, const std::string& expected) {
    if (!accept(sign)) unexpected(expected);
  }

  // --- terms ------------------------------------------------------------------------------------------------
  int add_term(Term term) {
    e_.terms.push_back(std::move(term));
    return static_cast<int>(e_.terms.size()) - 1;
  }

  int call(const char* function, std::size_t column, std::vector<int> operands) {
    return add_term({Kind::call, column, 0, function, std::move(operands)});
  }

  int statement() {
    const Token name = token_;
    const std::size_t after = at_;
    if (name.kind == Token::Kind::name) {
      advance();
      if (token_.sign == "=") return definition(name);
      token_ = name;
      at_ = after;
    }
    const int value = sum();
    if (token_.sign == "=") fail(token_.column, "'=' gives a name: s = a + b; it must stand after a name alone");
    return value;
  }

  int definition(const Token& token) {
    const std::string name(token.text);
    const auto is_it = [&](int i) { return e_.terms[static_cast<std::size_t>(i)].name == name; };
    if (known(name) != nullptr) fail(token.column, fmt::format("'{}' is given twice; call this one otherwise", name));
    if (is_constant(name)) fail(token.column, fmt::format("'{}' is a number; call this one otherwise", name));
    if (std::any_of(e_.variables.begin(), e_.variables.end(), is_it)) {
      fail(token.column, fmt::format("'{}' was used before it is given; give it first", name));
    }
    advance();
    const int value = sum();
    // A name inside its own definition became a variable from outside.
    if (std::any_of(e_.variables.begin(), e_.variables.end(), is_it)) {
      fail(token.column, fmt::format("'{}' is made from itself", name));
    }
    e_.definitions.emplace_back(name, value);
    return value;
  }

  int sum() {
    int left = product();
    while (true) {
      const std::size_t column = token_.column;
      if (accept("+")) {
        left = call("add", column, {left, product()});
      } else if (accept("-")) {
        left = call("sub", column, {left, product()});
      } else {
        return left;
      }
    }
  }

  int product() {
    int left = unary();
    while (true) {
      const std::size_t column = token_.column;
      if (accept("*")) {
        left = call("mul", column, {left, unary()});
      } else if (accept("/")) {
        left = call("div", column, {left, unary()});
      } else if (accept("@")) {
        left = call("matmul", column, {left, unary()});
      } else {
        return left;
      }
    }
  }

  int unary() {
    const std::size_t column = token_.column;
    if (++depth_ > kDeepest) fail(column, fmt::format("this is nested more than {} deep", kDeepest));
    int value = 0;
    if (accept("-")) {
      value = call("neg", column, {unary()});
    } else if (accept("+")) {
      value = unary();
    } else {
      value = atom();
      const std::size_t power = token_.column;
      if (accept("^")) value = call("pow", power, {value, unary()});
    }
    --depth_;
    return value;
  }

  int atom() {
    const Token token = token_;
    switch (token.kind) {
      case Token::Kind::number: return number(token);
      case Token::Kind::name: return name(token);
      case Token::Kind::sign:
        if (accept("(")) {
          const int value = sum();
          expect(")", "an operator or ')'");
          return value;
        }
        if (accept("[")) return add_term({Kind::list, token.column, 0, "", sums("]", "',' or ']'")});
        break;
      case Token::Kind::end: break;
    }
    unexpected("a number, a name, '(' or '['");
  }

  std::vector<int> sums(std::string_view close, const std::string& expected) {
    std::vector<int> values;
    do values.push_back(sum());
    while (accept(","));
    expect(close, expected);
    return values;
  }

  int number(const Token& token) {
    const double value = std::strtod(std::string(token.text).c_str(), nullptr);
    if (std::isinf(value)) fail(token.column, fmt::format("{} is too large: numbers end at 1.8e308", token.text));
    advance();
    if (token_.kind == Token::Kind::name && token_.column == token.column + token.text.size()) {
      fail(token_.column,
           fmt::format("an operator was expected, not '{}'; a product is written {}*{}", token_.text, token.text, token_.text));
    }
    return add_term({Kind::number, token.column, value});
  }

  static bool is_constant(const std::string& name) {
    return std::any_of(std::begin(kConstants), std::end(kConstants), [&](const auto& c) { return c.first == name; });
  }
  const int* known(const std::string& name) const {
    for (const auto& [defined, term] : e_.definitions) {
      if (defined == name) return &term;
    }
    return nullptr;
  }

  int name(const Token& token) {
    const std::string name(token.text);
    advance();
    if (accept("(")) return function(name, token.column);
    if (const int* term = known(name)) return *term;
    for (const auto& [constant, value] : kConstants) {
      if (name == constant) return add_term({Kind::number, token.column, value});
    }
    for (const int i : e_.variables) {
      if (e_.terms[static_cast<std::size_t>(i)].name == name) return i;
    }
    const int term = add_term({Kind::variable, token.column, 0, name});
    e_.variables.push_back(term);
    return term;
  }

  int function(const std::string& name, std::size_t column) {
    const ExpressionFunction* found = find_expression_function(name);
    if (found == nullptr) {
      fail(column, fmt::format("there is no function '{}'; {}", name, meant_by(lower_case(name))));
    }
    std::vector<int> operands;
    if (!accept(")")) operands = sums(")", "',' or ')'");
    if (operands.size() < found->least || operands.size() > found->parameters.size()) {
      fail(column,
           fmt::format("{} was given {} argument{}; it is {}", name, operands.size(), operands.size() == 1 ? "" : "s", found->usage()));
    }
    return add_term({Kind::call, column, 0, name, std::move(operands)});
  }

  Expression e_;
  std::size_t at_ = 0;  // behind the token
  Token token_;
  int depth_ = 0;
};

}  // namespace

Expression parse(std::string_view text) { return Parser(text).program(); }

}  // namespace gradus::examples
