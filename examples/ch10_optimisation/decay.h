// Weight decay: weights that begin at 1 and whose gradient is nothing but noise.
#pragma once

#include <vector>

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// What is left of the weights, at each scale of the noise.
struct Decays {
  std::vector<double> scales, decoupled, coupled;
  double law;  // what decay alone leaves
};
Decays measure_decay(bool full);

// The numbers decay.*, and the claim that with Adam decoupled decay is not L2.
void weight_decay(Chapter& chapter, const Decays& d);

}  // namespace gradus::examples
