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
  // that is undefined or made by an op; DTypeError for one that is not f32 or f64.
  explicit MovingAverage(NamedTensors parameters, double beta = 0.999);
  MovingAverage(const MovingAverage&) = delete;  // two would move the same averages
  MovingAverage& operator=(const MovingAverage&) = delete;

  // After every optimizer step. DTypeError or ShapeError if a parameter, or its average, is not as it was when the average
  // was built: model.to() comes before, as going to and fro would round. ValueError if two of them share one storage. So it is
  // for swap(); then nothing has changed. ValueError between the two swaps.
  void update();
  // Exchanges the values of the averages and of the parameters; once more puts them back:
  //   average.swap(); validate(); average.swap();
  // ValueError if a parameter was changed in between, as by an optimizer's step: the change would end up in the averages. state()
  // then has the parameters' values; io::load_tensors puts them back, and a new average goes on from there.
  void swap();

  // The averages under the parameters' names, for a checkpoint; io::load_tensors puts them back.
  const NamedTensors& state() const { return averages_; }

 private:
  void check_unchanged() const;

  NamedTensors parameters_, averages_;
  std::vector<BuiltFor> built_for_;
  double beta_;
  bool swapped_ = false;  // does the model have the averages?
  std::vector<std::uint32_t> versions_;  // of the parameters, as the last swap left them
};

}  // namespace gradus::optim
