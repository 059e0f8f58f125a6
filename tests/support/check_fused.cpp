#include "tests/support/check_fused.h"

#include <algorithm>
#include <set>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/inspect/gradcheck.h"
#include "core/tape/grad_mode.h"
#include "core/tape/node.h"
#include "core/tensor/random.h"
#include "tests/support/check.h"

namespace gradus::test {
namespace {

// Relative to the largest element. In f64 and f32 both sides make the same few dozen operations in another order.
constexpr double kF64 = 1e-12, kF32 = 1e-5;
// The fast path computes in f32 and rounds on writing, by half a unit: 2⁻¹¹. A gradient reads the rounded cotangent,
// and perhaps the rounded output, too. The formula rounds after each of its ops, some thirty with the gradient.
constexpr double kF16Fast = 3 * 0x1p-11, kF16Formula = 32 * 0x1p-11;

Tensors only_floating(const Tensors& inputs) {
  Tensors result;
  for (const Tensor& x : inputs) {
    if (is_floating(x.dtype())) result.push_back(x);
  }
  return result;
}

// Leaves with the same values in another dtype.
Tensors leaves_of(const Tensors& inputs, DType dtype) {
  Tensors leaves;
  for (const Tensor& x : inputs) {
    leaves.push_back(x);
    if (is_floating(x.dtype())) leaves.back() = cast(x.detach(), dtype).detached_copy().set_requires_grad();
  }
  return leaves;
}

// Numbers that f16 has exactly, so that every dtype sees the same.
Tensor exact_in_f16(const Tensor& x) { return is_floating(x.dtype()) ? cast(cast(x, DType::f16), DType::f64) : x; }

Tensor random_like(const Tensor& x, std::uint64_t seed) {
  Generator generator(seed);
  return cast(exact_in_f16(uniform(x.shape(), -1, 1, DType::f64, generator)), x.dtype());
}

struct Result {
  Tensor value;
  Tensors gradients;  // of ⟨a random cotangent, value⟩
};

Result run(const TensorFunction& f, const Tensors& leaves, bool create_graph = false) {
  const Tensor y = f(leaves);
  return {y.detach(), grad({y}, only_floating(leaves), {.seeds = {random_like(y, 1)}, .create_graph = create_graph})};
}

// The gradient of ⟨random, all first gradients⟩ with respect to the inputs and the cotangent.
Tensors second_gradients(const TensorFunction& f, const Tensors& inputs) {
  const Tensors leaves = leaves_of(inputs, DType::f64);
  Tensors wanted = only_floating(leaves);
  const Tensor y = f(leaves);
  const Tensor seed = random_like(y, 1).set_requires_grad();
  const Tensors first = grad({y}, wanted, {.seeds = {seed}, .create_graph = true});
  Tensor total = scalar_like(y, 0);
  for (std::size_t i = 0; i < first.size(); ++i) total = total + sum(first[i] * random_like(first[i], 2 + i));
  wanted.push_back(seed);
  Tensors second = grad({total}, wanted, {.allow_unused = true});
  for (std::size_t i = 0; i < second.size(); ++i) {
    if (!second[i].defined()) second[i] = zeros_like(wanted[i]);  // f is linear in it
  }
  return second;
}

std::multiset<std::string> names_on_tape(const Tensor& output) {
  std::multiset<std::string> names;
  std::set<std::uint64_t> seen;
  Tensors waiting{output};
  while (!waiting.empty()) {
    const Tensor tensor = waiting.back();
    waiting.pop_back();
    if (tensor.node() == nullptr || !seen.insert(tensor.number()).second) continue;
    names.insert(tensor.node()->name());
    for (std::size_t i = 0; i < tensor.node()->input_count(); ++i) {
      if (tensor.node()->input(i).defined()) waiting.push_back(tensor.node()->input(i));
    }
  }
  return names;
}

// f after the inputs were made to depend on the first one: the others are shifted by a sum of it over its leading axes,
// or over all.
TensorFunction on_dependent_inputs(const TensorFunction& f) {
  return [f](const Tensors& given) {
    Tensors inputs = given;
    for (std::size_t i = 1; i < given.size(); ++i) {
      if (!is_floating(given[i].dtype())) continue;
      const bool fits = broadcasts_to(given[i].shape(), given[0].shape());
      inputs[i] = given[i] + 0.25 * (fits ? sum_to(given[0], given[i].shape()) : sum(given[0]));
    }
    return f(inputs);
  };
}

class FusedCheck {
 public:
  FusedCheck(std::string name, const TensorFunction& fast, const TensorFunction& formula, const Tensors& inputs)
      : name_(std::move(name)), fast_(fast), formula_(formula) {
    for (const Tensor& x : inputs) inputs_.push_back(exact_in_f16(x));
  }

  std::string run_all(const FusedOptions& options) {
    const std::pair<const char*, void (FusedCheck::*)()> all[] = {{"f64", &FusedCheck::double_precision},
                                                                  {"f32", &FusedCheck::single_precision},
                                                                  {"f16", &FusedCheck::half_precision},
                                                                  {"second gradients", &FusedCheck::second_order},
                                                                  {"dependent inputs", &FusedCheck::dependent_inputs},
                                                                  {"one tensor as every input", &FusedCheck::one_tensor},
                                                                  {"FormulaOnly", &FusedCheck::formula_only_mode}};
    for (const auto& [what, check] : all) attempt(what, [this, check = check] { (this->*check)(); });
    if (options.differences) attempt("central differences", [this] { central_differences(); });
    return problems_;
  }

 private:
  void double_precision() { compare("f64", run_in(fast_, DType::f64), run_in(formula_, DType::f64), kF64); }
  void single_precision() { compare("f32", run_in(fast_, DType::f32), run_in(formula_, DType::f32), kF32); }
  void half_precision() {
    const Result truth = run_in(formula_, DType::f64);
    compare("f16", run_in(fast_, DType::f16), truth, kF16Fast);
    compare("f16 (the formula)", run_in(formula_, DType::f16), truth, kF16Formula);
  }

  void second_order() { compare_all("second gradient", second_gradients(fast_, inputs_), second_gradients(formula_, inputs_), kF64); }

  void dependent_inputs() { compare_orders("dependent inputs", on_dependent_inputs(fast_), on_dependent_inputs(formula_)); }

  void one_tensor() {
    const bool alike = std::all_of(inputs_.begin(), inputs_.end(),
                                   [this](const Tensor& x) { return x.shape() == inputs_[0].shape() && x.dtype() == inputs_[0].dtype(); });
    if (!alike || inputs_.size() < 2) return;
    const auto repeated = [](const TensorFunction& f) { return [&f](const Tensors& given) { return f(Tensors(given.size(), given[0])); }; };
    const auto without_others = [&](const TensorFunction& f) {  // the other inputs take no part, but want a gradient
      return [g = repeated(f)](const Tensors& given) {
        Tensor rest = scalar_like(given[0], 0);
        for (const Tensor& x : given) rest = rest + sum(x);
        return g(given) + rest;
      };
    };
    compare_orders("one tensor as every input", without_others(fast_), without_others(formula_));
  }

  // The kernel's gradients, create_graph's and the formula's.
  void compare_orders(const char* what, const TensorFunction& fast, const TensorFunction& formula) {
    const Result kernel = run_in(fast, DType::f64), truth = run_in(formula, DType::f64);
    compare(fmt::format("{}: kernel", what), kernel, truth, kF64);
    compare(fmt::format("{}: create_graph", what), run(fast, leaves_of(inputs_, DType::f64), true), truth, kF64);
  }

  void formula_only_mode() {
    const Tensors leaves = leaves_of(inputs_, DType::f64);
    const auto in_formula = names_on_tape(formula_(leaves)), in_fast = names_on_tape(fast_(leaves));
    expect(in_fast != in_formula, "the fast path records the formula's ops: it is not fused");
    const FormulaOnly readable;
    const Tensor value = fast_(leaves);
    const auto recorded = names_on_tape(value);
    for (const std::string& op : std::set<std::string>(recorded.begin(), recorded.end())) {
      expect(in_formula.count(op) == recorded.count(op),
             fmt::format("FormulaOnly: {} × {} on the tape, the formula has {}", op, recorded.count(op), in_formula.count(op)));
    }
    expect(recorded.size() == in_formula.size(), "FormulaOnly: not the formula's ops on the tape");
    expect(equal(value, formula_(leaves)), "FormulaOnly: other values than the formula's");
  }

  void central_differences() {
    const GradcheckReport first = gradcheck(fast_, inputs_);
    expect(first.passed && first.kinks == 0, "gradcheck " + first.text);
    const GradcheckReport second = gradgradcheck(fast_, inputs_);
    expect(second.passed && second.kinks == 0, "gradgradcheck " + second.text);
  }

  Result run_in(const TensorFunction& f, DType dtype) { return run(f, leaves_of(inputs_, dtype)); }

  void compare(const std::string& what, const Result& actual, const Result& expected, double tolerance) {
    compare_all(what + " value", {actual.value}, {expected.value}, tolerance);
    compare_all(what + " gradient", actual.gradients, expected.gradients, tolerance);
  }

  void compare_all(const std::string& what, const Tensors& actual, const Tensors& expected, double tolerance) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::string wrong = difference(actual[i], expected[i], tolerance);
      expect(wrong.empty(), fmt::format("{} {}: {}", what, i, wrong));
    }
  }

  void expect(bool ok, const std::string& problem) {
    if (!ok) problems_ += fmt::format("{}: {}\n", name_, problem);
  }

  template <typename Check> void attempt(const char* what, const Check& check) {
    try {
      check();
    } catch (const Error& error) {
      expect(false, fmt::format("{}: threw \"{}\"", what, error.what()));
    }
  }

  std::string name_;
  const TensorFunction &fast_, &formula_;
  Tensors inputs_;
  std::string problems_;
};

}  // namespace

std::string check_fused(const std::string& name, const TensorFunction& fast, const TensorFunction& formula, const Tensors& inputs,
                        const FusedOptions& options) {
  return FusedCheck(name, fast, formula, inputs).run_all(options);
}

}  // namespace gradus::test
