// As JSON, for the drawings: the graph of y = (a + b) + ab + (a + b)·ab and its walk in order and without, and the walk back
// over y = x³ under create_graph, which is itself a graph.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/core.h"
#include "core/inspect/trace.h"

using namespace gradus;

namespace {

using Names = std::vector<std::pair<std::string, Tensor>>;

double value_of(const inspect::Values& values) { return values.all.at(0); }

// Every tensor: its name, the op that made it, from which others, its value; then the visits in their order.
class Graph {
 public:
  explicit Graph(const inspect::Trace& trace) : first_(trace.tensors.front().number) {
    for (const auto& x : trace.tensors) tensors_.push_back(tensor(x));
    for (const auto& visit : trace.walk) visits_.push_back(visited(visit));
    if (!trace.naive) return;
    for (const auto& x : trace.naive->arrivals) {
      wrong_.push_back(fmt::format("{{\"to\": {}, \"after\": {}}}", id(x.to), value_of(x.after)));
    }
  }

  std::string json() const {
    return fmt::format("{{\n \"tensors\": [\n  {}],\n \"visits\": [\n  {}],\n \"wrong\": [{}]}}", fmt::join(tensors_, ",\n  "),
                       fmt::join(visits_, ",\n  "), fmt::join(wrong_, ", "));
  }

 private:
  std::uint64_t id(std::uint64_t number) const { return number - first_; }

  std::string tensor(const inspect::TracedTensor& x) const {
    std::vector<std::uint64_t> inputs;
    for (const std::uint64_t input : x.inputs) inputs.push_back(id(input));
    return fmt::format("{{\"id\": {}, \"name\": \"{}\", \"op\": \"{}\", \"inputs\": {}, \"value\": {}, \"of_walk\": {}}}", id(x.number),
                       x.name, x.op, inputs, value_of(x.values), x.of_walk);
  }

  std::string visited(const inspect::Visit& visit) const {
    std::vector<std::string> given;
    for (const auto& d : visit.deliveries) {
      given.push_back(fmt::format("{{\"to\": {}, \"contribution\": {}, \"made_by\": {}}}", id(d.to), value_of(d.contribution),
                                  d.made_by == 0 ? "null" : std::to_string(id(d.made_by))));
    }
    return fmt::format("{{\"id\": {}, \"gradient\": {}, \"deliveries\": [{}]}}", id(visit.tensor), value_of(visit.gradient),
                       fmt::join(given, ", "));
  }

  std::uint64_t first_;
  std::vector<std::string> tensors_, visits_, wrong_;
};

std::string both_ways() {
  const Tensor a = tensor(2, DType::f64).set_requires_grad(), b = tensor(3, DType::f64).set_requires_grad();
  const Tensor s = a + b, p = a * b, u = s + p, v = s * p, y = u + v;
  const Names names{{"a", a}, {"b", b}, {"s", s}, {"p", p}, {"u", u}, {"v", v}, {"y", y}};
  return Graph(inspect::trace(y, {.names = names, .naive = true})).json();
}

std::string cube() {
  const Tensor x = tensor(2, DType::f64).set_requires_grad(), q = x * x, y = q * x;
  return Graph(inspect::trace(y, {.names = {{"x", x}, {"q", q}, {"y", y}}, .create_graph = true})).json();
}

}  // namespace

int main() { fmt::print("{{\"sum_and_product\": {},\n\"cube\": {}}}\n", both_ways(), cube()); }
