// dist-tensor-parallel, dist-ring-attention and dist-pipeline: one model over several ranks, computed on one.
#include <cmath>

#include "docs/examples/derivation.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// y = Σ_r relu(x W_r) V_r with a hidden unit on each of two ranks, L = y² / 2.
void tensor_parallel() {
  Derivation d("dist-tensor-parallel");
  const Numbers x = d.given("x", {1, 2}), w = d.given("W", {{1, 2}, {1, 0}}), v = d.given("V", {1, -1});
  const auto h = [&](int64_t r) { return x(0) * w(0, r) + x(1) * w(1, r); };  // both above 0
  d.step("1", "h of each rank", each(2, h));
  d.step("2", "its part of y", each(2, [&](int64_t r) { return h(r) * v(r); }));
  const double y = sum(2, [&](int64_t r) { return h(r) * v(r); });
  d.step("3", "y", y);
  d.step("4", "dL/dy", y);
  const auto part = [&](int64_t r, int64_t i) { return y * v(r) * w(i, r); };
  d.step("5", "dL/dx by rank 0", each(2, [&](int64_t i) { return part(0, i); }));
  d.step("6", "dL/dx by rank 1", each(2, [&](int64_t i) { return part(1, i); }));
  d.step("7", "dL/dx", each(2, [&](int64_t i) { return part(0, i) + part(1, i); }));
  d.gradient("dL/dx", [&](const Tensor& t) {
    return square(sum(relu(matmul(reshape(t, {1, 2}), w.tensor())) * reshape(v.tensor(), {1, 2}))) / 2;
  }, x, 1);
}

// One query, four scores in two parts: ln 1 and ln 3, ln 2 and ln 4.
void ring_attention() {
  Derivation d("dist-ring-attention");
  const Numbers e = d.given("e^score", {1, 3, 2, 4}), v = d.given("v", {10, 2, 6, 1});
  const auto part = [&](int64_t from) { return (e(from) * v(from) + e(from + 1) * v(from + 1)) / (e(from) + e(from + 1)); };
  d.step("1", "e^l of both parts", Numbers{e(0) + e(1), e(2) + e(3)});
  d.step("2", "o of both parts", Numbers{part(0), part(2)});
  d.step("3", "e^l", (e(0) + e(1)) + (e(2) + e(3)));
  d.step("4", "shares of the parts", Numbers{0.4, 0.6});
  const double whole = sum(4, [&](int64_t i) { return e(i) * v(i); }) / sum(4, [&](int64_t i) { return e(i); });
  d.law("5", "o", 0.4 * part(0) + 0.6 * part(2), whole);
}

void pipeline() {
  Derivation d("dist-pipeline");
  constexpr double p = 4, m = 8;
  d.step("1", "units of work of a stage", 2 * m);
  d.step("2", "units until all is done", 2 * (m + p - 1));
  d.step("3", "units of waiting", 2 * (p - 1));
  d.step("4", "(p - 1)/(m + p - 1)", (p - 1) / (m + p - 1));
}

}  // namespace

int main() {
  tensor_parallel();
  ring_attention();
  pipeline();
  return verdict();
}
