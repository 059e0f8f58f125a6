// Why an order: three walks over the tape of y = (a + b) + ab + (a + b)·ab at a = 2, b = 3, visit by visit.
#include <fmt/format.h>

#include <string_view>

#include "core/core.h"

using namespace gradus;

namespace {

std::map<std::uint64_t, std::string> names;  // of the tensors, by their numbers
int visits;

// Line `label`: at x, before + contribution = after.
void print(const std::string& label, const Tensor& x, double before, double contribution) {
  fmt::print("{:<4} {}: {} + {} = {}\n", label, names[x.number()], before, contribution, before + contribution);
}

// Wrong: hands on all that has gathered at y so far, as soon as something arrives, and again at the next arrival.
std::map<std::uint64_t, double> gathered;

void recurse(const Tensor& y, double contribution) {
  ++visits;
  double& gradient = gathered[y.number()];
  print(fmt::format("w{}", visits), y, gradient, contribution);
  gradient += contribution;
  if (y.is_leaf()) return;
  const Tensor &a = y.node()->input(0), &b = y.node()->input(1);
  const bool product = y.node()->name() == std::string_view("mul");  // else a sum
  recurse(a, product ? gradient * b.item() : gradient);
  recurse(b, product ? gradient * a.item() : gradient);
}

// Right, and slow: hands on what has arrived now and nothing else, so each way from y to a leaf is walked on its own.
void each_way(const Tensor& y, double contribution) {
  ++visits;
  gathered[y.number()] += contribution;
  if (y.is_leaf()) return;
  const Tensor &a = y.node()->input(0), &b = y.node()->input(1);
  const bool product = y.node()->name() == std::string_view("mul");
  each_way(a, product ? contribution * b.item() : contribution);
  each_way(b, product ? contribution * a.item() : contribution);
}

// The engine's walk, seen while it happens.
class Printed final : public Observer {
  void start(const Tensors&, std::uint64_t) override {}
  void visit(const Tensor& y, const Tensor& gradient) override {
    fmt::print("visit {}: {} is complete = {}\n", ++visits, names[y.number()], gradient.item());
  }
  void arriving(int, const Tensor& x, const Gradient& contribution, const Tensor& before) override {
    print(fmt::format("e{}", ++arrivals_), x, before.defined() ? before.item() : 0, contribution.values.item());
  }
  void arrived(const Tensor&) override {}
  void finish() override {}

  int arrivals_ = 0;
};

}  // namespace

int main() {
  const Tensor a = tensor(2, DType::f64).set_requires_grad(), b = tensor(3, DType::f64).set_requires_grad();
  const Tensor s = a + b, p = a * b;  // both are used twice
  const Tensor u = s + p, v = s * p;
  const Tensor y = u + v;
  const auto named = [](const std::string& name, const Tensor& x) { names[x.number()] = name; };
  named("a", a), named("b", b), named("s", s), named("p", p), named("u", u), named("v", v), named("y", y);

  fmt::print("# the tape\n");
  for (const Tensor& x : {y, v, u, p, s, b, a}) {  // newest first
    fmt::print("{} = {}: ", names[x.number()], x.item());
    if (x.is_leaf()) {
      fmt::print("leaf\n");
    } else {
      const Node& node = *x.node();
      fmt::print("{} of {} and {}\n", node.name(), names[node.input(0).number()], names[node.input(1).number()]);
    }
  }

  fmt::print("\n# the wrong recursion\n");
  recurse(y, 1);
  fmt::print("wrong  dy/da = {}\nwrong  dy/db = {}\n", gathered[a.number()], gathered[b.number()]);

  gathered.clear();
  visits = 0;
  each_way(y, 1);
  fmt::print("\n# each way on its own: {} visits\n", visits);
  fmt::print("ways   dy/da = {}\nways   dy/db = {}\n", gathered[a.number()], gathered[b.number()]);

  fmt::print("\n# the engine\n");
  visits = 0;
  Printed printed;
  const Observing watching(&printed);
  const Tensors gradients = grad({y}, {a, b});
  fmt::print("engine dy/da = {}\nengine dy/db = {}\n", gradients[0].item(), gradients[1].item());
}
