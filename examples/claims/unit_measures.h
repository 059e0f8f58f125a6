// Single hidden units of networks that read digits: which are silent, which come back, and what they say on average. A unit
// is dead if its input is not above 0 on any of the 1,500 images to train on.
#pragma once

#include <string>

#include "examples/shared/study/deep_net.h"

namespace gradus::examples {

// The share of all hidden units that is dead after training − the share at the start. For a ReLU.
double share_that_died(const DeepNet& shape, std::uint64_t seed);

// Half of the 64 units of one hidden layer are given a bias of −3. Among those then dead, the share that gets a gradient from any
// image after training, and the share that is dead no more: all by this optimizer at its usual rate, batches of 64.
struct Revival {
  nn::Activation f;
  std::string optimizer;
  int64_t steps;
};
struct Revived { double gets_gradient, wakes; };
Revived revived(const Revival& revival, std::uint64_t seed);

// Each pixel less its mean over the images to train on.
Digits centred(const Digits& digits);
// |mean over the images| of each hidden unit's output, and of that the mean over all.
double distance_of_means_from_zero(nn::Sequential& net, const Digits& digits);
// The standard deviation of f over the images that are below 0 for a hidden unit, at the unit's own inputs: the root of its
// mean square over all units.
double deviation_below_zero(nn::Sequential& net, const nn::Activation& f, const Digits& digits);

// The share of a unit's weights whose gradient on the first `images` images has the sign of most, among those that have a
// gradient: the mean of this over all units that read hidden units.
double sign_agreement(nn::Sequential& net, const Digits& digits, int64_t images);

// Among the units that are negative on one image drawn at random, or the half of the layer that was pushed below 0 on every
// image: after 100 steps of training, the share whose weights get no gradient from any of the images. And the same for the
// units of the layer after them.
struct Silence {
  bool on_every_image = false;
  bool layer_after = false;
};
double share_without_gradient(const nn::Activation& f, const Silence& silence, std::uint64_t seed);

}  // namespace gradus::examples
