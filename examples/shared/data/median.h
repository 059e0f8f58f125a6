// median: the value in the middle.
#pragma once

#include <vector>

namespace gradus::examples {

double median(std::vector<double> values);  // of an even number the upper one; 0 of none

}  // namespace gradus::examples
