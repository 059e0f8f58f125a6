// dist-mean, dist-tree-sum and the four all-reduces: which sum all ranks get, in which order it is rounded, and what it costs.
#include "docs/examples/derivation.h"
#include "optim/distributed/collectives.h"
#include "optim/distributed/tree_sum.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// ℓ_i = (w x_i - y_i)² / 2; rank 0 has samples 1 and 2, rank 1 has sample 3.
void mean() {
  Derivation d("dist-mean");
  const Numbers x = d.given("x", {1, 2, 3}), y = d.given("y", {0, 0, 6});
  const auto g = [&](int64_t i) { return (x(i) - y(i)) * x(i); };
  d.step("1", "dℓ/dw of each sample", each(3, g));
  d.step("2", "dL/dw", sum(3, g) / 3);
  d.step("3", "sums of the ranks", Numbers{g(0) + g(1), g(2)});
  d.step("4", "dL/dw", ((g(0) + g(1)) + g(2)) / 3);
  d.step("5", "means of the ranks", Numbers{(g(0) + g(1)) / 2, g(2)});
  d.step("6", "dL/dw", 2.0 / 3 * (g(0) + g(1)) / 2 + 1.0 / 3 * g(2));
  d.step("7", "mean of means", ((g(0) + g(1)) / 2 + g(2)) / 2);
  d.gradient("dL/dw", [&](const Tensor& w) { return sum(square(w * x.tensor() - y.tensor())) / 6; }, 1, 1);
}

void tree_sum() {
  Derivation d("dist-tree-sum");
  const float large = 16777216;  // 2²⁴: the next number of f32 is 2 more
  const auto above = [&](float sum) { return static_cast<double>(sum) - large; };
  d.step("1", "(2²⁴ + 1) - 2²⁴", above(large + 1));
  d.step("2", "one after the other", above(((large + 1) + 1) + 1));
  d.step("3", "halves of halves", above((large + 1) + (1.0f + 1)));
  distributed::TreeSum whole(4), left(2), right(2);
  for (const float one : {large, 1.0f, 1.0f, 1.0f}) whole.add(tensor({static_cast<double>(one)}));
  left.add(tensor({large})), left.add(tensor({1}));
  right.add(tensor({1})), right.add(tensor({1}));
  d.law("4", "halves of halves, by one rank", whole.total().item() - large, above((large + 1) + (1.0f + 1)));
  d.law("5", "halves of halves, by two", (left.total() + right.total()).item() - large, above((large + 1) + (1.0f + 1)));
}

// Eight ranks, α = 2, β = 0.001, b = 12000.
void costs() {
  constexpr double n = 8, log = 3, alpha = 2, beta = 0.001, b = 12000;
  const auto law = [&](const char* name) { return distributed::all_reduces().find(name).value.cost(8, b, {alpha, beta}); };
  Derivation doubling("dist-doubling");
  doubling.step("1", "log₂ n (α + β b)", log * (alpha + beta * b));
  doubling.law("2", "by the library", law("doubling"), log * (alpha + beta * b));

  Derivation halving("dist-halving");
  halving.step("1", "b/2 + b/4 + b/8", b / 2 + b / 4 + b / 8);
  halving.step("2", "b (n - 1)/n", b * (n - 1) / n);
  halving.step("3", "2 log₂ n α + 2 (n - 1)/n β b", 2 * log * alpha + 2 * (n - 1) / n * beta * b);
  halving.law("4", "by the library", law("halving"), 2 * log * alpha + 2 * (n - 1) / n * beta * b);
  halving.step("5", "b at which doubling costs as much", log * alpha / (beta * (log - 2 * (n - 1) / n)));

  Derivation tree("dist-tree");
  tree.step("1", "2 ⌈log₂ n⌉ (α + β b)", 2 * log * (alpha + beta * b));
  tree.law("2", "by the library", law("tree"), 2 * log * (alpha + beta * b));

  Derivation ring("dist-ring");
  ring.step("1", "messages of a rank", 2 * (n - 1));
  ring.step("2", "bytes of each", b / n);
  ring.step("3", "2 (n - 1) (α + β b/n)", 2 * (n - 1) * (alpha + beta * b / n));
  ring.step("4", "2 (n - 1) α + 2 (n - 1)/n β b", 2 * (n - 1) * alpha + 2 * (n - 1) / n * beta * b);
  ring.law("5", "by the library", law("ring"), 2 * (n - 1) * (alpha + beta * b / n));
}

}  // namespace

int main() {
  mean();
  tree_sum();
  costs();
  return verdict();
}
