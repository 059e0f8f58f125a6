// The ends of 64 bits: whole numbers that wrap around, and sizes and indices that no tensor has. What these tests call must
// give no report of UndefinedBehaviorSanitizer.
#include <functional>
#include <limits>

#include "core/composites/composites.h"
#include "core/tensor/create.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Limits = std::numeric_limits<int64_t>;

const std::vector<int64_t> kNumbers{Limits::min(),     Limits::min() + 1, Limits::min() / 2, -7, -2, -1, 0, 1, 2,
                                    Limits::max() / 2, Limits::max() - 1, Limits::max()};

// As the processor's two's complement has it, computed without a sign.
template <typename F> int64_t wrapped(F f, int64_t a, int64_t b) {
  return static_cast<int64_t>(f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
}

// What f does with these numbers: a tensor, or an error that begins with the name of the op.
void check_answers(const char* op, const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    CHECK_MESSAGE(std::string(error.what()).rfind(std::string(op) + ": ", 0) == 0, error.what());
  }
}

}  // namespace

TEST_CASE("i64: arithmetic wraps around, and the smallest and the largest number stay what they are") {
  for (const int64_t a : kNumbers) {
    const Tensor x = whole({a});
    CHECK(neg(x).at({0}) == wrapped([](auto, auto v) { return 0 - v; }, 0, a));
    CHECK(abs(x).at({0}) == (a < 0 ? wrapped([](auto, auto v) { return 0 - v; }, 0, a) : a));
    CHECK(relu(x).at({0}) == std::max<int64_t>(a, 0));
    CHECK(sign(x).at({0}) == (a > 0) - (a < 0));
    for (const int64_t b : kNumbers) {
      CAPTURE(a);
      CAPTURE(b);
      const Tensor y = whole({b}), both = whole({a, b});
      CHECK(add(x, y).data<int64_t>()[0] == wrapped([](auto u, auto v) { return u + v; }, a, b));
      CHECK(sub(x, y).data<int64_t>()[0] == wrapped([](auto u, auto v) { return u - v; }, a, b));
      CHECK(mul(x, y).data<int64_t>()[0] == wrapped([](auto u, auto v) { return u * v; }, a, b));
      CHECK(sum(both).data<int64_t>()[0] == wrapped([](auto u, auto v) { return u + v; }, a, b));
      CHECK(prod(both).data<int64_t>()[0] == wrapped([](auto u, auto v) { return u * v; }, a, b));
      CHECK(cumsum(both, 0).data<int64_t>()[1] == wrapped([](auto u, auto v) { return u + v; }, a, b));
      CHECK(maximum(x, y).data<int64_t>()[0] == std::max(a, b));
      CHECK(minimum(x, y).data<int64_t>()[0] == std::min(a, b));
      CHECK(max(both).data<int64_t>()[0] == std::max(a, b));
      CHECK(min(both).data<int64_t>()[0] == std::min(a, b));
      CHECK(argmax(both).data<int64_t>()[0] == (b > a ? 1 : 0));
      CHECK(argmin(both).data<int64_t>()[0] == (b < a ? 1 : 0));
    }
  }
}

TEST_CASE("i64: any numbers as sizes, steps and indices give a tensor, or an error that names the op") {
  const Tensor x = ones({2, 2}), none = zeros({0, 2});
  for (const int64_t a : kNumbers) {
    for (const int64_t b : kNumbers) {
      CAPTURE(a);
      CAPTURE(b);
      for (const Tensor& t : {x, none}) {
        check_answers("reshape", [&] { reshape(t, {a, b}); });
        check_answers("reshape", [&] { reshape(t, {a, b, -1}); });
        check_answers("pad", [&] { pad(t, {{a, b}, {0, 0}}); });
        check_answers("pad", [&] { pad(t, {{0, 0}, {a, b}}); });
        check_answers("split", [&] { split(t, {a, b, 2}, 0); });
        check_answers("split", [&] { split(t, {a, a, b}, 1); });
        check_answers("slice", [&] { slice(t, 0, a, b); });
        check_answers("slice", [&] { slice(t, 1, 0, a, b); });
        check_answers("slice", [&] { slice(t, 1, a, kToEnd, b); });
      }
    }
    for (const Tensor& t : {x, none}) {
      check_answers("split", [&] { split(t, a, 0); });
      check_answers("chunk", [&] { chunk(t, a, 0); });
      check_answers("roll", [&] { roll(t, a, 0); });
      check_answers("tril", [&] { tril(t, a); });
      check_answers("triu", [&] { triu(t, a); });
      check_answers("select", [&] { select(t, 0, a); });
      check_answers("take", [&] { take(t, whole({a})); });
      check_answers("index_select", [&] { index_select(t, 0, whole({a})); });
      check_answers("gather", [&] { gather(t, 0, reshape(whole({a, a}), {1, 2})); });
      check_answers("one_hot", [&] { one_hot(whole({a}), 3); });
      check_answers("scatter_add", [&] { scatter_add(t, 0, reshape(whole({a, a}), {1, 2}), ones({1, 2})); });
      check_answers("index_add", [&] { index_add(t, 0, whole({a}), ones({1, 2})); });
    }
  }
}

TEST_CASE("i64: shapes with an empty axis and axes without end are refused or counted, and roll and tril take any number") {
  const int64_t most = Limits::max();
  CHECK_THROWS_AS(zeros({0, most, most}), ShapeError);
  CHECK_THROWS_AS(zeros({most, 2}), ShapeError);
  CHECK_NOTHROW(strides_of(Shape{0, most, most}));  // of no tensor
  CHECK(cat({zeros({0, int64_t{1} << 46}), zeros({0, int64_t{1} << 46})}, 1).size(1) == int64_t{1} << 47);
  const Tensor row = whole({1, 2, 3});
  CHECK(equal(roll(row, most, 0), roll(row, most % 3, 0)));
  CHECK(equal(roll(row, Limits::min(), 0), roll(row, Limits::min() % 3, 0)));
  const Tensor square = ones({2, 2});
  CHECK(equal(tril(square, most), square));
  CHECK(equal(triu(square, most), zeros({2, 2})));
  CHECK(equal(tril(square, Limits::min()), zeros({2, 2})));
  CHECK(equal(triu(square, Limits::min()), square));
}

TEST_CASE("i64: a number is subtracted as a tensor is, the smallest too") {
  for (const int64_t a : kNumbers) {
    const Tensor x = whole({a});
    CHECK(sub(x, Limits::min()).data<int64_t>()[0] == wrapped([](auto u, auto v) { return u - v; }, a, Limits::min()));
    CHECK((x - 7).data<int64_t>()[0] == wrapped([](auto u, auto v) { return u - v; }, a, 7));
  }
  CHECK((tensor(1) - -0x1p63).item() == 0x1p63);
}
