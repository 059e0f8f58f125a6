#include "core/inspect/anomaly.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/tensor/half.h"

namespace gradus::inspect {
namespace {

bool has_numbers(const Tensor& x) { return x.defined() && is_floating(x.dtype()); }

template <typename Is> bool any(const Tensor& x, const Is& is) {
  if (!has_numbers(x)) return false;
  return dispatch(x.dtype(), [&]<typename T>() {
    return std::any_of(x.data<T>(), x.data<T>() + x.numel(), [&](const T& value) { return is(static_cast<double>(value)); });
  });
}

bool nan_in(const Tensor& x) {
  return any(x, [](double value) { return std::isnan(value); });
}
bool inf_in(const Tensor& x) {
  return any(x, [](double value) { return std::isinf(value); });
}

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
std::string words_for(const Tensor& x, const CallLog& log) {
  double low = INFINITY, high = -INFINITY;
  for_each_element(x, [&](int64_t, double value) { low = std::fmin(low, value), high = std::fmax(high, value); });
  const std::string name = log.name_of(x);
  std::string values;  // of none but NaN: nothing
  if (low == high) values = fmt::format(" = {:.6g}", low);
  if (low < high) values = fmt::format(" from {:.6g} to {:.6g}", low, high);
  return fmt::format("#{}{} {}{}", x.number(), name.empty() ? "" : " " + name, x.shape(), values);
}

std::string place_of(const Tensor& y, const CallLog& log) {
  const std::string module = log.module_of(y.number());
  return module.empty() ? "" : " in " + module;
}

// The same of an op that runs: in a module's call the error begins with it.
std::string place_now(const Tensor& y, const CallLog& log) { return ErrorPlace::innermost != nullptr ? "" : place_of(y, log); }

bool is_not_finite(double value) { return !std::isfinite(value); }
bool is_nan(double value) { return std::isnan(value); }

// "2 of 6 values of shape [2, 3], the first nan at [0, 1]". For a gradient by rows, the row is that of the whole.
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
  return fmt::format("{} of {} values of shape {}, the first {} at [{}]", count, found.values.numel(), found.values.shape(), first_value,
                     fmt::join(index, ", "));
}

bool all_finite(const Tensor& x) { return !nan_in(x) && !inf_in(x); }

}  // namespace

void AnomalyMode::made(const char* by, const Tensor& y, std::span<const Tensor> inputs, bool /*on_tape*/) {
  if (std::string_view(by).ends_with(")")) return;  // a call, which hands on what there is
  const auto came = nan_in(y) ? std::find_if(inputs.begin(), inputs.end(), nan_in) : inputs.end();
  if (came != inputs.end()) {
    throw GraphError(
        fmt::format("anomaly: a NaN came into {}{} by input {} {}: {}; no op made it while anomaly mode was on, so "
                    "it was in the data, in a parameter, or in a gradient",
                    by, place_now(y, *this), came - inputs.begin(), words_for(*came, *this), findings(*came, is_nan)));
  }
  const char* found = new_anomaly(y, inputs);
  if (found == nullptr) return;
  std::string from;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].defined()) from += fmt::format("{}input {} {}", from.empty() ? "" : ", ", i, words_for(inputs[i], *this));
  }
  throw GraphError(fmt::format("anomaly: {} made the first {}{}: forward, {}; from {}", by, found, place_now(y, *this), findings(y), from));
}

void AnomalyMode::start(const Tensors&, std::uint64_t) { finite_ = true; }

void AnomalyMode::visit(const Tensor& y, const Tensor& gradient) {
  y_ = &y;
  gradient_ = &gradient;
  if (!finite_ || all_finite(gradient)) return;
  throw GraphError(
      fmt::format("anomaly: the gradient of {}{} is the first that is not finite: {}; its uses gave finite "
                  "ones, so their sum or a hook made it",
                  words_for(y, *this), place_of(y, *this), findings(gradient)));
}

void AnomalyMode::arriving(int i, const Tensor& x, const Gradient& contribution, const Tensor&) {
  if (all_finite(contribution.values)) return;
  finite_ = false;
  if (i < 0) return;  // a seed
  Tensors known{*gradient_, *y_};
  for (std::size_t k = 0; k < y_->node()->input_count(); ++k) known.push_back(y_->node()->input(k));
  const char* found = new_anomaly(contribution.values, known);
  if (found == nullptr) return;
  throw GraphError(
      fmt::format("anomaly: the backward rule of {} made the first {}{}: {}, in the gradient of input {} {}; "
                  "dL/dy is {}, y is {}",
                  y_->node()->name(), found, place_of(*y_, *this), findings(contribution), i, words_for(x, *this),
                  words_for(*gradient_, *this), words_for(*y_, *this)));
}

void AnomalyMode::step(const std::string& parameter, const Tensor& gradient) {
  check<GraphError>(!gradient.defined() || all_finite(gradient),
                    "anomaly: the gradient of {} is not finite; the optimizer has changed "
                    "nothing",
                    parameter);
}

}  // namespace gradus::inspect
