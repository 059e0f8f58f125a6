// Networks with one activation beside the same networks with another, each at the learning rate that serves it best; and
// what they learn.
#pragma once

#include "examples/claims/lab.h"
#include "examples/shared/study/deep_net.h"

namespace gradus::examples {

// What a trained network comes to: a loss, or a share of wrong answers. One that diverges counts as knowing nothing.
struct Race {
  using Loss = std::function<double(const DeepNet&, std::uint64_t seed)>;
  Loss loss;
  double guessing;            // what it comes to when it knows nothing
  Baseline line;              // below which it has trained
  std::vector<double> rates;  // of which each takes the one that serves it best with other seeds
  Where on = {};              // what is learned, where that is not always the same
};
Condition raced(Lab& lab, const Race& race, const Where& where, const DeepNet& first, const DeepNet& second);

// The held-out loss on digits after the place's steps with the first − that with the second.
Condition digit_losses(Lab& lab, const Where& where, const DeepNet& first, const DeepNet& second);

// The training loss on digits after the place's steps of plain SGD with the first − that with the second.
Condition after_sgd(Lab& lab, const Where& where, const DeepNet& first, const DeepNet& second);

// The held-out loss when that on the images to train on, of which there are `images`, has come down to the place's training loss:
// with the first − with the second. One that does not come down counts as knowing nothing.
Condition once_learned(Lab& lab, const Where& where, int64_t images, const DeepNet& first, const DeepNet& second);

// The first `images` of the images to train on, and all that are held out.
Digits with_few(Digits digits, int64_t images);

// Hard to tell apart with straight lines: 1,000 points of the plane to train on and 1,000 held out, of class 0 or 1, as images
// whose first two pixels are 8 times the coordinates, each from −1 to 1, and whose others are 0.
Digits two_spirals(std::uint64_t seed);   // of two turns each, inside each other (Lang and Witbrock, 1988)
Digits checkerboard(std::uint64_t seed);  // of 4 × 4 fields
// The share of the held-out points that is answered wrong after the place's steps with the first − that with the second.
Condition hard_task(Lab& lab, const Where& where, const std::string& task, const DeepNet& first, const DeepNet& second);

// The share of right answers on the half of the held-out digits with the larger greatest probability − that on the other
// half; and the held-out loss.
std::vector<double> surer_half(const DeepNet& shape, int64_t images, std::uint64_t seed);

}  // namespace gradus::examples
