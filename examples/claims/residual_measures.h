// What residual connections do to what a network knows of other data, when it knows its own equally well.
#pragma once

#include <cstdint>
#include <vector>

#include "examples/shared/data/digits.h"

namespace gradus::examples {

// 64 pixels, `layers` layers of width 64, and 10 scores: tanh(Wx + b), or that added to x, whole or divided by √layers.
// Weights start N(0, gain²/64), biases at 0.
enum class Residual { none, whole, quiet };
struct DigitStack {
  Residual residual = Residual::none;
  int64_t layers = 2;
  double gain = 1;
};

// Learns 200 of the training digits with Adam, all of them in every step. Returns the loss on the held-out digits when the
// training loss has just fallen below each of these values, which descend; kGuessing for one that it does not reach in 2,000
// steps. The mean over `draws` draws of weights and images: the same ones for every kind of residual.
std::vector<double> held_out_losses(const DigitStack& stack, const Digits& digits, const std::vector<double>& training_losses, int draws,
                                    std::uint64_t seed);

}  // namespace gradus::examples
