#include "core/tape/anomaly.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/kernels/kernels.h"
#include "core/tape/tensor_names.h"
#include "core/tensor/half.h"

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

// Calls visit(offset, value) for each element.
template <typename Visit> void for_each_element(const Tensor& x, const Visit& visit) {
  dispatch(x.dtype(), [&]<typename T>() {
    for (int64_t i = 0; i < x.numel(); ++i) visit(i, static_cast<double>(static_cast<Compute<T>>(x.data<T>()[i])));
  });
}

// "#3 blocks.1.norm.gain [4] from 0 to 1": which tensor, and where its values lie.
std::string words_for(const Tensor& x) {
  double low = INFINITY, high = -INFINITY;
  for_each_element(x, [&](int64_t, double value) { low = std::fmin(low, value), high = std::fmax(high, value); });
  const std::string name = TensorNames::current() != nullptr ? TensorNames::current()->name_of(x) : "";
  std::string values;  // of none but NaN: nothing
  if (low == high) values = fmt::format(" = {:.6g}", low);
  if (low < high) values = fmt::format(" from {:.6g} to {:.6g}", low, high);
  return fmt::format("#{}{} {}{}", x.number(), name.empty() ? "" : " " + name, x.shape(), values);
}

std::string place_of(const Tensor& y) {
  const std::string module = TensorNames::current() != nullptr ? TensorNames::current()->module_of(y.number()) : "";
  return module.empty() ? "" : " in " + module;
}

bool is_not_finite(double value) { return !std::isfinite(value); }
bool is_nan(double value) { return std::isnan(value); }

// "2 of 6 values of shape [2, 3], the first nan at [0, 1]". A gradient by rows is told by the rows of the whole.
std::string findings(const Gradient& found, bool (*counts)(double) = is_not_finite) {
  int64_t count = 0, first = -1;
  double first_value = 0;
  for_each_element(found.values, [&](int64_t i, double value) {
    if (!counts(value)) return;
    if (count++ == 0) first = i, first_value = std::isnan(value) ? NAN : value;  // without its sign
  });
  std::vector<int64_t> index(static_cast<std::size_t>(found.values.rank()));
  for (int axis = found.values.rank() - 1; axis >= 0; --axis) {
    const int64_t size = found.values.size(axis), at = first % size;
    index[static_cast<std::size_t>(axis)] = found.by_rows() && axis == found.axis ? found.indices.data<int64_t>()[at] : at;
    first /= size;
  }
  return fmt::format("{} of {} values of shape {}, the first {} at [{}]", count, found.values.numel(), found.values.shape(),
                     first_value, fmt::join(index, ", "));
}

}  // namespace

bool all_finite(const Tensor& x) { return !nan_in(x) && !inf_in(x); }

void check_forward(const char* op, const Tensor& value, std::span<const Tensor> inputs) {
  const auto came = nan_in(value) ? std::find_if(inputs.begin(), inputs.end(), nan_in) : inputs.end();
  if (came != inputs.end()) {
    throw GraphError(fmt::format("anomaly: a NaN came into {}{} by input {} {}: {}; no op made it while anomaly mode was on, so "
                                 "it was in the data, in a parameter, or in a gradient",
                                 op, place_of(value), came - inputs.begin(), words_for(*came), findings(*came, is_nan)));
  }
  const char* found = new_anomaly(value, inputs);
  if (found == nullptr) return;
  std::string from;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].defined()) from += fmt::format("{}input {} {}", from.empty() ? "" : ", ", i, words_for(inputs[i]));
  }
  throw GraphError(fmt::format("anomaly: {} made the first {}{}: forward, {}; from {}", op, found, place_of(value),
                               findings(value), from));
}

bool check_backward(const Tensor& y, const Backward& s, std::span<const Gradient> gradients) {
  bool finite = true;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!s.needs(i) || all_finite(gradients[i].values)) continue;
    finite = false;
    Tensors known{s.grad, y};
    for (std::size_t k = 0; k < s.input_count(); ++k) known.push_back(y.node()->input(k));
    const char* found = new_anomaly(gradients[i].values, known);
    if (found == nullptr) continue;
    throw GraphError(fmt::format("anomaly: the backward rule of {} made the first {}{}: {}, in the gradient of input {} {}; "
                                 "dL/dy is {}, y is {}",
                                 y.node()->name(), found, place_of(y), findings(gradients[i]), i,
                                 words_for(y.node()->input(i)), words_for(s.grad), words_for(y)));
  }
  return finite;
}

void check_gradient(const Tensor& x, const Tensor& gradient) {
  if (all_finite(gradient)) return;
  throw GraphError(fmt::format("anomaly: the gradient of {}{} is the first that is not finite: {}; its uses gave finite "
                               "ones, so their sum or a hook made it", words_for(x), place_of(x), findings(gradient)));
}

}  // namespace gradus
