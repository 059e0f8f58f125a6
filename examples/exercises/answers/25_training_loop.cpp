// Exercise 25, training-loop: the loop around a model that is given.                         docs/ch11.md#model-lm
//
// Step t, from 1 on, trains on the batch text[t − 1]: B rows of T + 1 ids. From the first T ids of a row the model is to say the
// last T, each from those before it. The batch is too large for the memory: it goes through the model in pieces of `part` rows
// (of the last there may be fewer), and the gradients of the parts add up to that of the mean over the whole batch. Then
//
//   clip, once for all parameters      descend, with the rate of step t      the loss of `held`, all rows at once, without dropout
//
// text [steps, B, T + 1], held [M, T + 1]; `train` returns the losses of `held` after each step, [steps]. loss(x, y) is the mean
// over all targets y [b, T] of a model that reads x [b, T]; dropout(true) and dropout(false) switch its dropout, which is on at first.
#include <functional>
#include <numbers>

#include "core/core.h"
#include "examples/exercises/rows.h"
using namespace gradus;
using Loss = std::function<Tensor(const Tensor& x, const Tensor& y)>;
using Switch = std::function<void(bool on)>;

// All gradients together become at most `most` long.
void clip(const Tensors& parameters, double most) {
  double squares = 0;
  for (const Tensor& p : parameters) squares += sum(square(p.grad())).item();
  const double factor = std::min(1.0, most / std::sqrt(squares));
  for (const Tensor& p : parameters) p.set_grad(factor * p.grad());
}

// Up in a line for 3 steps, then down to a tenth along half a cosine.
double rate(int t, int steps) { return 2 * (t < 3 ? t / 3.0 : 0.55 + 0.45 * std::cos(std::numbers::pi * (t - 3) / (steps - 3))); }

void descend(const Tensors& parameters, double lr) {
  const NoGrad off;
  for (Tensor p : parameters) p -= lr * p.grad();
}

Tensor train(const Loss& loss, const Switch& dropout, const Tensors& parameters, const Tensor& text, const Tensor& held, int part,
             double most) {
  // blank: for each step its parts, then what follows once; and the held-out loss
  const auto loss_of = [&](const Tensor& rows) { return loss(slice(rows, 1, 0, -1), slice(rows, 1, 1)); };
  std::vector<double> losses;
  const int steps = static_cast<int>(text.size(0));
  for (int t = 1; t <= steps; ++t) {
    const Tensor batch = text[t - 1];
    for (const Tensor& p : parameters) p.zero_grad();
    for (const Tensor& rows : split(batch, part)) {
      const double share = static_cast<double>(rows.size(0)) / static_cast<double>(batch.size(0));
      (share * loss_of(rows)).backward();
    }
    clip(parameters, most);
    descend(parameters, rate(t, steps));
    const NoGrad off;
    dropout(false);
    losses.push_back(loss_of(held).item());
    dropout(true);
  }
  return from_vector(losses, {steps});
  // end
}
