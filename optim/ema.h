// Exponential moving average of weights: often better than the last weights, which still jump about (Polyak and Juditsky, 1992).
#pragma once

#include "optim/checks.h"

namespace gradus::optim {

//   s ← β s + (1 - β) θ = s + (1 - β) (θ - s)
// after every optimizer step; s starts as a copy of θ, so there is no bias to correct.
class MovingAverage {
 public:
  // ValueError unless 0 <= β < 1, and for no parameters; further errors as of check_parameters().
  explicit MovingAverage(NamedTensors parameters, double beta = 0.999);
  MovingAverage(const MovingAverage&) = delete;  // two would move the same averages
  MovingAverage& operator=(const MovingAverage&) = delete;

  // After every optimizer step. Throws, changing nothing: GraphError if a parameter no longer requires a gradient; ValueError
  // between two swaps.
  void update();
  // Exchanges the values of the averages and of the parameters; a second call puts them back:
  //   average.swap(); validate(); average.swap();
  // GraphError as of update(); ValueError if a parameter was changed between the two. state() then has the parameters' values.
  void swap();

  // The averages under the parameters' names, for a checkpoint; io::load_tensors puts them back.
  const NamedTensors& state() const { return averages_; }

 private:
  void check_still_trained() const;

  NamedTensors parameters_, averages_;
  std::vector<bool> trained_;  // did the parameter require a gradient?
  double beta_;
  bool swapped_ = false;                 // does the model have the averages?
  std::vector<std::uint32_t> versions_;  // of the parameters, as the last swap left them
};

}  // namespace gradus::optim
