// A model in pieces: schedules of a pipeline, and a softmax that comes in parts.
#include "examples/ch13_ranks/split.h"

#include "core/core.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

TEST_CASE("dist-pipeline: each stage does every micro-batch forward and backward, and waits (p - 1)/(m + p - 1) of the time") {
  for (const Schedule schedule : {all_forward, one_by_one}) {
    for (const int p : {1, 2, 3, 4, 8}) {
      for (const int m : {1, 2, 5, 8, 32}) {
        const auto all = diaries(schedule, p, m);
        for (const std::string& diary : all) {
          CHECK(diary.size() == 2 * static_cast<std::size_t>(m + p - 1));
          CHECK(std::count(diary.begin(), diary.end(), 'F') == m);
          CHECK(std::count(diary.begin(), diary.end(), 'B') == m);
        }
        CHECK(waiting(all) == doctest::Approx((p - 1.0) / (m + p - 1)));
      }
    }
  }
  CHECK(diaries(one_by_one, 2, 2) == std::vector<std::string>{"FF.B.B", ".FBFB."});
}

TEST_CASE("dist-ring-attention: two parts of keys and values make one, values and gradients") {
  Generator random(3);
  const Tensor q = randn({3, 4}, DType::f64, random).set_requires_grad();
  const Tensor k = randn({6, 4}, DType::f64, random), v = randn({6, 4}, DType::f64, random);
  const auto part = [&](int64_t begin, int64_t end) {
    const Tensor scores = matmul(q, slice(k, 0, begin, end), {.transpose_b = true});
    const Tensor l = logsumexp(scores, -1, true);
    return std::pair(l, matmul(exp(scores - l), slice(v, 0, begin, end)));
  };
  const auto [l1, o1] = part(0, 2);
  const auto [l2, o2] = part(2, 6);
  const Tensor l = logsumexp(cat({l1, l2}, -1), -1, true), merged = exp(l1 - l) * o1 + exp(l2 - l) * o2;
  const Tensor whole = part(0, 6).second;
  CHECK(difference(merged, whole, 1e-14) == "");
  CHECK(difference(grad({sum(square(merged))}, {q})[0], grad({sum(square(whole))}, {q})[0], 1e-13) == "");
}
