// The softmax cliff: the same number added to every score changes nothing, until the formula as written is no number.
#include <fmt/format.h>

#include "core/core.h"
#include "examples/widgets/lab.h"
#include "nn/activation/softmax.h"

namespace gradus::widgets {
namespace {

// e^x / Σ e^x as it is written, each op rounded to the dtype of x.
Tensor as_written(const Tensor& x) {
  const Tensor e = exp(x);
  return e / sum(e, -1, true);
}

bool has_nan(const Tensor& x) { return any(isnan(x)).item() != 0; }

// Smaller differences are those of rounding.
double least_seen(DType dtype) { return dtype == DType::f16 ? 1e-2 : 1e-5; }

double apart(const Tensor& a, const Tensor& b) { return max(abs(cast(a, DType::f64) - cast(b, DType::f64))).item(); }

std::string law(const Tensor& written, const Tensor& stable, const Tensor& unshifted, const std::string& dtype) {
  const double moved = apart(stable, unshifted), least = least_seen(stable.dtype());
  const std::string right = moved < least ? "With the greatest score subtracted, no bar depends on c."
                                          : fmt::format(
                                                "With the greatest score subtracted, the bars move by {:.2g}: in {} the scores "
                                                "themselves are rounded.",
                                                moved, dtype);
  if (has_nan(written)) return right + fmt::format(" As written nothing is left: in {} e^x is ∞, and ∞/∞ is no number.", dtype);
  if (max(written).item() == 0) return right + fmt::format(" As written every bar is 0: in {} the sum of all e^x is ∞.", dtype);
  const double wrong = apart(written, stable);
  return right + (wrong < least ? " As written, the bars are the same." : fmt::format(" As written, a bar is wrong by {:.2g}.", wrong));
}

}  // namespace

Seen softmax(Knobs& knobs) {
  const Tensor scores = knobs.row("x", "scores", tensor({0.0, 1.0, 2.0}), {-10, 10, 0.1}, 3, 6);
  const double c = knobs.number("c", "shift c, added to all scores", 0, {.least = 0, .most = 1000, .step = 1, .two_digits = true});
  const double temperature = knobs.number("t", "temperature", 1, {0.1, 5, 0.1});
  const std::string dtype = knobs.choice("dtype", "numbers", "f32", {"f16", "f32", "f64"});
  const DType type = dtype == "f16" ? DType::f16 : dtype == "f32" ? DType::f32 : DType::f64;
  const Tensor x = cast((scores + c) / temperature, type);
  const Tensor written = as_written(x), stable = nn::softmax(x), unshifted = nn::softmax(cast(scores / temperature, type));
  return Seen()
      .add("x", x)
      .add("written", written)
      .add("stable", stable)
      .add("log_z", logsumexp(x, -1))
      .say(law(written, stable, unshifted, dtype));
}

}  // namespace gradus::widgets
