// Printing tensors: fmt::print("{}", x), std::cout << x.
#pragma once

#include <fmt/core.h>

#include <iosfwd>
#include <string_view>

#include "core/tensor/tensor.h"

namespace gradus {

std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

}  // namespace gradus

// Prints like NumPy: nested brackets, aligned, summarised beyond 1000 elements. A format for numbers, as in {:.4f}, is
// each number's; one for texts, as in {:>40}, the whole text's.
template <> struct fmt::formatter<gradus::Tensor> : fmt::formatter<fmt::string_view> {
  constexpr auto parse(fmt::format_parse_context& context) -> fmt::format_parse_context::iterator {
    const char* const first = context.begin();
    const char* last = first;
    while (last != context.end() && *last != '}') ++last;
    const bool numeric = last != first && std::string_view("aAeEfFgG").find(last[-1]) != std::string_view::npos;
    if (!numeric) return fmt::formatter<fmt::string_view>::parse(context);
    of_number_ = {first, static_cast<std::size_t>(last - first)};
    return fmt::formatter<double>().parse(context);
  }
  auto format(const gradus::Tensor& tensor, fmt::format_context& context) const -> fmt::format_context::iterator;

 private:
  fmt::string_view of_number_;
};
