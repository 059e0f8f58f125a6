// Printing tensors like NumPy does, by xtensor's printer.
#include <fmt/format.h>

#include <cstdint>
#include <ostream>
#include <sstream>
#include <xtensor/xio.hpp>

#include "core/tensor/xtensor.h"

namespace gradus {
namespace {

constexpr int64_t kSummarizeBeyond = 1000;

template <typename T> std::string format_values(const Tensor& x) {
  std::ostringstream out;
  out << xt::print_options::threshold(kSummarizeBeyond) << xt::print_options::precision(4);
  if (x.rank() == 0) {
    out << x.item();
  } else if constexpr (std::is_same_v<T, half>) {
    out << xt::xarray<float>(xt::cast<float>(x.array<half>()));
  } else {
    out << xt::xarray<T>(x.array<T>());
  }
  return out.str();
}

std::string format_tensor(const Tensor& x) {
  if (!x.defined()) return "undefined";
  if (x.numel() == 0) return fmt::format("[] (shape {})", x.shape());
  return dispatch(x.dtype(), [&]<typename T>() { return format_values<T>(x); });
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) { return out << format_tensor(tensor); }

}  // namespace gradus

auto fmt::formatter<gradus::Tensor>::format(const gradus::Tensor& tensor, fmt::format_context& context) const
    -> fmt::format_context::iterator {
  return fmt::formatter<std::string_view>::format(gradus::format_tensor(tensor), context);
}
