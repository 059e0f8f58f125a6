// gradcheck: are the gradients right? Compares them with central differences of the function itself.
//
// Four things it does that a simple check does not:
// - The cotangent dL/dy is random. Summing the outputs instead would be blind to every function
//   whose outputs have a constant sum. For small outputs the whole Jacobian is compared as well.
// - Differences are taken at x ± h and x ± h/2 and combined so that the h² error cancels (Richardson, 1911), for a
//   few h until one agrees; the h is reported.
// - A gradient that is a constant multiple of the numeric one is reported as such: a mean in place of a sum, a sign.
// - Where the two one-sided slopes do not approach each other as h shrinks, the function has a kink. There is no
//   derivative to compare, so the entry is skipped, and named in the report.
//
// What it cannot see: a value that is not the one that was meant, with the gradient of just that value. An ε outside of its root
// or a norm over the wrong axis passes; a law, or a value worked out by hand, finds it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus {

// The function whose derivatives are checked.
using TensorFunction = std::function<Tensor(const Tensors&)>;

// Two derivatives agree if
//   |analytic - numeric| <= absolute·max(1, s) + relative·|numeric|        s the largest derivative of the same output
struct GradcheckOptions {
  double relative = 1e-8;
  double absolute = 1e-9;
  double step = 0;              // h for |x| up to about 1, growing with |x|; 0 tries 2e-3, 2e-4, 2e-5 and 2e-6
  int64_t jacobian_limit = 64;  // compare the whole Jacobian for outputs of up to this many elements
  std::uint64_t seed = 0;       // of the random cotangent
};

// What a check found; `text` is for people.
struct GradcheckReport {
  bool passed = false;
  int64_t entries = 0;  // derivatives compared
  int64_t kinks = 0;    // input entries skipped
  double worst = 0;     // the largest difference in units of the tolerance; <= 1 passes
  double step = 0;      // the smallest h that was needed
  std::string text;     // passed or not; then, a line each, the worst entry, the kinks, and what it may mean
};

// Checks the first derivatives of f at `inputs`: those with dtype f64 (i64 ids are left alone). f must be pure:
// the same inputs, the same output. DTypeError when an input or the output is f32 or f16: too coarse to compare. ValueError for
// an empty f, one that is not pure, no f64 input and options that are negative or not finite; ShapeError for an output whose
// shape depends on values.
GradcheckReport gradcheck(const TensorFunction& f, const Tensors& inputs, const GradcheckOptions& options = {});

// Checks the second derivatives: gradcheck of the gradient itself, as a function of the inputs and of dL/dy. The same errors.
GradcheckReport gradgradcheck(const TensorFunction& f, const Tensors& inputs, const GradcheckOptions& options = {});

}  // namespace gradus
