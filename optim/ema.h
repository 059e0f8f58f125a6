// Exponential moving average of weights: often better to use than the last weights, which still jump about
// (Polyak and Juditsky, 1992).
#pragma once

#include "core/io/named_tensors.h"

namespace gradus::optim {

//   s ← β s + (1 - β) θ        after every optimizer step; s starts as a copy of θ, so there is no bias to correct
class MovingAverage {
 public:
  // ValueError unless 0 <= β < 1, or for no parameters.
  explicit MovingAverage(NamedTensors parameters, double beta = 0.999);

  void update();  // after every optimizer step
  // Exchanges the values of the averages and of the parameters; once more puts them back:
  //   average.swap(); validate(); average.swap();
  // DTypeError if model.to() has changed a parameter's dtype: going to and fro would round it.
  void swap();

  // The averages under the parameters' names, for a checkpoint; io::load_tensors puts them back.
  const NamedTensors& state() const { return averages_; }

 private:
  NamedTensors parameters_, averages_;
  double beta_;
};

}  // namespace gradus::optim
