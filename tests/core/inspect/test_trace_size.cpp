// What a trace keeps of large tensors, long tapes and many calls.
#include <cmath>
#include <limits>

#include "core/core.h"
#include "core/inspect/trace.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;
using inspect::Trace;

TEST_CASE("trace: summaries hold for numbers that are as large and as small as their dtype") {
  for (const double size : {1e200, 1.7e308, 1e-100, 3.0}) {
    Values numbers(100, size);
    numbers[7] = -size;
    const Tensor large = tensor(numbers, DType::f64).set_requires_grad();
    const inspect::Values::Summary s = *inspect::trace(sum(large)).tensor(large.number()).values.summary;
    CHECK(s.min == -size);
    CHECK(s.max == size);
    CHECK(s.mean / size == doctest::Approx(0.98).epsilon(1e-6));
    CHECK(s.rms / size == doctest::Approx(1).epsilon(1e-6));
    CHECK(s.histogram.front() == 1);
    CHECK(s.histogram.back() == 99);
  }
}

TEST_CASE("calls: of two logs the inner one is active") {
  {
    const inspect::CallLog first;
    {
      const inspect::CallLog second;
      CHECK(inspect::CallLog::active() == &second);
    }
    CHECK(inspect::CallLog::active() == &first);
  }
  CHECK(inspect::CallLog::active() == nullptr);
}

TEST_CASE("trace: only the calls that made something of this tape are kept") {
  inspect::CallLog log;
  const Tensor x = leaf(2);
  Tensor y;
  for (int i = 0; i < 3; ++i) {
    log.enter(fmt::format("{}", i), "Call");
    y = x * x;
    log.leave();
  }
  const Trace trace = inspect::trace(y);
  REQUIRE(trace.modules.size() == 1);
  CHECK(trace.modules[0].path == "2");
  CHECK(trace.tensor(y.number()).module == 0);
}

TEST_CASE("trace: tensors of more than 64 elements, or as many as asked for, keep a corner and a summary") {
  Values numbers(13 * 10);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i) - 9;
  numbers[20] = std::numeric_limits<double>::quiet_NaN();
  numbers[30] = std::numeric_limits<double>::infinity();
  const Tensor x = reshape(tensor(numbers, DType::f64), {13, 10}).detach().set_requires_grad();
  const Tensor y = sum(x);
  const inspect::Values values = inspect::trace(y).tensor(x.number()).values;
  CHECK(values.all.empty());
  CHECK(values.corner_shape == Shape{6, 6});
  REQUIRE(values.corner.size() == 36);
  CHECK(values.corner[6] == 1);    // the second row begins with element 10
  CHECK(values.corner[35] == 46);  // row 5, column 5: element 55
  REQUIRE(values.summary.has_value());
  CHECK(values.summary->count == 130);
  CHECK(values.summary->nan == 1);
  CHECK(values.summary->inf == 1);
  CHECK(values.summary->zero == 1);
  CHECK(values.summary->min == -9);
  CHECK(values.summary->max == 120);
  const double sum_of_rest = 130 * 55.5 - 11 - 21, mean = sum_of_rest / 128;  // elements 20 and 30 would be 11 and 21
  CHECK(values.summary->mean == doctest::Approx(mean).epsilon(1e-6));
  double squares = 0;
  for (const double v : numbers) squares += std::isfinite(v) ? v * v : 0;
  CHECK(values.summary->rms == doctest::Approx(std::sqrt(squares / 128)).epsilon(1e-6));
  int64_t in_bins = 0;
  for (const int64_t n : values.summary->histogram) in_bins += n;
  CHECK(in_bins == 128);
  CHECK(values.summary->histogram.size() == 16);
  CHECK(values.summary->histogram[0] == 9);  // -9 … -1, below -9 + 129/16
  CHECK(inspect::trace(y, {.whole = 130}).tensor(x.number()).values.all.size() == 130);
  CHECK(inspect::trace(y, {.whole = 129}).tensor(x.number()).values.all.empty());
  CHECK(inspect::trace(y, {.whole_tape = 131}).tensor(x.number()).values.all.size() == 130);  // x and y
  CHECK(inspect::trace(y, {.whole_tape = 130}).tensor(x.number()).values.all.empty());
  const Trace poor = inspect::trace(y, {.memory = 8 * 35});
  CHECK(poor.tensor(x.number()).values.corner.empty());
  CHECK(poor.tensor(x.number()).values.summary->max == 120);
  CHECK(poor.notes.at(0).find("are summaries only: the memory for values, 0 MB, was used up") != std::string::npos);
}

TEST_CASE("trace: 100,001 tensors are walked, with summaries beyond the 100,000th") {
  Tensor x = leaf({1, 2});
  const Tensor first = x;
  for (int i = 0; i < 50'000; ++i) x = -x;
  for (int i = 0; i < 50'000; ++i) x = x * 1;
  const Trace trace = inspect::trace(sum(x));
  CHECK(trace.walk.size() == 100'002);
  CHECK(trace.notes.at(0).find("the tape has 150002 tensors; beyond 100000 only summaries") == 0);
  CHECK(trace.walk.back().gradient.summary->max == 1);
}
