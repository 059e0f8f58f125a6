// Traces to step through: of expressions, and one as long as one likes, made by hand.
#pragma once

#include <map>
#include <string>

#include "core/inspect/trace.h"
#include "examples/step/options.h"
#include "examples/step/problem.h"

namespace gradus::test {

inline inspect::Trace trace_of(const std::string& expression, const std::map<std::string, std::string>& values, bool create_graph = false,
                               bool naive = false) {
  examples::StepOptions options;
  options.expression = expression;
  options.values = values;
  return examples::StepProblem(options).trace(create_graph, naive);
}

// s = u + v; p = u v; s + p + s p at 2 and 3: 7 visits, dy/du = 25.
inline inspect::Trace shared_trace(bool create_graph = false) {
  return trace_of("s = u+v; p = u*v; s + p + s*p", {{"u", "2"}, {"v", "3"}}, create_graph, true);
}

// A leaf, and `length` ops named step on it.
inline inspect::Trace chain_trace(std::uint64_t length) {
  using inspect::TracedTensor;
  using inspect::Values;
  inspect::Trace trace;
  trace.outputs = {length + 1};
  trace.seeds.push_back({.input = -1, .to = length + 1, .contribution = {.all = {1}}, .after = {.all = {1}}});
  for (std::uint64_t i = 1; i <= length + 1; ++i) {
    const bool leaf = i == 1;
    trace.tensors.push_back({.number = i,
                             .kind = leaf ? TracedTensor::Kind::leaf : TracedTensor::Kind::op,
                             .name = leaf ? "x" : "",
                             .op = leaf ? "" : "step",
                             .values = {.all = {static_cast<double>(i)}},
                             .requires_grad = true});
    if (!leaf) trace.tensors.back().inputs = {i - 1};
  }
  for (std::uint64_t i = length + 1; i >= 1; --i) {
    inspect::Visit visit{.tensor = i, .gradient = {.all = {1}}};
    if (i > 1) visit.deliveries.push_back({.to = i - 1, .contribution = {.all = {1}}, .after = {.all = {1}}});
    trace.walk.push_back(visit);
  }
  return trace;
}

}  // namespace gradus::test
