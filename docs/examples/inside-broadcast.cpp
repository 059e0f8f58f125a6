// Un-broadcasting: a number that was used in several places gets the sum of what comes back from them. In x + r a row is
// stretched to the shape of x, in x ⊙ c a column.
#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

int main() {
  Derivation d("inside-broadcast");
  const Numbers x = d.given("x", {{1, 2, 3}, {4, 5, 6}});    // [2, 3]
  const Numbers r = d.given("r", {10, 20, 30});              // [3], stretched down: each entry is used twice
  const Numbers c = d.given("c", Numbers({2, 1}, {2, -1}));  // [2, 1], stretched across: each entry is used three times
  const Numbers g = d.given("g", {{1, 0, 2}, {3, 1, -1}});

  d.step("b1", "x + r", each(2, 3, [&](int64_t i, int64_t j) { return x(i, j) + r(j); }));
  d.step("b2", "dL/dr", each(3, [&](int64_t j) { return sum(2, [&](int64_t i) { return g(i, j); }); }));
  d.step("b3", "x ⊙ c", each(2, 3, [&](int64_t i, int64_t j) { return x(i, j) * c(i, 0); }));
  const Numbers of_rule = each(2, 3, [&](int64_t i, int64_t j) { return g(i, j) * x(i, j); });
  d.step("b4", "g ⊙ x", of_rule);
  d.step("b5", "dL/dc", each(2, 1, [&](int64_t i, int64_t) { return sum(3, [&](int64_t j) { return of_rule(i, j); }); }));

  d.gradient("dL/dr", [&](const Tensor& t) { return x.tensor() + t; }, r, g);
  d.gradient("dL/dc", [&](const Tensor& t) { return x.tensor() * t; }, c, g);
  return verdict();
}
