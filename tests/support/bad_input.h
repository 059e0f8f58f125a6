// Bad input as a table: calls that must be refused, each with the class of its error and a part of its message.
//
//   TEST_CASE("bad calls of matmul are refused, each with its class and its text") {
//     const Tensor a = ones({2, 3}), b = ones({4, 5});
//     check_bad_calls({REFUSED(shape, matmul(a, b), "matmul: inner dimensions differ", {a, b})});
//   }
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"
#include "tests/support/check.h"

namespace gradus::test {

// Which class of error: exactly this one, no class above or below it.
enum class Raises { error, shape, dtype, value, io, graph, memory };

struct BadCall {
  std::string name;  // the call, as a person would write it
  std::function<void()> call;
  Raises raises;
  std::string text;        // what the message must contain: the op and what was wrong
  Tensors unchanged = {};  // handles whose values, shape and dtype must be the same after the call
  std::string who = "";    // the op or the class that it must begin with
};

// A table of them. A list of rows may hold tables, too.
struct BadCalls : std::vector<BadCall> {
  BadCalls() = default;
  BadCalls(BadCall row) { push_back(std::move(row)); }
  BadCalls(std::initializer_list<BadCalls> tables) {
    for (const BadCalls& table : tables) *this += table;
  }
  void operator+=(const BadCalls& more) { insert(end(), more.begin(), more.end()); }
};

// The row of a call that is its own name: REFUSED(shape, matmul(a, b), "matmul: inner dimensions differ", {a, b}).
#define REFUSED(raises, call, ...)                                            \
  gradus::test::BadCall {                                                     \
    #call, [=]() mutable { call; }, gradus::test::Raises::raises, __VA_ARGS__ \
  }

// x after change(x).
template <typename T, typename Change> T changed(T x, const Change& change) {
  change(x);
  return x;
}

// "" if the call is refused as its row says, and neither a tensor nor a node is left over; otherwise what came instead.
std::string what_came_instead(const BadCall& row);

// Makes every call. A row that is not refused as it should be is a failed check, which prints the call and what came instead.
void check_bad_calls(const BadCalls& rows);

// The rows of one variant of many, whose name comes before each call's.
BadCalls of(const std::string& variant, BadCalls rows);

// Rows whose errors begin with this op, or with this class as its layer describes itself: "Linear", "Linear(2 -> 3)".
BadCalls by(const std::string& who, BadCalls rows);

// Rows after whose calls these tensors must be as they were.
BadCalls keeping(const Tensors& unchanged, BadCalls rows);

// The row of a call with an undefined tensor, which the error names.
BadCall undefined_row(const std::string& op, const std::string& argument, std::function<void()> call);

// … for each of an op's tensors in turn, the others being as they are given.
BadCalls undefined_rows(const std::string& op, const std::vector<std::string>& arguments, const Tensors& given,
                        const std::function<void(const Tensors&)>& call);

// Numbers that are refused, and what they should have been.
struct Refused {
  std::string must_be;
  std::vector<double> numbers;
};

// A row for each bad number of an option, which stands in the call as `bad`: ValueError, "SAID, got NUMBER".
//   rows += REFUSED_EACH(nn::CoPE(options, bad), "CoPE: the number of positions must be positive", 0, -1);
//   rows += REFUSED_EACH(nn::Dropout{bad}, "Dropout: p", kNoProbability);
#define REFUSED_EACH(call, said, ...) gradus::test::bad_numbers(#call, said, [=](auto bad) { call; }, __VA_ARGS__)
template <typename F, typename... T>
BadCalls bad_numbers(const std::string& call, const std::string& said, const F& f, T... bad) {
  using Number = std::conditional_t<(std::is_integral_v<T> && ...), int64_t, double>;
  BadCalls rows;
  for (const Number number : {static_cast<Number>(bad)...}) {
    rows.push_back({fmt::format("{}, bad = {}", call, number), [=] { f(number); }, Raises::value, fmt::format("{}, got {}", said, number)});
  }
  return rows;
}
template <typename F> BadCalls bad_numbers(const std::string& call, const std::string& said, const F& f, const Refused& refused) {
  BadCalls rows;
  for (const double bad : refused.numbers) rows += bad_numbers(call, said + " must be " + refused.must_be, f, bad);
  return rows;
}

}  // namespace gradus::test
