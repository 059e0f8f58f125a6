#include "examples/widgets/tape_problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "core/core.h"
#include "examples/shared/expression/expression.h"
#include "examples/shared/expression/functions.h"
#include "nn/init.h"
#include "nn/linear.h"
#include "nn/loss/regression.h"

namespace gradus::widgets {
namespace {

using examples::Expression;
using examples::Term;

// Every call as one types it; then the names that the text gives; the result is y.
NamedTensors names_in(const Expression& e, const examples::Evaluated& evaluated) {
  NamedTensors names;
  for (std::size_t i = 0; i < e.terms.size(); ++i) {
    if (e.terms[i].kind == Term::Kind::variable) continue;
    names.emplace_back(examples::written(e, static_cast<int>(i)), evaluated.terms[i]);
  }
  names.emplace_back("y", evaluated.value);
  names.insert(names.end(), evaluated.names.begin(), evaluated.names.end());
  return names;
}

Tensor one_number(const Tensor& x) { return x.rank() == 0 ? x : sum(x); }

std::string why_without(const Expression& e, const examples::Evaluated& evaluated) {
  std::string cut;
  for (const int term : examples::cuts(e, evaluated.terms)) cut += (cut.empty() ? "" : ", ") + examples::written(e, term);
  return "the result has no gradient: " + (cut.empty() ? "it is a constant here" : "none passes through " + cut);
}

std::string unknown_leaf(const std::string& name, const std::map<std::string, double>& numbers) {
  std::vector<std::string> known;
  for (const auto& [leaf, number] : numbers) known.push_back(leaf);
  return fmt::format("'{}' has no number here; the leaves are {}", name, fmt::join(known, ", "));
}

}  // namespace

TapeProblem expression_problem(const std::string& text, const std::map<std::string, double>& numbers) {
  const Expression e = examples::parse(text);
  for (const int i : e.variables) {
    const Term& variable = e.terms[static_cast<std::size_t>(i)];
    if (numbers.count(variable.name) == 0) throw examples::ExpressionError(text, variable.column, unknown_leaf(variable.name, numbers));
  }
  TapeProblem problem;
  for (const auto& [name, number] : numbers) {
    const auto is_it = [&, &known = name](int i) { return e.terms[static_cast<std::size_t>(i)].name == known; };
    if (std::none_of(e.variables.begin(), e.variables.end(), is_it)) continue;
    problem.leaves.emplace_back(name, full({}, number, DType::f64).set_requires_grad());
  }
  check<ValueError>(!e.variables.empty(), "there is no leaf in it: use a, b or c");
  problem.compute = [e, named = problem.leaves](const Tensors& leaves) {
    std::map<std::string, Tensor> variables;
    for (std::size_t i = 0; i < leaves.size(); ++i) variables.emplace(named[i].first, leaves[i]);
    const examples::Evaluated evaluated = examples::evaluate(e, variables);
    check<ValueError>(evaluated.value.requires_grad() || !grad_enabled(), "{}", why_without(e, evaluated));
    Computed computed{one_number(evaluated.value), names_in(e, evaluated)};
    if (evaluated.value.rank() > 0) computed.names.emplace_back("sum", computed.y);
    return computed;
  };
  return problem;
}

// --- a model ------------------------------------------------------------------------------------------------

namespace {

struct Part {
  std::string name;  // "linear", "mse", or a function
  std::int64_t in = 0, out = 0;
};

// The words between any of these signs.
std::vector<std::string> split(const std::string& text, std::string_view signs) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (signs.find(c) == std::string_view::npos) words.back() += c;
    else if (!words.back().empty()) words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::int64_t size_of(const std::string& word, const std::string& part) {
  check<ValueError>(word.size() == 1 && word[0] >= '1' && word[0] <= '4',
                    "'{}': a linear layer is written with its two sizes, 1 to 4 each: linear 2 3", part);
  return word[0] - '0';
}

Part part_of(const std::string& text) {
  const std::vector<std::string> words = split(text, " ");
  check<ValueError>(!words.empty(), "a part of the model is empty");
  Part part{words[0]};
  const bool linear = part.name == "linear";
  if (linear) {
    check<ValueError>(words.size() > 2, "'{}': a linear layer is written with its two sizes: linear 2 3", text);
    part.in = size_of(words[1], text);
    part.out = size_of(words[2], text);
  } else if (part.name != "mse") {
    const examples::ExpressionFunction* f = examples::find_expression_function(part.name);
    check<ValueError>(f != nullptr && f->least == 1, "'{}' is no layer: take linear 2 3, a function such as tanh, or mse at the end",
                      part.name);
  }
  const std::size_t most = linear ? 3 : 1;
  check<ValueError>(words.size() <= most, "'{}': '{}' is too much", text, words.size() > most ? words[most] : "");
  return part;
}

std::vector<Part> parts_of(const std::string& text) {
  std::vector<Part> parts;
  for (const std::string& one : split(text, ";")) parts.push_back(part_of(one));
  check<ValueError>(!parts.empty() && parts[0].name == "linear", "a model begins with a linear layer: linear 2 3");
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) check<ValueError>(parts[i].name != "mse", "mse is the last part of a model");
  return parts;
}

// The layers from the first on: `leaves` are the input, and then weight and bias of each linear layer.
Computed run(const std::vector<Part>& parts, const Tensors& leaves) {
  NamedTensors names;
  Tensor x = leaves[0];
  std::size_t next = 1;
  for (const Part& part : parts) {
    if (part.name == "linear") {
      x = nn::linear(x, leaves[next], leaves[next + 1]);
      next += 2;
    } else if (part.name == "mse") {
      x = nn::mse(x, ones_like(x));
    } else {
      x = examples::find_expression_function(part.name)->call({x});
    }
    names.emplace_back(part.name, x);
  }
  x = one_number(x);
  names.emplace_back("y", x);
  return {x, names};
}

}  // namespace

TapeProblem model_problem(const std::string& text, const std::vector<double>& numbers) {
  const std::vector<Part> parts = parts_of(text);
  const std::int64_t width = parts[0].in;
  check<ValueError>(width <= static_cast<std::int64_t>(numbers.size()), "the first layer takes {} numbers, and there are a, b and c",
                    width);
  TapeProblem problem;
  problem.leaves.emplace_back("x", from_vector(std::vector<double>(numbers.begin(), numbers.begin() + width), {1, width}));
  Generator generator(1);
  for (const Part& part : parts) {
    if (part.name != "linear") continue;
    Tensor weight(Shape{part.out, part.in}, DType::f64);
    nn::init_xavier_uniform(weight, 1, generator);
    const std::size_t layer = problem.leaves.size() / 2 + 1;
    problem.leaves.emplace_back(fmt::format("W{}", layer), weight);
    problem.leaves.emplace_back(fmt::format("b{}", layer), zeros({part.out}, DType::f64));
  }
  for (auto& [name, leaf] : problem.leaves) leaf.set_requires_grad();
  problem.compute = [parts](const Tensors& leaves) { return run(parts, leaves); };
  return problem;
}

}  // namespace gradus::widgets
