// std::bit_cast, which Emscripten's standard library has had since 3.1.10.
#pragma once
#include <bit>
#ifndef __cpp_lib_bit_cast
namespace std {
template <typename To, typename From> constexpr To bit_cast(const From& from) noexcept { return __builtin_bit_cast(To, from); }
}  // namespace std
#endif
