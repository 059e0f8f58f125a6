// ReduceOnPlateau: a learning rate that falls when the validation loss does not any more.
//
//   optim::ReduceOnPlateau rate({.lr = 1e-3, .patience = 5});
//   for (…) {                                     // each epoch
//     for (…) optimizer.step(rate.lr());
//     rate.next(validation_loss);
//   }
//
// A loss ℓ is better than the best ℓ* so far if ℓ < ℓ* - threshold |ℓ*|, else bad. After more than `patience` bad ones in a row
//   lr ← max(γ lr, lr_min)
// and for the next `cooldown` losses no bad one counts. The defaults are PyTorch's.
#pragma once

#include <cstdint>
#include <limits>

namespace gradus::optim {

using std::int64_t;

struct PlateauOptions {
  double lr = 1e-3;         // at first
  double factor = 0.1;      // γ
  int64_t patience = 10;    // bad losses in a row that it tolerates
  double threshold = 1e-4;  // a better loss is below the best one by more than this share of it
  int64_t cooldown = 0;
  double min_lr = 0;  // lr_min
};

// Unlike the schedules it remembers: this is what a checkpoint saves.
struct PlateauState {
  double lr = 0;
  double best = std::numeric_limits<double>::infinity();
  int64_t bad = 0;   // losses since the best one, or since the rate fell
  int64_t rest = 0;  // losses until a bad one counts again
};

class ReduceOnPlateau {
 public:
  // ValueError unless 0 < γ < 1, 0 <= threshold < 1, patience and cooldown are not negative, lr is finite and 0 <= lr_min <= lr.
  explicit ReduceOnPlateau(const PlateauOptions& options = {});

  // Takes the next loss and returns the rate from now on. A NaN is a bad loss.
  double next(double loss);
  double lr() const { return state_.lr; }

  const PlateauState& state() const { return state_; }
  void load_state(const PlateauState& state);  // ValueError for a rate below lr_min, or that is not finite, a NaN, a negative count

 private:
  PlateauOptions options_;
  PlateauState state_;
};

}  // namespace gradus::optim
