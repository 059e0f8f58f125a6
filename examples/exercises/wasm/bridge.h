// A call of a function in the student's module: each argument goes into a slot, the page does the rest.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "examples/exercises/grader/function.h"
#include "examples/exercises/wasm/lessons.h"
#include "examples/exercises/wasm/slot.h"

namespace gradus::exercises {

// Entry of answers/04_the_walk.cpp.
struct Entry {
  int inputs[2];
  double slopes[2];
};

// Calls it, and gives what it returned. NotWritten or Ended if it did not return.
double call_in_page(int function, const Slot* slots, int count);

// How many there are behind a bare pointer: another parameter says it.
inline int behind(In z, const int*, double) { return z.rows; }
inline int behind(double, In z, const int*, double, Out) { return z.rows; }
inline int behind(In, const int*, int count, double, Out) { return count; }
inline int behind(const Entry*, int, Out grad) { return grad.columns; }
template <typename... Others> int behind(const Others&...) { return 0; }

// How many numbers on either side of an array are the exercise's own, to see whether somebody wrote there.
inline std::size_t beside(const Entry*, int, Out) { return 1; }
template <typename... Others> std::size_t beside(const Others&...) { return Sheet::kMargin; }

template <typename T> unsigned address(const T* at) { return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at)); }
template <typename T> unsigned bytes(int count) { return static_cast<unsigned>(static_cast<std::size_t>(count) * sizeof(T)); }

inline Slot slot(double value, int, std::size_t) { return {.number = value}; }
inline Slot slot(int value, int, std::size_t) { return {.number = static_cast<double>(value)}; }
inline Slot slot(In x, int, std::size_t) {
  return {.address = address(x.numbers), .rows = x.rows, .columns = x.columns, .bytes = bytes<double>(x.rows * x.columns)};
}
inline Slot slot(Out y, int, std::size_t margin) {
  return {.address = address(y.numbers),
          .rows = y.rows,
          .columns = y.columns,
          .bytes = bytes<double>(y.rows * y.columns),
          .beside = static_cast<unsigned>(margin * sizeof(double))};
}
template <typename T> Slot slot(const T* at, int count, std::size_t) { return {.address = address(at), .bytes = bytes<T>(count)}; }

template <typename T> struct Named;
template <> struct Named<void> { static constexpr const char* text = "void"; };
template <> struct Named<double> { static constexpr const char* text = "double"; };
template <> struct Named<int> { static constexpr const char* text = "int"; };
template <> struct Named<In> { static constexpr const char* text = "In"; };
template <> struct Named<Out> { static constexpr const char* text = "Out"; };
template <> struct Named<const int*> { static constexpr const char* text = "const int*"; };
template <> struct Named<const Entry*> { static constexpr const char* text = "const ::Entry*"; };

template <int number, typename Function> struct Bridge;
template <int number, typename Result, typename... Parameters> struct Bridge<number, Result (*)(Parameters...)> {
  static constexpr int parameters = sizeof...(Parameters);

  static std::string type() {
    std::string text;
    ((text += (text.empty() ? "" : ", ") + std::string(Named<Parameters>::text)), ...);
    return std::string(Named<Result>::text) + " (*)(" + text + ")";
  }

  static Result call(Parameters... arguments) {
    const int count = behind(arguments...);
    const std::size_t margin = beside(arguments...);
    const std::array<Slot, parameters> slots = {slot(arguments, count, margin)...};
    return static_cast<Result>(call_in_page(number, slots.data(), parameters));
  }
};

template <typename... F, int... number>
Lesson lesson_of(Exercise exercise, Functions (*bind)(F...), std::integer_sequence<int, number...>) {
  return {std::move(exercise), {Bridge<number, F>::type()...}, {Bridge<number, F>::parameters...}, bind(Bridge<number, F>::call...)};
}
// `bind` makes the student's functions the grader's: it is one of set/*.h.
template <typename... F> Lesson lesson_of(Exercise exercise, Functions (*bind)(F...)) {
  return lesson_of(std::move(exercise), bind, std::make_integer_sequence<int, sizeof...(F)>());
}

}  // namespace gradus::exercises
