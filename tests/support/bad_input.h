// Bad input as a table: calls that must be refused, each with the class of its error and a part of its message.
//
//   TEST_CASE("bad calls of matmul are refused, each with its class and its text") {
//     const Tensor a = ones({2, 3}), b = ones({4, 5});
//     check_bad_calls({REFUSED(shape, matmul(a, b), "matmul: inner dimensions differ", {a, b})});
//   }
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "tests/support/check.h"

namespace gradus::test {

// Which class of error: exactly this one, no class above or below it.
enum class Raises { error, shape, dtype, value, io, graph, memory };

struct BadCall {
  std::string name;            // the call, as a person would write it
  std::function<void()> call;
  Raises raises;
  std::string text;            // what the message must contain: the op and what was wrong
  Tensors unchanged = {};      // handles whose values, shape and dtype must be the same after the call
};
using BadCalls = std::vector<BadCall>;

// The row of a call that is its own name: REFUSED(shape, matmul(a, b), "matmul: inner dimensions differ", {a, b}).
#define REFUSED(raises, call, ...) gradus::test::BadCall{#call, [=]() mutable { call; }, gradus::test::Raises::raises, __VA_ARGS__}

// x after change(x).
template <typename T, typename Change> T changed(T x, const Change& change) {
  change(x);
  return x;
}

// "" if the call is refused as its row says, and neither a tensor nor a node is left over; otherwise what came instead.
std::string what_came_instead(const BadCall& row);

// Makes every call. A row that is not refused as it should be is a failed check, which prints the call and what came instead.
void check_bad_calls(const BadCalls& rows);

// The rows of several tables, one after the other; += appends to one.
BadCalls joined(const std::vector<BadCalls>& tables);
inline void operator+=(BadCalls& rows, const BadCalls& more) { rows.insert(rows.end(), more.begin(), more.end()); }
inline void operator+=(BadCalls& rows, const BadCall& one) { rows.push_back(one); }

// A call for each bad value of an option: ValueError, `said` followed by the value.
template <typename T>
BadCalls bad_numbers(const std::string& call, const std::vector<T>& values, const std::string& said, const std::function<void(T)>& f) {
  BadCalls rows;
  for (const T value : values) {
    rows += {fmt::format("{} of {}", call, value), [=] { f(value); }, Raises::value, fmt::format("{}{}", said, value)};
  }
  return rows;
}
inline BadCalls bad_values(const std::string& call, const std::vector<double>& values, const std::string& said,
                           const std::function<void(double)>& f) {
  return bad_numbers<double>(call, values, said, f);
}
inline BadCalls bad_sizes(const std::string& call, const std::vector<int64_t>& values, const std::string& said,
                          const std::function<void(int64_t)>& f) {
  return bad_numbers<int64_t>(call, values, said, f);
}

}  // namespace gradus::test
