#include "examples/ch13_ranks/widths.h"

#include <fmt/format.h>

#include <cmath>

#include "examples/ch13_ranks/costs.h"
#include "examples/ch13_ranks/step.h"

namespace gradus::examples {
namespace {

using distributed::LinkCost;
using Grid = std::vector<std::vector<double>>;

constexpr int kLayers = 2;
double width_of(double parameters, double layers) { return std::sqrt(parameters / (12 * layers)); }

void on_this_machine(Chapter& chapter) {
  constexpr LinkCost declared{.latency = 6e-3, .byte_time = 1e-9};
  constexpr int ranks = 4;
  const distributed::AllReduce& ring = distributed::all_reduces().find("ring").value;
  std::vector<StepOptions> models;
  for (const std::int64_t width : {32, 64, 128, 192, 256}) models.push_back({.width = width, .layers = kLayers});
  Grid rows;
  std::vector<double> parameters, seconds;
  for (const MeasuredStep& step : measure_in_turn(models)) {
    parameters.push_back(step.parameters);
    seconds.push_back(step.seconds);
    const auto width = static_cast<double>(models[rows.size()].width);
    rows.push_back({width, step.parameters, step.seconds, ring.cost(ranks, 4 * step.parameters, declared)});
  }
  const Fit compute = fit_line(parameters, seconds);
  const double equal = equal_parameters(compute, declared, ranks);
  chapter.number("width.points", rows);
  chapter.number("width.flops", 6 * kTokens / compute.slope);
  chapter.number("width.constant", compute.constant);
  chapter.number("width.equal_parameters", equal);
  chapter.number("width.equal", width_of(equal, kLayers));
  chapter.tell(fmt::format("\n{} ranks with {} tokens each, 6 ms and 1 GB/s: computing takes as long as a ring at width {}", ranks, kTokens,
                           shown(width_of(equal, kLayers))));
}

// 1,000 ranks, 10 µs, 50 GB/s, 400 TFLOP/s; 32 layers.
void of_a_cluster(Chapter& chapter) {
  const LinkCost fast{.latency = 1e-5, .byte_time = 1 / 50e9};
  constexpr double flops = 4e14, n = 1000, layers = 32;
  const double least_tokens = 8 * (n - 1) / n * fast.byte_time * flops / 6;
  Grid cluster;
  for (const double tokens : {4096.0, 8192.0, 16384.0, 32768.0, 65536.0}) {
    cluster.push_back({tokens, width_of(equal_parameters({0, 6 * tokens / flops}, fast, 1000), layers)});
  }
  chapter.number("cluster.least_tokens", least_tokens);
  chapter.number("cluster.widths", cluster);
  chapter.tell(fmt::format("1,000 ranks of 400 TFLOP/s at 50 GB/s: with fewer than {} tokens each, messages cost more at any width",
                           with_commas(static_cast<std::int64_t>(std::ceil(least_tokens)))));
}

}  // namespace

void widths(Chapter& chapter) {
  on_this_machine(chapter);
  of_a_cluster(chapter);
}

}  // namespace gradus::examples
