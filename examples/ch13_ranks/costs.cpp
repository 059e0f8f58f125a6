#include "examples/ch13_ranks/costs.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "optim/distributed/slow_link.h"
#include "optim/distributed/threads.h"

namespace gradus::examples {
namespace {

using namespace distributed;

// The least of several, until all ranks are done.
double seconds_of(const AllReduce& all_reduce, int ranks, std::size_t count, const LinkCost* slow) {
  double least = std::numeric_limits<double>::infinity();
  run_threads(ranks, [&](Link& fast) {
    SlowLink slowed(fast, slow != nullptr ? *slow : LinkCost{});
    Link& link = slow != nullptr ? static_cast<Link&>(slowed) : fast;
    std::vector<float> x(count, 1.0f);
    for (int repeat = 0; repeat < 8; ++repeat) {
      fast.barrier();
      const auto begun = std::chrono::steady_clock::now();
      all_reduce(link, std::span(x));
      fast.barrier();
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
      if (link.rank() == 0) least = std::min(least, seconds);
    }
  });
  return least;
}

// seconds ≈ a u + b v.
std::pair<double, double> least_squares(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& seconds) {
  double uu = 0, uv = 0, vv = 0, u1 = 0, v1 = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const double x = u[i] / seconds[i], y = v[i] / seconds[i];
    uu += x * x, uv += x * y, vv += y * y, u1 += x, v1 += y;
  }
  const double determinant = uu * vv - uv * uv;
  return {(u1 * vv - v1 * uv) / determinant, (v1 * uu - u1 * uv) / determinant};
}

}  // namespace

std::vector<CostPoint> measure_costs(const LinkCost& declared, int ranks) {
  std::vector<CostPoint> points;
  for (const auto& [name, id, all_reduce] : all_reduces().variants) {
    if (name == "mpi") continue;
    for (const std::size_t count : {1000, 10000, 50000, 100000, 250000}) {
      const double bytes = 4.0 * static_cast<double>(count);
      points.push_back({name, bytes, seconds_of(all_reduce, ranks, count, &declared), all_reduce.cost(ranks, bytes, declared)});
    }
  }
  return points;
}

LinkCost fit_cost(const std::vector<CostPoint>& points, int ranks) {
  std::vector<double> messages, bytes, seconds;
  for (const CostPoint& point : points) {
    const AllReduce& all_reduce = all_reduces().find(point.name).value;
    messages.push_back(all_reduce.cost(ranks, point.bytes, {1, 0}));
    bytes.push_back(all_reduce.cost(ranks, point.bytes, {0, 1}));
    seconds.push_back(point.seconds);
  }
  const auto [latency, byte_time] = least_squares(messages, bytes, seconds);
  return {latency, byte_time};
}

LinkCost measure_thread_link() {
  std::vector<CostPoint> points;
  for (const std::size_t count : {1000, 10000, 100000, 1000000}) {
    const double bytes = 4.0 * static_cast<double>(count);
    points.push_back({"doubling", bytes, seconds_of(all_reduces().find("doubling").value, 2, count, nullptr), 0});
  }
  return fit_cost(points, 2);
}

Fit fit_line(const std::vector<double>& x, const std::vector<double>& seconds) {
  const auto [constant, slope] = least_squares(std::vector<double>(x.size(), 1), x, seconds);
  return {constant, slope};
}

double equal_parameters(const Fit& compute, const LinkCost& cost, int ranks) {
  const double n = ranks, always = 2 * (n - 1) * cost.latency - compute.constant;
  const double each = compute.slope - 8 * (n - 1) / n * cost.byte_time;
  return always > 0 && each > 0 ? always / each : std::nan("");
}

}  // namespace gradus::examples
