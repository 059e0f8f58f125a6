// What a message costs: the laws of the all-reduces, beside times that were measured over a link of declared speed.
#pragma once

#include <vector>

#include "optim/distributed/collectives.h"

namespace gradus::examples {

struct CostPoint {
  std::string_view name;  // of the all-reduce
  double bytes, seconds, law;
};

// Four ranks, as threads, over a SlowLink.
std::vector<CostPoint> measure_costs(const distributed::LinkCost& declared, int ranks);
// α and β by least squares, each point weighted by 1/seconds.
distributed::LinkCost fit_cost(const std::vector<CostPoint>& points, int ranks);
// α and β of the threads' own link, from doubling on two ranks.
distributed::LinkCost measure_thread_link();

// seconds = constant + slope · x, with the same weights.
struct Fit { double constant, slope; };
Fit fit_line(const std::vector<double>& x, const std::vector<double>& seconds);

// From how many parameters on computing takes as long as a ring's messages: c + s P = 2 (n - 1) α + 8 (n - 1)/n β P, for four bytes a
// parameter. NaN if there is no such number.
double equal_parameters(const Fit& compute, const distributed::LinkCost& cost, int ranks);

}  // namespace gradus::examples
