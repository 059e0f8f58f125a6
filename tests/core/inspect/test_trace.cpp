#include <cmath>
#include <memory>

#include "core/core.h"
#include "core/inspect/tracer.h"
#include "core/tape/record.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;
using inspect::Delivery;
using inspect::NaiveWalk;
using inspect::Trace;
using inspect::TracedTensor;
using inspect::Visit;

namespace {

// y = (a+b) + ab + (a+b) ab at a = 2, b = 3: dy/da = 1 + b + ab + (a+b) b = 25, dy/db = 1 + a + ab + (a+b) a = 19.
struct Example {
  Tensor a = leaf(2), b = leaf(3), s = a + b, p = a * b, t = s + p, m = s * p, y = t + m;
  inspect::TraceOptions named(inspect::TraceOptions options = {}) const {
    options.names = {{"a", a}, {"b", b}};
    return options;
  }
};

const Visit& visit_of(const Trace& trace, const Tensor& x) {
  for (const Visit& visit : trace.walk) {
    if (visit.tensor == x.number()) return visit;
  }
  FAIL("not visited");
  return trace.walk.at(0);
}

bool is_visited(const Trace& trace, const Tensor& x) {
  for (const Visit& visit : trace.walk) {
    if (visit.tensor == x.number()) return true;
  }
  return false;
}

// x, n times doubled by x + x: naive recursion visits it 2^(n+1) - 1 times.
Tensor doubled(Tensor x, int n) {
  for (int i = 0; i < n; ++i) x = x + x;
  return x;
}

}  // namespace

TEST_CASE("trace: the walk in the engine's order, each visit with the complete gradient") {
  const Example e;
  const Trace trace = inspect::trace(e.y, e.named());
  std::vector<std::uint64_t> order;
  Values gradients;
  for (const Visit& visit : trace.walk) {
    order.push_back(visit.tensor);
    gradients.push_back(visit.gradient.all.at(0));
  }
  const std::vector<std::uint64_t> expected{e.y.number(), e.m.number(), e.t.number(), e.p.number(),
                                            e.s.number(), e.b.number(), e.a.number()};
  CHECK(order == expected);
  CHECK(gradients == Values{1, 1, 1, 6, 7, 19, 25});  // dy/dp = 1 + s, dy/ds = 1 + p
  REQUIRE(trace.seeds.size() == 1);
  CHECK(trace.seeds[0].to == e.y.number());
  CHECK(trace.seeds[0].input == -1);
}

TEST_CASE("trace: before + contribution = after, for each input in turn") {
  const Example e;
  const Trace trace = inspect::trace(e.y);
  const auto& [tensor, gradient, deliveries] = visit_of(trace, e.s);  // gives 7 to both, after p gave b = 3 and a = 2 times 6
  REQUIRE(deliveries.size() == 2);
  const Delivery &to_a = deliveries[0], &to_b = deliveries[1];
  CHECK(to_a.input == 0);
  CHECK(to_a.to == e.a.number());
  REQUIRE(to_a.before.has_value());
  CHECK(to_a.before->all == Values{18});
  CHECK(to_a.contribution.all == Values{7});
  CHECK(to_a.after.all == Values{25});
  CHECK(to_b.input == 1);
  CHECK(to_b.before->all == Values{12});
  CHECK(to_b.after.all == Values{19});
  CHECK_FALSE(visit_of(trace, e.p).deliveries[0].before.has_value());  // the first to come
}

TEST_CASE("trace: the tape, with names, kinds, inputs and values") {
  const Example e;
  const Trace trace = inspect::trace(e.y * 2, e.named());
  CHECK(trace.tensor(e.a.number()).name == "a");
  CHECK(trace.tensor(e.a.number()).kind == TracedTensor::Kind::leaf);
  CHECK(trace.tensor(e.m.number()).op == "mul");
  CHECK(trace.tensor(e.m.number()).inputs == std::vector<std::uint64_t>{e.s.number(), e.p.number()});
  CHECK(trace.tensor(e.m.number()).values.all == Values{30});
  CHECK(trace.tensors.size() == 9);  // the constant 2 and the product too
  int constants = 0;
  for (const TracedTensor& x : trace.tensors) constants += x.kind == TracedTensor::Kind::constant && x.values.all == Values{2};
  CHECK(constants == 1);
  CHECK_THROWS_WITH_AS(trace.tensor(1'000'000'000'000), "trace: there is no tensor #1000000000000", ValueError);
}

TEST_CASE("trace: changes nothing: no gradient, no node, no tensor more, and the tape can still be walked") {
  const Example e;
  const int64_t nodes = live_nodes(), tensors = live_tensors();
  for (const bool create_graph : {false, true}) inspect::trace(e.y, {.create_graph = create_graph, .naive = true});
  CHECK(live_nodes() == nodes);
  CHECK(live_tensors() == tensors);
  CHECK_FALSE(e.a.grad().defined());
  CHECK(Observing::innermost() == nullptr);
  e.y.backward();
  CHECK(e.a.grad().item() == 25);
  CHECK_THROWS_WITH_AS(inspect::trace(e.y), doctest::Contains("freed by an earlier backward; trace before it"), GraphError);
  CHECK_THROWS_WITH_AS(inspect::trace(tensor(1)), "trace: the tensor is not on the tape", GraphError);
}

TEST_CASE("trace: a tape of which an earlier walk freed a part is refused, as backward() refuses it") {
  const Tensor a = leaf(2), b = leaf(3), freed = a * a;
  freed.backward();
  for (const Tensor& y : {freed * b, freed * 2.0, freed}) {
    for (const bool naive : {false, true}) {
      CHECK_THROWS_WITH_AS(inspect::trace(y, {.naive = naive}), doctest::Contains("freed by an earlier backward"), GraphError);
    }
  }
}

TEST_CASE("trace: naive recursion gives 29 in 15 visits where the tape gives 25 in 7") {
  const Example e;
  const Trace trace = inspect::trace(e.y, {.naive = true});
  REQUIRE(trace.naive.has_value());
  CHECK(trace.naive->visits == 15);
  CHECK(trace.naive->complete);
  CHECK(trace.walk.size() == 7);
  std::map<std::uint64_t, double> last;
  for (const NaiveWalk::Arrival& arrival : trace.naive->arrivals) last[arrival.to] = arrival.after.all.at(0);
  CHECK(last[e.a.number()] == 29);  // by hand: s and p hand on 1 and 1, and later the same again with what m adds
  CHECK(last[e.b.number()] == 22);
  CHECK(trace.naive->arrivals[0].from == 0);
  CHECK(trace.naive->arrivals[1].from == e.y.number());
}

TEST_CASE("trace: naive recursion visits a value that is doubled n times 2^(n+1) - 1 times, and is given up beyond 10,000") {
  const Tensor x = leaf(1);
  CHECK(inspect::trace(doubled(x, 9), {.naive = true}).naive->visits == 1023);
  const Trace long_one = inspect::trace(doubled(x, 20), {.naive = true});
  CHECK(long_one.walk.size() == 21);
  CHECK(visit_of(long_one, x).gradient.all == Values{1 << 20});
  CHECK(long_one.naive->visits == 10'000);
  CHECK_FALSE(long_one.naive->complete);
  CHECK(long_one.naive->arrivals.size() == 1'000);
  const Trace large = inspect::trace(doubled(leaf(1), 1'001), {.naive = true});
  CHECK_FALSE(large.naive.has_value());
  CHECK(large.notes.at(0).find("naive recursion was left out: the tape has 1002 tensors") == 0);
}

TEST_CASE("trace: a broadcast is summed back over the axes that it was stretched along") {
  const Tensor x = leaf({{1, 2}, {3, 4}, {5, 6}}), row = leaf({10, 20}), column = leaf({{1}, {2}, {3}});
  const Tensor y = x * row, z = y * column, L = sum(z);
  const Trace trace = inspect::trace(L);
  const auto delivery_to = [&](const Tensor& y_, std::size_t i) { return visit_of(trace, y_).deliveries.at(i); };
  CHECK(delivery_to(y, 1).summed_over == std::vector<int>{0});
  CHECK(delivery_to(y, 1).contribution.shape == Shape{3, 2});
  CHECK(delivery_to(y, 1).contribution.all == Values{1, 2, 6, 8, 15, 18});  // dL/dz column x
  CHECK(delivery_to(y, 1).after.all == Values{22, 28});
  CHECK(delivery_to(z, 1).summed_over == std::vector<int>{1});
  CHECK(delivery_to(z, 1).after.shape == Shape{3, 1});
  CHECK(delivery_to(z, 0).summed_over.empty());
}

TEST_CASE("trace: a gradient that is a few rows says so, and arrives in full") {
  const Tensor table = leaf({{1, 2}, {3, 4}, {5, 6}});
  const Tensor rows = index_select(table, 0, tensor({2, 2}, DType::i64));
  const Trace trace = inspect::trace(sum(rows * tensor({{1, 2}, {3, 4}}, DType::f64)));
  const Delivery& delivery = visit_of(trace, rows).deliveries.at(0);
  CHECK(delivery.by_rows);
  CHECK(delivery.contribution.shape == Shape{2, 2});
  CHECK(delivery.contribution.all == Values{1, 2, 3, 4});
  CHECK(delivery.after.all == Values{0, 0, 0, 0, 4, 6});
  CHECK(delivery.summed_over.empty());
}

TEST_CASE("trace: a visit's gradient is what hooks made of the sum that arrived") {
  const Tensor x = leaf(3), y = x * 2, z = y * 5;
  y.add_hook([](const Tensor& g) { return g * 10; });
  const Trace trace = inspect::trace(z);
  CHECK(visit_of(trace, z).deliveries[0].after.all == Values{5});
  CHECK(visit_of(trace, y).gradient.all == Values{50});
  CHECK(visit_of(trace, x).gradient.all == Values{100});
}

TEST_CASE("trace: what requires a gradient and gets none names the op that cut it off") {
  const Tensor w = leaf(3), x = leaf(2), lost = leaf(7);
  const Tensor inner = w * 2;
  const Tensor cut = record("cut", inner.detached_copy(), {inner}, nullptr);  // its rule: zero
  const Tensor y = cut * x;
  const Trace trace = inspect::trace(y, {.names = {{"x", x}, {"lost", lost}}});
  CHECK(trace.tensor(inner.number()).severed_by == std::vector<std::uint64_t>{cut.number()});
  CHECK(trace.tensor(w.number()).severed_by == std::vector<std::uint64_t>{inner.number()});
  CHECK(trace.tensor(x.number()).severed_by.empty());
  CHECK_FALSE(is_visited(trace, w));
  CHECK(trace.unreached == std::vector<std::string>{"lost"});
}

TEST_CASE("trace: under create_graph the ops that a contribution is made of are there, down to the forward tape") {
  const Tensor x = leaf(0.5), y = tanh(x);
  const Trace trace = inspect::trace(y, {.create_graph = true});
  const Delivery& delivery = visit_of(trace, y).deliveries.at(0);
  const TracedTensor& product = trace.tensor(delivery.made_by);  // dL/dy (1 - y²)
  CHECK(product.op == "mul");
  CHECK(product.of_walk);
  CHECK(product.values.all == delivery.contribution.all);
  CHECK_FALSE(trace.tensor(y.number()).of_walk);
  CHECK(inspect::trace(y).tensors.size() == 2);
  CHECK(trace.tensors.size() > 4);
}

TEST_CASE("trace: a walk inside of a rule is not watched") {
  const Tensor x = leaf(3);
  const Tensor y = record("inner", (x * x).detach(), {x}, [](const Step& step) {
    const Tensor again = step.input(0).detached_copy().set_requires_grad();
    const GradMode on(true);
    return step.grad * grad({again * again}, {again})[0];
  });
  const Trace trace = inspect::trace(y);
  CHECK(trace.walk.size() == 2);
  CHECK(visit_of(trace, x).gradient.all == Values{6});
}

TEST_CASE("trace: a walk by grad() is seen whole, and what it does not go down to is not severed") {
  const Example e;
  inspect::Tracer tracer({});
  {
    const Observing watching(&tracer);
    grad({e.y}, {e.p}, {.retain_graph = true});
  }
  const Trace trace = tracer.take();
  CHECK(trace.walk.size() == 4);  // y, m, t, p: s, though newer than a and b, is older than p
  for (const TracedTensor& x : trace.tensors) CHECK(x.severed_by.empty());
}
