#include "core/tape/anomaly.h"

#include <algorithm>

#include "core/kernels/kernels.h"

namespace gradus {
namespace {

bool nan_in(const Tensor& x) { return x.defined() && is_floating(x.dtype()) && kernels::has_nan(x); }
bool inf_in(const Tensor& x) { return x.defined() && is_floating(x.dtype()) && kernels::has_inf(x); }

// What `value` has and no input had, or nullptr.
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

void check_backward(const char* op, const Backward& s, std::span<const Gradient> gradients) {
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const char* found = s.needs(i) ? new_anomaly(gradients[i].values, std::span(&s.grad, 1)) : nullptr;
    check<GraphError>(found == nullptr, "anomaly: the backward rule of {} made the first {} (gradient of input {}, shape {})",
                      op, found, i, s.needs(i) ? s.shape(i) : Shape{});
  }
}

}  // namespace gradus
