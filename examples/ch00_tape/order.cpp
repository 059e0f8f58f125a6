#include "examples/ch00_tape/order.h"

#include <fmt/format.h>

#include <cmath>

#include "core/check.h"
#include "core/core.h"

namespace gradus::examples {

inspect::Trace walk_both_ways(double at_a, double at_b) {
  const Tensor a = tensor(at_a, DType::f64).set_requires_grad(), b = tensor(at_b, DType::f64).set_requires_grad();
  const Tensor s = a + b, p = a * b;
  const Tensor u = s + p, v = s * p;
  const Tensor y = u + v;
  return inspect::trace(y, {.title = "y = u + v with u = s + p, v = s p, s = a + b, p = a b",
                            .names = {{"a", a}, {"b", b}, {"s", s}, {"p", p}, {"u", u}, {"v", v}, {"y", y}},
                            .naive = true});
}

double naive_gradient(const inspect::Trace& trace, std::uint64_t of) {
  double gradient = 0;
  for (const auto& arrival : trace.naive->arrivals) gradient = arrival.to == of ? arrival.after.all[0] : gradient;
  return gradient;
}

double gradient(const inspect::Trace& trace, std::uint64_t of) {
  for (const auto& visit : trace.walk) {
    if (visit.tensor == of) return visit.gradient.all[0];
  }
  return 0;
}

void by_hand(Chapter& chapter, const inspect::Trace& trace) {
  std::vector<std::string> tensors, made_by;
  std::vector<double> value, gradient, recursion;
  for (const auto& visit : trace.walk) {
    const auto& tensor = trace.tensor(visit.tensor);
    tensors.push_back(tensor.name);
    made_by.push_back(tensor.op.empty() ? "leaf" : tensor.op);
    value.push_back(tensor.values.all[0]);
    gradient.push_back(visit.gradient.all[0]);
    recursion.push_back(recursion.empty() ? 1 : naive_gradient(trace, visit.tensor));
  }
  chapter.series("order.visits.tensor", tensors);
  chapter.series("order.visits.made_by", made_by);
  chapter.series("order.visits.value", value);
  chapter.series("order.visits.gradient", gradient);
  chapter.series("order.visits.recursion", recursion);
}

// x → x + x, n times: each op doubles the number of ways back to x.
void doublings(Chapter& chapter) {
  constexpr int deepest = 20, counted = 12;
  const double by_law = std::pow(2, deepest + 1) - 1;
  std::vector<double> tape, recursion;
  Tensor x = ones({}, DType::f64).set_requires_grad(), y = x;
  for (int n = 1; n <= deepest; ++n) {
    y = y + y;
    const inspect::Trace trace = inspect::trace(y, {.naive = n <= counted});
    tape.push_back(static_cast<double>(trace.walk.size()));
    if (n > counted) continue;
    recursion.push_back(static_cast<double>(trace.naive->visits));
    check<Error>(recursion.back() == std::pow(2, n + 1) - 1, "{} doublings: {} visits, not 2^(n+1) - 1", n, recursion.back());
  }
  chapter.series("doublings.tape", tape);
  chapter.series("doublings.recursion", recursion);
  chapter.number("doublings.tape", tape.back());
  chapter.number("doublings.recursion_12", recursion.back());
  chapter.number("doublings.recursion_20_by_law", by_law);
  chapter.tell(fmt::format("{} doublings x + x: {} visits in order, {} without\n", deepest, tape.back(),
                           with_commas(static_cast<std::int64_t>(by_law))));
}

}  // namespace gradus::examples
