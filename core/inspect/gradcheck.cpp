#include "core/inspect/gradcheck.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/autograd/engine.h"
#include "core/autograd/vjp.h"
#include "core/composites/composites.h"
#include "core/inspect/gradcheck_factor.h"
#include "core/options/range.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"

namespace gradus {
namespace {

void check_arguments(const TensorFunction& f, const Tensors& inputs, const GradcheckOptions& options, OpName op = {}) {
  check<ValueError>(f != nullptr, "{}: the function is empty", op);
  check_defined("inputs", inputs, op);
  for (const Tensor& input : inputs) {
    check<DTypeError>(input.dtype() == DType::f64 || input.dtype() == DType::i64,
                      "{}: {} is too coarse to compare with differences; use f64 inputs", op, input.dtype());
  }
  check<ValueError>(common_dtype(inputs, op) == DType::f64, "{}: there is no f64 input to check", op);
  check_range("relative", options.relative, range::not_negative, op);
  check_range("absolute", options.absolute, range::not_negative, op);
  check_range("step", options.step, range::not_negative, op);
  check<ValueError>(options.jacobian_limit >= 0, "{}: jacobian_limit must not be negative, got {}", op, options.jacobian_limit);
}

// y = f(x), where f has given an output of `expected` before.
void check_same_shape(const Tensor& y, const Shape& expected) {
  check<ShapeError>(y.shape() == expected,
                    "gradcheck: the function gave shape {}, and {} for inputs a step apart; its shape "
                    "must not depend on the inputs' values",
                    expected, y.shape());
}

// The index of the flat-th element of a tensor of this shape.
std::string index_text(const Shape& shape, int64_t flat) {
  std::vector<int64_t> index;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    index.insert(index.begin(), flat % shape[axis]);
    flat /= shape[axis];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

Tensor call(const TensorFunction& f, const Tensors& inputs, OpName op) {
  const Tensor y = f(inputs);
  check_defined({{"what the function gave", y}}, op);
  return y;
}

// f(inputs) without a tape.
Tensor value_of(const TensorFunction& f, const Tensors& inputs, OpName op = {}) {
  const NoGrad off;
  Tensors seen;
  for (const Tensor& input : inputs) seen.push_back(input.detach());
  return call(f, seen, op);
}

// Equal values, or NaN in the same places.
bool same_values(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return false;
  const auto x = to_vector(a), y = to_vector(b);
  const auto same = [](double u, double v) { return u == v || (std::isnan(u) && std::isnan(v)); };
  return std::equal(x.begin(), x.end(), y.begin(), same);
}

// f as a function of one entry of one input, all else fixed.
class Probe {
 public:
  Probe(const TensorFunction& f, const Tensors& inputs) : f_(f) {
    for (const Tensor& input : inputs) inputs_.push_back(input.detached_copy());
    center_ = evaluate().detached_copy();
    check<ValueError>(same_values(evaluate(), center_),
                      "gradcheck: the function gave two results for the same inputs; it must "
                      "be pure: no dropout, no random numbers, nothing that a call changes");
  }

  void look_at(std::size_t input, int64_t entry) {
    input_ = input;
    entry_ = entry;
    x_ = inputs_[input].data<double>()[entry];
  }
  double x() const { return x_; }
  const Shape& output_shape() const { return center_.shape(); }

  // The estimate of dy/dx at a distance h, and how far the slopes on either side are apart.
  struct Difference { Tensor slope, bend; };
  Difference at(double h) {
    const Tensor above = evaluate_at(x_ + h), below = evaluate_at(x_ - h);
    return {(above - below) / (2 * h), (above - 2 * center_ + below) / h};
  }

 private:
  Tensor evaluate() const { return cast(value_of(f_, inputs_, "gradcheck"), DType::f64); }
  Tensor evaluate_at(double x) {
    double& entry = inputs_[input_].mutable_data<double>()[entry_];
    entry = x;
    const Tensor y = evaluate().detached_copy();  // f may hand on its input
    entry = x_;
    check_same_shape(y, center_.shape());
    return y;
  }

  const TensorFunction& f_;
  Tensors inputs_;
  Tensor center_;
  std::size_t input_ = 0;
  int64_t entry_ = 0;
  double x_ = 0;
};

// Smooth slopes differ by f''·h, so half the step halves a bend. At a kink, or a jump, it does not shrink, and near one it shrinks
// by another factor. Where one is `suspected`, any bend is enough.
bool is_kink(const Probe::Difference& full, const Probe::Difference& half, bool suspected) {
  const Tensor large = abs(full.bend) > (suspected ? 1e-6 : 1e-3) * (1 + abs(full.slope));
  const Tensor other = abs(half.bend - 0.5 * full.bend) >= 0.1 * abs(full.bend);  // false of what is not finite
  return any(suspected ? large : logical_and(large, other)).item() > 0;
}

// A direction in output space, and the gradient that the tape gives along it.
struct Cotangent {
  std::string name;
  Tensor direction;
  Tensors gradients;  // undefined for inputs that are not checked
  double scale = 0;   // the largest derivative
};

// What no check of a gradient sees: a value that is wrong together with its gradient.
constexpr const char* kUnseen =
    "\n  the gradient matches this function; whether it is the function you meant,\n  only a law or a value worked out by hand can tell";

class Checker {
 public:
  Checker(const TensorFunction& f, const Tensors& inputs, const GradcheckOptions& options)
      : options_(options), inputs_(inputs), probe_(f, inputs) {
    differentiate(f);
  }

  GradcheckReport run() {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!is_floating(inputs_[i].dtype())) continue;
      for (int64_t entry = 0; entry < inputs_[i].numel(); ++entry) check_entry(i, entry);
    }
    report_.passed = report_.entries > 0 && report_.worst <= 1;
    report_.text =
        fmt::format("{}: {} derivatives, worst difference {:.2g} of the tolerance, step {:.0e}{}{}{}", report_.passed ? "passed" : "FAILED",
                    report_.entries, report_.worst, report_.step, worst_text_, kink_text_, report_.passed ? kUnseen : factor_.text());
    return report_;
  }

 private:
  // All analytic gradients: along one random cotangent, and along every output when there are few.
  void differentiate(const TensorFunction& f) {
    Tensors leaves, checked;
    for (const Tensor& input : inputs_) {
      leaves.push_back(input.detached_copy());
      if (!is_floating(input.dtype())) continue;
      leaves.back().set_requires_grad();
      checked.push_back(leaves.back());
    }
    const GradMode on(true);
    const Tensor output = call(f, leaves, "gradcheck");
    check_same_shape(output, probe_.output_shape());
    check<DTypeError>(output.dtype() == DType::f64, "gradcheck: an output of {} is too coarse; compute it in f64", output.dtype());
    check<GraphError>(output.requires_grad(), "gradcheck: the output does not depend on any floating input (or was computed under NoGrad)");
    Generator generator(options_.seed);
    add_cotangent("random cotangent", uniform(output.shape(), -1, 1, DType::f64, generator), output, checked);
    if (output.numel() > options_.jacobian_limit) return;
    for (int64_t i = 0; i < output.numel(); ++i) {
      const Tensor unit = reshape(one_hot(tensor(static_cast<double>(i), DType::i64), output.numel(), DType::f64), output.shape());
      add_cotangent("output " + index_text(output.shape(), i), unit, output, checked);
    }
  }

  void add_cotangent(const std::string& name, const Tensor& seed, const Tensor& output, const Tensors& checked) {
    const Tensors found = grad({output}, checked, {.seeds = {seed}, .retain_graph = true, .allow_unused = true});
    Cotangent cotangent{name, seed, Tensors(inputs_.size())};
    for (std::size_t i = 0, next = 0; i < inputs_.size(); ++i) {
      if (!is_floating(inputs_[i].dtype())) continue;
      const Tensor& gradient = found[next++];
      cotangent.gradients[i] = gradient.defined() ? gradient : zeros(inputs_[i].shape(), DType::f64);
      for (double value : to_vector(cotangent.gradients[i])) {
        if (std::isfinite(value)) cotangent.scale = std::max(cotangent.scale, std::abs(value));
      }
    }
    cotangents_.push_back(std::move(cotangent));
  }

  void check_entry(std::size_t input, int64_t entry) {
    probe_.look_at(input, entry);
    const std::vector<double> steps = options_.step > 0 ? std::vector{options_.step} : std::vector{2e-3, 2e-4, 2e-5, 2e-6};
    Worst best{std::numeric_limits<double>::infinity(), "", {}};
    double used = steps.front();
    bool near_kink = false;
    for (double step : steps) {
      const double h = step * std::max(1.0, std::abs(probe_.x()));
      const auto full = probe_.at(h), half = probe_.at(h / 2);
      near_kink = is_kink(full, half, near_kink && step == steps.back());
      if (near_kink) {
        if (step != steps.back()) continue;  // a kink near x, perhaps, but not at it: look closer
        ++report_.kinks;
        kink_text_ += fmt::format("\n  kink at input {}{}: skipped", input, index_text(inputs_[input].shape(), entry));
        return;
      }
      const Tensor numeric = half.slope + (half.slope - full.slope) / 3;  // Richardson: the h² errors cancel
      const Worst here = compare(input, entry, numeric, h);
      if (here.difference <= best.difference) best = here;  // <=, so that an infinite difference (NaN) still records its text
      used = step;
      if (best.difference <= 1) break;
    }
    for (std::size_t i = 0; i < cotangents_.size(); ++i)
      factor_.add(input, entry, cotangents_[i].gradients[input].data<double>()[entry], best.numeric[i]);
    report_.entries += static_cast<int64_t>(cotangents_.size());
    report_.step = report_.step == 0 ? used : std::min(report_.step, used);
    if (best.difference > report_.worst) {
      report_.worst = best.difference;
      worst_text_ = best.text;
    }
  }

  struct Worst {
    double difference;
    std::string text;
    std::vector<double> numeric;  // along each cotangent
  };

  Worst compare(std::size_t input, int64_t entry, const Tensor& numeric_column, double h) const {
    Worst worst{0, "", {}};
    for (const Cotangent& cotangent : cotangents_) {
      const double numeric = worst.numeric.emplace_back(sum(cotangent.direction * numeric_column).item());
      const double analytic = cotangent.gradients[input].data<double>()[entry];
      const double scale = std::max(1.0, cotangent.scale);
      const double tolerance = options_.absolute * scale + options_.relative * std::abs(numeric);
      double difference = std::abs(analytic - numeric) / tolerance;
      if (std::isnan(difference)) difference = std::numeric_limits<double>::infinity();
      if (difference <= worst.difference) continue;
      worst.difference = difference;
      worst.text = fmt::format("\n  worst at input {}{}, {}: analytic {:.12g}, numeric {:.12g} (h = {:.0e})", input,
                               index_text(inputs_[input].shape(), entry), cotangent.name, analytic, numeric, h);
    }
    return worst;
  }

  GradcheckOptions options_;
  Tensors inputs_;
  Probe probe_;
  std::vector<Cotangent> cotangents_;
  GradcheckReport report_;
  GradientFactor factor_;
  std::string worst_text_, kink_text_;
};

}  // namespace

GradcheckReport gradcheck(const TensorFunction& f, const Tensors& inputs, const GradcheckOptions& options) {
  check_arguments(f, inputs, options);
  return Checker(f, inputs, options).run();
}

GradcheckReport gradgradcheck(const TensorFunction& f, const Tensors& inputs, const GradcheckOptions& options) {
  check_arguments(f, inputs, options);
  const Shape output_shape = value_of(f, inputs).shape();
  Generator generator(options.seed + 1);
  Tensors with_seed = inputs;
  with_seed.push_back(uniform(output_shape, -1, 1, DType::f64, generator));

  // (x, dL/dy) to all dL/dx, laid end to end.
  const TensorFunction gradient = [&f](const Tensors& given) {
    const Tensors x(given.begin(), given.end() - 1);
    const auto checked = [&](const Tensors& leaves) {
      const Tensor y = call(f, leaves, "gradgradcheck");
      check_same_shape(y, given.back().shape());
      return Tensors{y};
    };
    const Tensors found = vjp(checked, x, {given.back()}, true);
    Tensors flat;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (is_floating(x[i].dtype())) flat.push_back(flatten(found[i].defined() ? found[i] : zeros_like(x[i])));
    }
    return cat(flat, 0);
  };
  return gradcheck(gradient, with_seed, options);
}

}  // namespace gradus
