// Exercise 23, adamw: two optimizers that remember.                                  docs/ch10-adam.md#optim-adamw
//
//   nesterov   u ← μ u + g
//              θ ← θ − lr (g + μ u)                        docs/ch10.md#optim-nesterov
//
//   adamw      m ← β₁ m + (1 − β₁) g       m̂ = m / (1 − β₁ᵗ)
//              v ← β₂ v + (1 − β₂) g²      v̂ = v / (1 − β₂ᵗ)
//              θ ← θ − lr λ θ − lr m̂ / (√v̂ + ε)            λ is `decay`
//
// See also docs/ch10-adam.md#optim-adam.
// All arrays are [rows, n]. θ, m, v and u hold what they were before the step; change them in place. t counts the steps from 1.
// Matrices decay; a gain or a bias, which has one row, does not.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: A step of Nesterov's momentum, and one of AdamW
//! minutes: 35
//! needs:
//! done: m and v outlive the step, m̂ and v̂ do not; and λ goes past both.
#include "examples/exercises/rows.h"

void nesterov(In g, double lr, double mu, Out theta, Out u) {
  // blank: one step; u is remembered
  //! The gradient is 0 from now on. What becomes of u, and does θ still move?
  //! Each number of θ is on its own. First the new u, which is stored, and then θ, by the new u.
  //! With μ = 0 this is gradient descent. If every gradient is 1, u grows towards 1 / (1 − μ).
  //! u becomes μ times the old u plus g. θ loses lr times (g plus μ times the new u).
  for (int i = 0; i < g.rows; ++i) {
    for (int j = 0; j < g.columns; ++j) {
      u[i][j] = mu * u[i][j] + g[i][j];
      //~ 4 momentum/averaged: u[i][j] = mu * u[i][j] + (1 - mu) * g[i][j];
      //? After many steps of gradient 1: how large is your u, and how large is it by the formula?
      //= u ← μ u + (1 − μ) g: a mean of the gradients, not their sum
      //~ 5 (convention) momentum/lr-in-velocity: u[i][j] = mu * u[i][j] + lr * g[i][j];
      //= u holds lr g in place of g; the same steps, as long as lr stays
      //@ Sutskever et al.
      //~ 6 momentum/velocity-lost: u[i][j] = g[i][j];
      //? What did u hold before this step?
      //= u begins at 0 in every step
      //~ 7 momentum/velocity-not-stored:
      //? What will the next step find in u?
      //= the new u is used, and not stored
      //~ 9 momentum/undamped: u[i][j] = u[i][j] + g[i][j];
      //? If the gradient is 0 from now on, does the ball come to rest?
      //= u ← u + g, without μ: the velocity never fades
      //~ 10 momentum/lr-twice: u[i][j] = mu * u[i][j] + lr * g[i][j];
      //? How often does the rate multiply g on its way into θ?
      //= u holds lr g, and the step is multiplied by lr again
      //~ 11 momentum/new-damped: u[i][j] = mu * u[i][j] + mu * g[i][j];
      //? Does μ damp the old velocity, or also what is new?
      //= u ← μ (u + g): the new gradient is damped, too
      //~ 12 (convention) momentum/step-for-velocity: u[i][j] = mu * u[i][j] - lr * g[i][j];
      //= u holds the step itself, −lr g, and θ ← θ + μ u − lr g; the same steps, as long as lr stays
      //@ Keras
      //~ 15 momentum/mu-exchanged: u[i][j] = (1 - mu) * u[i][j] + mu * g[i][j];
      //? With μ = 0.9, how much of the old u stays?
      //= u ← (1 − μ) u + μ g
      //~ 16 momentum/gradient-subtracted: u[i][j] = mu * u[i][j] - g[i][j];
      //? If every gradient is 1, is u above or below 0?
      //= u ← μ u − g, and θ is moved as if u were a sum of gradients
      theta[i][j] -= lr * (g[i][j] + mu * u[i][j]);
      //~ 1 nesterov/not-ahead: theta[i][j] -= lr * u[i][j];
      //? By what does θ move: by the new u, or by g + μ u, a step further on?
      //= θ moves by lr u alone, as with plain momentum (g + μ u with the old u is the same)
      //~ 2 nesterov/sign: theta[i][j] -= lr * (g[i][j] - mu * u[i][j]);
      //? Do the gradient and the velocity push the same way?
      //= the velocity's part of the step has the other sign
      //@ PaddlePaddle/Paddle PR12231
      //~ 3 nesterov/mu-missing: theta[i][j] -= lr * (g[i][j] + u[i][j]);
      //? How much of the velocity is one step ahead?
      //= θ moves by g + u, without the μ before u
      //~ also momentum/lr-in-velocity: theta[i][j] -= lr * g[i][j] + mu * u[i][j];
      //~ also momentum/velocity-not-stored: theta[i][j] -= lr * (g[i][j] + mu * (mu * u[i][j] + g[i][j]));
      //~ 8 optim/uphill: theta[i][j] += lr * (g[i][j] + mu * u[i][j]);
      //? Does the loss fall along g, or against it?
      //= θ moves along the gradient, not against it
      //~ also momentum/step-for-velocity: theta[i][j] += mu * u[i][j] - lr * g[i][j];
      //~ 13 nesterov/velocity-without-lr: theta[i][j] -= lr * g[i][j] + mu * u[i][j];
      //? With a rate of 0, should θ still move?
      //= θ moves by lr g + μ u: the velocity is not multiplied by the rate
      //~ 14 nesterov/mu-on-gradient: theta[i][j] -= lr * (mu * g[i][j] + mu * u[i][j]);
      //? With μ = 0, does θ still move?
      //= θ moves by lr μ (g + u): the gradient is damped, too
      //~ 17 nesterov/velocity-unused: theta[i][j] -= lr * g[i][j];
      //? Does what u remembers move θ?
      //= θ moves by lr g alone: u is kept, and not used
    }
  }
  // end
}

void adamw(In g, int t, double lr, double beta1, double beta2, double eps, double decay, Out theta, Out m, Out v) {
  // blank: step number t; m and v are remembered
  //! If every gradient is 1, what is m after the first step, and what should it be?
  //! Each number of θ is on its own: the loop's body is the whole optimizer. First the memory, then the step.
  //! m and v begin at 0, so after t steps of gradient 1 they have reached only 1 − βᵗ. The decay knows nothing of either.
  //! Update m and v and store them; m̂ and v̂ are theirs over 1 − βᵗ, each with its β, and are not stored. Then θ loses lr m̂ / (√v̂ + ε),
  //!   and, in a matrix, lr λ times what it was before the step.
  //~ 9 adam/one-beta: beta2 = beta1;
  //? How many β are there?
  //= β₁ is used for v as well
  //~ 11 (convention) adam/beta-of-new:
  //| beta1 = 1 - beta1;
  //| beta2 = 1 - beta2;
  //= β is the share of the new gradient, everywhere
  //@ the Adam paper's first version
  //~ 30 adam/betas-exchanged: std::swap(beta1, beta2);
  //? β₁ = 0.9 and β₂ = 0.99: how much of a new gradient goes into m?
  //= β₁ and β₂ are exchanged: m has β₂, and v has β₁
  const double left1 = 1 - std::pow(beta1, t), left2 = 1 - std::pow(beta2, t);
  //~ 1 adam/correction-without-t: const double left1 = 1 - beta1, left2 = 1 - beta2;
  //? How much of m is still missing after ten steps?
  //~ 22 adam/correction-a-step-late: const double left1 = 1 - std::pow(beta1, t + 1), left2 = 1 - std::pow(beta2, t + 1);
  //? What is t in the first step?
  //= 1 − βᵗ⁺¹: the corrections are those of the next step
  //~ 23 adam/correction-a-step-early: const double left1 = 1 - std::pow(beta1, t - 1), left2 = 1 - std::pow(beta2, t - 1);
  //? What is t in the first step, and what is then 1 − βᵗ⁻¹?
  //= 1 − βᵗ⁻¹: the corrections are those of the step before
  //~ 24 adam/first-beta-in-v-hat: const double left1 = 1 - std::pow(beta1, t), left2 = 1 - std::pow(beta1, t);
  //? Which β says how much of v is still missing?
  //= v is corrected by 1 − β₁ᵗ
  //~ 25 adam/second-beta-in-m-hat: const double left1 = 1 - std::pow(beta2, t), left2 = 1 - std::pow(beta2, t);
  //? Which β says how much of m is still missing?
  //= m is corrected by 1 − β₂ᵗ
  //~ 34 adam/correction-of-new-share: const double left1 = 1 - std::pow(1 - beta1, t), left2 = 1 - std::pow(1 - beta2, t);
  //? After t steps, which share of the zeros that m began with is left: β₁ᵗ, or (1 − β₁)ᵗ?
  //= 1 − (1 − β)ᵗ, where 1 − βᵗ is meant: β is taken for the share of the new gradient
  //@ arctic-captions#36
  //~ 36 adam/power-of-difference: const double left1 = std::pow(1 - beta1, t), left2 = std::pow(1 - beta2, t);
  //? What is 1 − βᵗ for β = 0.9 and t = 2, and what is (1 − β)ᵗ?
  //= (1 − β)ᵗ, where 1 − βᵗ is meant
  for (int i = 0; i < g.rows; ++i) {
    for (int j = 0; j < g.columns; ++j) {
      //+ const double pull = theta.rows > 1 ? decay * theta[i][j] : 0;
      m[i][j] = beta1 * m[i][j] + (1 - beta1) * g[i][j];
      //~ 10 adam/betas-reversed: m[i][j] = (1 - beta1) * m[i][j] + beta1 * g[i][j];
      //? β₁ = 0.9: how much of the old m stays?
      //= m ← (1 − β) m + β g
      //@ mila-iqia/blocks#1159, PR1176
      //~ 12 resume/state-lost: m[i][j] = (1 - beta1) * g[i][j];
      //? What did m and v hold before this step?
      //= m and v begin at 0 in every step; so they do after a resume that does not load them
      //@ OpenNMT-py#617, KempnerForge#114
      //~ 13 adam/state-not-stored:
      //? What will the next step find in m and v?
      //= the new m and v are used, and not stored
      //~ 14 adamw/coupled: m[i][j] = beta1 * m[i][j] + (1 - beta1) * (g[i][j] + pull);
      //? Does λ θ pass through m and v?
      //~ 37 adam/m-summed: m[i][j] = beta1 * m[i][j] + g[i][j];
      //? Every gradient is 1: how large is m after many steps?
      //= m ← β₁ m + g, without 1 − β₁
      //~ 40 adam/memory-of-before:
      //? Which m and v move θ in the first step: zeros, or those that know g?
      //= θ moves by the m and v from before the step
      v[i][j] = beta2 * v[i][j] + (1 - beta2) * g[i][j] * g[i][j];
      //~ also adam/betas-reversed: v[i][j] = (1 - beta2) * v[i][j] + beta2 * g[i][j] * g[i][j];
      //~ also resume/state-lost: v[i][j] = (1 - beta2) * g[i][j] * g[i][j];
      //~ also adam/state-not-stored:
      //~ also adamw/coupled: v[i][j] = beta2 * v[i][j] + (1 - beta2) * (g[i][j] + pull) * (g[i][j] + pull);
      //~ 33 adam/v-of-mean: v[i][j] = beta2 * v[i][j] + (1 - beta2) * m[i][j] * m[i][j];
      //? Whose square does v average: that of g, or that of m?
      //= v is the mean of m², not of g²
      //~ 38 adam/v-summed: v[i][j] = beta2 * v[i][j] + g[i][j] * g[i][j];
      //? Every gradient is 1: how large is v after many steps?
      //= v ← β₂ v + g², without 1 − β₂
      //~ 39 adam/v-unsquared: v[i][j] = beta2 * v[i][j] + (1 - beta2) * g[i][j];
      //? g is −2: what goes into v?
      //= v is the mean of g, not of g²
      //~ 45 adam/v-of-size: v[i][j] = beta2 * v[i][j] + (1 - beta2) * std::abs(g[i][j]);
      //? g is −2: what goes into v?
      //= v is the mean of |g|, not of g²
      //~ also adam/memory-of-before:
      const double m_hat = m[i][j] / left1, v_hat = v[i][j] / left2;
      //~ 2 adam/correction-multiplied: const double m_hat = m[i][j] * left1, v_hat = v[i][j] * left2;
      //? m is too small at first. Does your correction make it larger?
      //~ 3 adam/correction-missing: const double m_hat = m[i][j], v_hat = v[i][j];
      //? m began at 0. How large is it after one step, if the gradient is 1?
      //= m and v are used as they are, without the correction
      //~ 4 adam/v-uncorrected: const double m_hat = m[i][j] / left1, v_hat = v[i][j];
      //? Which of the two means began at 0?
      //= only m is corrected, v is not
      //~ 5 adam/correction-kept: const double m_hat = m[i][j] / left1, v_hat = v[i][j] / left2;
      //| m[i][j] = m_hat;
      //| v[i][j] = v_hat;
      //? What will the next step find in m and v?
      //= the corrected values are stored in m and v, to be corrected again
      //~ also adam/state-not-stored: const double m_hat = (beta1 * m[i][j] + (1 - beta1) * g[i][j]) / left1, v_hat = (beta2 * v[i][j] + (1 - beta2) * g[i][j] * g[i][j]) / left2;
      //~ 21 adam/m-uncorrected: const double m_hat = m[i][j], v_hat = v[i][j] / left2;
      //? Which of the two means began at 0?
      //= only v is corrected, m is not
      //~ 27 adam/m-hat-kept: const double m_hat = m[i][j] / left1, v_hat = v[i][j] / left2;
      //| m[i][j] = m_hat;
      //? What will the next step find in m?
      //= m̂ is stored in m, to be corrected again
      //~ 28 adam/v-hat-kept: const double m_hat = m[i][j] / left1, v_hat = v[i][j] / left2;
      //| v[i][j] = v_hat;
      //? What will the next step find in v?
      //= v̂ is stored in v, to be corrected again
      //~ 35 adam/corrected-twice: const double m_hat = m[i][j] / left1 / left1, v_hat = v[i][j] / left2 / left2;
      //? How often do you divide by 1 − βᵗ?
      //= m and v are corrected twice
      //@ PennyLane#1928
      //~ also adam/memory-of-before: const double m_hat = m[i][j] / left1, v_hat = v[i][j] / left2;
      //| m[i][j] = beta1 * m[i][j] + (1 - beta1) * g[i][j];
      //| v[i][j] = beta2 * v[i][j] + (1 - beta2) * g[i][j] * g[i][j];
      //~ 41 adam/gradient-for-mean: const double m_hat = g[i][j], v_hat = v[i][j] / left2;
      //? What is m for?
      //= θ moves by g / √v̂: m is kept, and not used
      if (theta.rows > 1) theta[i][j] -= lr * decay * theta[i][j];
      //~ also adamw/coupled:
      //~ 15 adamw/decay-missing:
      //? What does λ do to a weight whose gradient is 0?
      //= nothing decays
      //~ 16 adamw/decay-without-theta: if (theta.rows > 1) theta[i][j] -= lr * decay;
      //? Should a large weight shrink more than a small one?
      //= λ is subtracted, not λ θ
      //@ torchopt PR14
      //~ 17 adamw/decay-without-lr: if (theta.rows > 1) theta[i][j] -= decay * theta[i][j];
      //? With a rate of 0, should θ still shrink?
      //= θ shrinks by λ θ, without the rate
      //@ tensorflow/addons#2282
      //~ 18 adamw/decay-after-step:
      //? Which θ decays: that from before the step, or the moved one?
      //= the decay is of the θ that has already moved
      //@ bitsandbytes#2010, cs336 assignment1#54
      //~ 19 optim/decays-gains: theta[i][j] -= lr * decay * theta[i][j];
      //? Which parameters should be drawn to 0, and which should not?
      //= gains and biases decay, too
      //@ lit-llama#254, Fast-LLM PR545, keras-bert#60
      //~ 26 adamw/decay-upwards: if (theta.rows > 1) theta[i][j] += lr * decay * theta[i][j];
      //? Does a weight whose gradient is 0 come nearer to 0?
      //= θ + lr λ θ: θ grows where it should shrink
      //~ 29 optim/gains-decay-alone: if (theta.rows == 1) theta[i][j] -= lr * decay * theta[i][j];
      //? Which parameters should be drawn to 0, and which should not?
      //= gains and biases decay, matrices do not: the condition is the other way round
      //~ 42 adamw/decay-in-fraction:
      //? Does a weight with large gradients shrink less than one with small ones?
      //= (m̂ + λ θ) / (√v̂ + ε): the decay is divided by √v̂ as well
      theta[i][j] -= lr * m_hat / (std::sqrt(v_hat) + eps);
      //~ 6 (convention) adam/eps-before-correction: theta[i][j] -= lr * m_hat / ((std::sqrt(v[i][j]) + eps) / std::sqrt(left2));
      //? Is ε added before the correction, or after it?
      //~ 7 adam/eps-inside-root: theta[i][j] -= lr * m_hat / std::sqrt(v_hat + eps);
      //? Where does ε stand: below the root, or beside it?
      //= √(v̂ + ε) in place of √v̂ + ε
      //~ 8 adam/root-missing: theta[i][j] -= lr * m_hat / (v_hat + eps);
      //? If all gradients are twice as large: how does your step change?
      //= divided by v̂, not by its root
      //~ also adamw/decay-after-step: theta[i][j] -= lr * m_hat / (std::sqrt(v_hat) + eps);
      //| if (theta.rows > 1) theta[i][j] -= lr * decay * theta[i][j];
      //~ 20 optim/uphill: theta[i][j] += lr * m_hat / (std::sqrt(v_hat) + eps);
      //= θ moves along the gradient, not against it
      //~ 31 adam/eps-behind-fraction: theta[i][j] -= lr * (m_hat / std::sqrt(v_hat) + eps);
      //? Which comes first in C++, / or +? What is divided by ε?
      //= m̂ / √v̂ + ε, where m̂ / (√v̂ + ε) is meant
      //~ 32 adam/eps-behind-fraction: theta[i][j] -= lr * m_hat / std::sqrt(v_hat) + eps;
      //~ also adamw/decay-in-fraction: theta[i][j] -= lr * (m_hat + pull) / (std::sqrt(v_hat) + eps);
      //~ 43 adam/lr-missing: theta[i][j] -= m_hat / (std::sqrt(v_hat) + eps);
      //? With a rate of 0, should θ still move?
      //= θ moves by m̂ / (√v̂ + ε), without the rate
      //~ 44 adam/eps-as-bound: theta[i][j] -= lr * m_hat / std::max(std::sqrt(v_hat), eps);
      //? √v̂ = 1 and ε = 0.01: by what is m̂ divided?
      //= max(√v̂, ε), where √v̂ + ε is meant
    }
  }
  // end
}
