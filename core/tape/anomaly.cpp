#include "core/tape/anomaly.h"

#include <algorithm>

#include "core/kernels/kernels.h"

namespace gradus {
namespace {

bool nan_in(const Tensor& x) { return is_floating(x.dtype()) && kernels::has_nan(x); }
bool inf_in(const Tensor& x) { return is_floating(x.dtype()) && kernels::has_inf(x); }

// What is new in `value`, or nullptr.
const char* new_anomaly(const Tensor& value, std::span<const Tensor> inputs) {
  const bool old_nan = std::any_of(inputs.begin(), inputs.end(), nan_in);
  if (nan_in(value) && !old_nan) return "NaN";
  const bool old_inf = std::any_of(inputs.begin(), inputs.end(), inf_in);
  return inf_in(value) && !old_nan && !old_inf ? "Inf" : nullptr;
}

}  // namespace

void check_forward(const char* op, const Tensor& value, std::span<const Tensor> inputs) {
  const char* found = new_anomaly(value, inputs);
  check<GraphError>(found == nullptr, "anomaly: {} made the first {} (forward, shape {})", op, found, value.shape());
}

void check_backward(const Backward& step, std::size_t i, const Tensor& gradient) {
  if (!gradient.defined()) return;
  const char* found = new_anomaly(gradient, std::span(&step.grad, 1));
  check<GraphError>(found == nullptr, "anomaly: the backward rule of {} made the first {} (gradient of input {}, shape {})",
                    step.node.name(), found, i, gradient.shape());
}

}  // namespace gradus
