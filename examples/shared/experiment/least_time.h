// How long works take, against each other: the least of several times, in turns and on one thread, so that what else the
// machine does hits all of them or none.
#pragma once

#include <functional>
#include <vector>

namespace gradus::examples {

std::vector<double> least_milliseconds(const std::vector<std::function<void()>>& works, int times);

}  // namespace gradus::examples
