// Exponential moving average of weights: often better to use than the last weights, which still jump about
// (Polyak and Juditsky, 1992).
#pragma once

#include "optim/checks.h"

namespace gradus::optim {

//   s ← β s + (1 - β) θ = s + (1 - β) (θ - s)
// after every optimizer step; s starts as a copy of θ, so there is no bias to correct.
class MovingAverage {
 public:
  // ValueError unless 0 <= β < 1, and for no parameters, one given twice, two of one name or of one storage; GraphError for one
  // that is no leaf; DTypeError for one that is not f32 or f64.
  explicit MovingAverage(NamedTensors parameters, double beta = 0.999);
  MovingAverage(const MovingAverage&) = delete;  // two would move the same averages
  MovingAverage& operator=(const MovingAverage&) = delete;

  // After every optimizer step. GraphError, as of swap(), if a parameter that required a gradient no longer does; ValueError between the
  // two swaps. Then nothing has changed.
  void update();
  // Exchanges the values of the averages and of the parameters; once more puts them back:
  //   average.swap(); validate(); average.swap();
  // ValueError if a parameter was changed in between, as by an optimizer's step: the change would end up in the averages. state()
  // then has the parameters' values; io::load_tensors puts them back, and a new average goes on from there.
  void swap();

  // The averages under the parameters' names, for a checkpoint; io::load_tensors puts them back.
  const NamedTensors& state() const { return averages_; }

 private:
  void check_still_trained() const;

  NamedTensors parameters_, averages_;
  std::vector<bool> trained_;  // did the parameter require a gradient?
  double beta_;
  bool swapped_ = false;  // does the model have the averages?
  std::vector<std::uint32_t> versions_;  // of the parameters, as the last swap left them
};

}  // namespace gradus::optim
