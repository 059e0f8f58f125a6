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
//! title: The training loop, a batch in parts
//! minutes: 45
//! needs: adamw, clip-and-schedule
//! done: None of these mistakes throws, and with most of them the loss still falls.
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
  //! What of all this happens once for a part, and what once for a step?
  //! Two loops: the inner one over parts ends with backward(). Gradients are set to 0 before it; clip and descend come after it.
  //! In parts or all at once, the gradient is the same: that of the mean over all rows. A part of b rows holds b of B of them.
  //! For a part of b rows: b/B times its loss, and backward(). For a step: all gradients 0, the parts, clip, descend with rate(t). Then
  //!   dropout off, the loss of `held` with nothing recorded, dropout on.
  const auto loss_of = [&](const Tensor& rows) {
    return loss(slice(rows, 1, 0, -1), slice(rows, 1, 1));
    //~ 3 loss/double-shift: return loss(slice(rows, 1, 0, -2), slice(rows, 1, 2));
    //? Which id stands right after the first one of x?
    //= the targets are shifted twice: the model says the id after the next
    //@ transformers#47394, PR46898, open-instruct PR1549
    //~ 4 loss/no-shift: return loss(slice(rows, 1, 0, -1), slice(rows, 1, 0, -1));
    //? Has the model already read what it is to say?
    //= the targets are the inputs: the model says what it has just read
    //@ MONAI GenerativeModels#314
    //~ 27 loss/shift-backwards: return loss(slice(rows, 1, 1), slice(rows, 1, 0, -1));
    //? Which is to be said: the id after those that were read, or the one before?
    //= inputs and targets are exchanged: the model says the id before
  };
  std::vector<double> losses;
  const int steps = static_cast<int>(text.size(0));
  //~ 22 dropout/off-from-the-start: const int steps = static_cast<int>(text.size(0)); dropout(false);
  //? Is dropout on when the first part goes through the model?
  //= dropout is off in training as well
  for (int t = 1; t <= steps; ++t) {
    const Tensor batch = text[t - 1];
    //~ 16 train/same-batch: const Tensor batch = text[0];
    //? Which rows does step 2 see?
    //= every step trains on the first batch
    //~ 17 train/batch-before: const Tensor batch = text[(t - 2 + steps) % steps];
    //? t begins at 1, and the rows of text at 0. Which batch does step 1 see?
    //= each step trains on the batch of the step before it, and the first on the last batch
    //~ 18 train/measured-before:
    //| const Tensor batch = text[t - 1];
    //| dropout(false);
    //| losses.push_back(loss_of(held).item());
    //| dropout(true);
    //? Which parameters does the first held-out loss belong to?
    //= the held-out loss is measured before the step, not after it
    //+ const Tensors parts = split(batch, part);
    //+ const int count = static_cast<int>(parts.size());
    //+ double of_batch = 0;
    for (const Tensor& p : parameters) p.zero_grad();
    //~ 1 engine/no-zero-grad:
    //? What is left in grad() from the step before?
    //= the gradients of all steps add up, as nothing sets them to 0
    //@ IBM/aihwkit#446, llm.c PR548
    for (const Tensor& rows : split(batch, part)) {
      //~ 23 train/first-part-alone: for (const Tensor& rows : Tensors{parts[0]}) {
      //? How many rows of the batch have had their backward() when the step is taken?
      //= the step knows the first part of the batch alone
      //~ 29 train/last-part-always-left-out: for (const Tensor& rows : Tensors(parts.begin(), parts.end() - 1)) {
      //? B = 4 and part = 2: how many parts does your loop make?
      //= the loop ends before the last part, even if that is a whole one
      const double share = static_cast<double>(rows.size(0)) / static_cast<double>(batch.size(0));
      //~ 7 train/accumulate-sum: const double share = 1;
      //? The batch in more parts: does your gradient become longer?
      //= the losses of the parts are added, not weighted
      //@ nanoGPT#168, #206, fastai#3023
      //~ 8 loss/mean-of-means: const double share = 1.0 / count;
      //? A part of 1 row and one of 3: how much does each row count?
      //= each part counts the same, however many rows it has
      //@ transformers PR34191, torchtune PR1875, mlx-lm PR1544
      //~ 9 train/last-part: const double share = static_cast<double>(part) / static_cast<double>(batch.size(0));
      //? How many rows has the last part?
      //= the last part counts as if it were a whole one
      //@ TrenTorch PR187
      //~ 10 train/last-part-left-out:
      //| const double share = static_cast<double>(rows.size(0)) / static_cast<double>(batch.size(0));
      //| if (rows.size(0) < part) continue;
      //? How many rows of the batch does your loop reach?
      //= the last part is left out if it is not a whole one
      //~ 19 train/rows-in-full: const double share = static_cast<double>(rows.size(0));
      //? A batch of twice as many rows: does your gradient become longer?
      //= the parts add up to the sum over the rows of the batch, not to their mean
      //~ 28 train/share-of-whole-numbers: const double share = rows.size(0) / batch.size(0);
      //? What is 3 / 4 in C++?
      //= the share of a part is a division of whole numbers: 0, unless the part is the whole batch
      //~ 30 train/share-of-one-over-part: const double share = 1.0 / part;
      //? To what do the shares of all parts sum?
      //= each part counts 1 / part, whatever share of the batch it is
      (share * loss_of(rows)).backward();
      //~ 2 train/zero-grad-each-part:
      //| for (const Tensor& p : parameters) p.zero_grad();
      //| (share * loss_of(rows)).backward();
      //? How often in a step may the gradients be set to 0?
      //= the gradients are set to 0 before each part, so the last part alone counts
      //~ 11 train/step-each-part:
      //| for (const Tensor& p : parameters) p.zero_grad();
      //| (share * loss_of(rows)).backward();
      //| clip(parameters, most);
      //| descend(parameters, rate(t, steps));
      //? How many steps does one batch make?
      //= a step after each part, not after all of them
      //~ 12 clip/each-part:
      //| (share * loss_of(rows)).backward();
      //| clip(parameters, most);
      //? Whose length is bounded: that of a part's gradient, or that of the sum?
      //= clipped after each part, not once after the last
      //~ 21 train/step-each-part-and-kept:
      //| (share * loss_of(rows)).backward();
      //| clip(parameters, most);
      //| descend(parameters, rate(t, steps));
      //? What does the second part's step use: its own gradient, or also the first part's once more?
      //= a step after each part, with the gradients of the parts before it
      //~ 31 train/loss-of-batch:
      //| const Tensor of_part = share * loss_of(rows);
      //| of_part.backward();
      //| of_batch += of_part.item();
      //? Whose loss is asked for: that of the rows that the step has learned from?
      //= the losses are those of the batch in training, not of held
    }
    clip(parameters, most);
    //~ also train/step-each-part:
    //~ also clip/each-part:
    //~ 13 clip/without-effect:
    //? Which gradients does the step use?
    //= the step is taken with gradients that are not clipped, or not yet
    //~ 20 clip/per-tensor: for (const Tensor& p : parameters) clip({p}, most);
    //? How many norms are there in one step?
    //~ also train/step-each-part-and-kept:
    descend(parameters, rate(t, steps));
    //~ also train/step-each-part:
    //~ 14 schedule/by-part: descend(parameters, rate(t * count, steps));
    //? What does the rate count: steps, or parts?
    //= the rate moves on with each part
    //~ 15 schedule/one-behind: descend(parameters, rate(t - 1, steps));
    //? Which t has the first step?
    //= the rate is that of the step before; the first is 0
    //~ also train/step-each-part-and-kept:
    //~ 24 schedule/rate-of-first-step: descend(parameters, rate(1, steps));
    //? Does your rate change from step to step?
    //= every step has the rate of the first
    //~ 25 schedule/one-ahead: descend(parameters, rate(t + 1, steps));
    //? Which t has the first step?
    //= the rate is that of the step after
    //~ 26 schedule/arguments-exchanged: descend(parameters, rate(steps, t));
    //? Which of the two numbers does rate take first?
    //= rate(steps, t), where rate(t, steps) is meant
    const NoGrad off;
    dropout(false);
    //~ 5 dropout/in-eval:
    //? Measure the held-out loss twice, with another dropout: is it the same?
    //= the held-out loss is measured with dropout
    //@ karpathy/nanoGPT PR240, ethos-ares#20
    losses.push_back(loss_of(held).item());
    //~ also train/measured-before:
    //~ also train/loss-of-batch: losses.push_back(of_batch);
    dropout(true);
    //~ 6 dropout/off-for-ever:
    //? Is the model in step 2 trained as it was in step 1?
    //= dropout stays off after the first measurement
    //@ Megatron-LM PR411
    //~ also dropout/off-from-the-start:
  }
  return from_vector(losses, {steps});
  // end
}
