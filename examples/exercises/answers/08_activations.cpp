// Exercise 8, activations: three of them, and their slopes.                                docs/ch02-smooth.md#act-silu
//
//   leaky ReLU   y = x where x > 0, slope · x elsewhere      docs/ch02.md#act-leaky-relu
//   SiLU         y = x σ(x)      σ(x) = 1 / (1 + e^-x)
//   GELU         y = x Φ(x)      Φ(x) = ½ (1 + erf(x / √2))  docs/ch02-smooth.md#act-gelu
//
// All arrays are [rows, columns], and each number is by itself. A gradient gets g = dL/dy and gives dL/dx. x may be ±800.
// For an In or Out x, x[i][j] is a number; x.rows and x.columns are its sizes.
//! title: Leaky ReLU, SiLU, GELU and their slopes
//! minutes: 30
//! needs:
//! done: x is used twice, as what passes and as what opens the gate: two ways, two terms.
#include "examples/exercises/rows.h"

void leaky_relu(In x, double slope, Out y) {
  // blank: y from x
  //! What comes out for 4, and for −4, if the slope is ¼?
  //! One loop over all numbers; the sign of x decides.
  //! Above 0 y is x itself; below it, a straight line through 0 with the slope.
  //! y = x where x > 0, slope · x elsewhere, whichever of the two is larger.
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] > 0 ? x[i][j] : slope * x[i][j];
    //~ 1 act/leaky-as-max: for (int j = 0; j < x.columns; ++j) y[i][j] = std::max(x[i][j], slope * x[i][j]);
    //? A slope of 1.5 and x = 1: which of x and 1.5 x is greater?
    //= max(x, slope · x), which is right for slopes up to 1 alone
    //@ chainer PR3179, Paddle PR26216
    //~ 2 act/leaky-without-leak: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] > 0 ? x[i][j] : 0;
    //? What comes out for x = −1?
    //= the slope is not used: plain ReLU
    //~ 3 act/leaky-slope-above: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] > 0 ? slope * x[i][j] : x[i][j];
    //? On which side of 0 does it leak?
    //= the slope is for x > 0
    //~ 4 act/slope-hard-coded: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] > 0 ? x[i][j] : 0.01 * x[i][j];
    //? What happens when somebody asks for another slope?
    //= a slope of 0.01, whatever is asked for
    //~ 5 act/leaky-of-size: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] > 0 ? x[i][j] : slope * std::abs(x[i][j]);
    //? Is y below 0 where x is?
    //= slope · |x| below 0
    //~ 6 act/leaky-slope-alone: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] > 0 ? x[i][j] : slope;
    //? Is y the same for all x below 0?
    //= the slope itself below 0, without x
    //~ 7 act/leaky-added: for (int j = 0; j < x.columns; ++j) y[i][j] = std::max(x[i][j], 0.0) + slope * x[i][j];
    //? What comes out for x = 1?
    //= the leak is added above 0 as well
    //~ 8 act/leaky-divided: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] > 0 ? x[i][j] : x[i][j] / slope;
    //? x is −2, the slope ¼. Is y −½, or −8?
    //= divided by the slope below 0
  }
  // end
}

void leaky_relu_gradient(In g, In x, double slope, Out dx) {
  // blank: dx from g and x; at x = 0 it is the slope from below
  //! x is 4, then −4, and grows by 0.1. How far does y move?
  //! The value asked for x; the gradient asks for x, too, and multiplies g.
  //! The slope of a straight line does not depend on how far along it one is. At 0 it is that from below.
  //! dx = g where x > 0, slope · g elsewhere.
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] > 0 ? g[i][j] : slope * g[i][j];
    //~ 1 act/leaky-slope-times-x: for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] > 0 ? g[i][j] : slope * x[i][j] * g[i][j];
    //? What is the derivative of slope · x?
    //= slope · x below 0: that is the value
    //@ Mocha.jl PR94
    //~ 2 act/leaky-as-relu: for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] > 0 ? g[i][j] : 0;
    //? Does the gradient leak, too?
    //= the value leaks, the gradient does not
    //@ FKB#15, stochman#10
    //~ 3 act/slope-hard-coded: for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] > 0 ? g[i][j] : 0.01 * g[i][j];
    //~ 4 act/leaky-slope-above: for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] > 0 ? slope * g[i][j] : g[i][j];
    //~ 5 act/gradient-is-value: for (int j = 0; j < x.columns; ++j) dx[i][j] = (x[i][j] > 0 ? x[i][j] : slope * x[i][j]) * g[i][j];
    //? The slope of a straight line: does it change with x?
    //= g times y, not g times the derivative
    //~ 6 act/without-g: for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] > 0 ? 1 : slope;
    //? What arrives from above?
    //= the derivative alone, without g
    //~ 7 (convention) act/leaky-kink: for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] >= 0 ? g[i][j] : slope * g[i][j];
    //= at x = 0 the slope from above, 1 (the task asks for the slope from below)
    //~ 8 act/side-by-g: for (int j = 0; j < x.columns; ++j) dx[i][j] = g[i][j] > 0 ? g[i][j] : slope * g[i][j];
    //? Whose sign decides: that of x, or that of g?
    //= g > 0 is asked, not x > 0
    //~ 9 act/leaky-slope-negated: for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] > 0 ? g[i][j] : -slope * g[i][j];
    //? Does y grow with x below 0?
    //= minus the slope below 0
    //~ 10 act/g-on-one-side: for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] > 0 ? 1 : slope * g[i][j];
    //? What arrives from above: on which side of 0?
    //= g is used on one side of 0 alone
    //~ 11 act/g-on-one-side: for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] > 0 ? g[i][j] : slope;
    //~ 12 act/leaky-flat-at-0: for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] > 0 ? g[i][j] : x[i][j] < 0 ? slope * g[i][j] : 0;
    //? Which of your branches has x = 0?
    //= at x = 0 there is no slope at all, where the one from below is asked for
    //~ 13 act/leaky-x-for-g: for (int j = 0; j < x.columns; ++j) dx[i][j] = x[i][j] > 0 ? g[i][j] : slope * x[i][j];
    //? y = slope · x: what does a step of x do to y, and what does that do to the loss?
    //= slope · x below 0, where slope · g is meant
  }
  // end
}

void silu(In x, Out y) {
  // blank: y from x
  //! What comes out for 30, for −30, and for 0?
  //! Each number is by itself: one loop. The gate is between 0 and 1.
  //! For large negative x it is e^−x that overflows, and x over ∞ is 0, as it should be.
  //! y = x / (1 + e^−x).
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / (1 + std::exp(-x[i][j]));
    //~ 1 act/silu-without-x: for (int j = 0; j < x.columns; ++j) y[i][j] = 1 / (1 + std::exp(-x[i][j]));
    //? What is SiLU of 30?
    //= the sigmoid alone
    //~ 2 act/silu-of-minus: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / (1 + std::exp(x[i][j]));
    //? Is SiLU of 30 large, or nearly 0?
    //= x σ(−x)
    //~ 3 act/sigmoid-overflow: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * (std::exp(x[i][j]) / (1 + std::exp(x[i][j])));
    //? What is e^800 / (1 + e^800) for a computer?
    //= σ as e^x / (1 + e^x), which is ∞ / ∞ for large x
    //~ 4 act/silu-tanh: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * std::tanh(x[i][j]);
    //? Does the gate go from 0 to 1, or from −1 to 1?
    //= tanh in place of the sigmoid
    //~ 5 act/quick-gelu: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / (1 + std::exp(-1.702 * x[i][j]));
    //? Which number is x multiplied by inside of σ?
    //= x σ(1.702 x), which is QuickGELU
    //@ open_clip#771
    //~ 6 act/silu-as-relu: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] > 0 ? x[i][j] : 0;
    //? Where does the smooth curve come from?
    //= x times 0 or 1: that is ReLU
    //~ 7 act/sigmoid-twice: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / (1 + std::exp(-1 / (1 + std::exp(-x[i][j]))));
    //? How often does σ stand in the formula?
    //= σ of σ
    //~ 8 act/sigmoid-minus: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / (1 - std::exp(-x[i][j]));
    //? Is your σ between 0 and 1?
    //= σ as 1 / (1 − e^−x)
    //~ 9 act/gate-added: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] + 1 / (1 + std::exp(-x[i][j]));
    //? The gate is shut, σ = 0. What passes?
    //= x + σ(x), where the product is meant
    //~ 10 act/silu-precedence: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / 1 + std::exp(-x[i][j]);
    //? In x / 1 + e^−x, what is divided by what?
    //= x / 1 + e^−x: the brackets below the line are missing
    //~ 11 act/silu-softplus: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * std::log(1 + std::exp(x[i][j]));
    //? Can the gate be larger than 1?
    //= the gate is log(1 + e^x)
  }
  // end
}

void silu_gradient(In g, In x, Out dx) {
  // blank: x is used twice
  //! What is the slope far to the right, far to the left, and at 0?
  //! s = σ(x) first, at x and not at y; then two terms.
  //! x is used twice, as a factor and in the gate: by the product rule the slope is the gate plus x times the gate's slope.
  //! dx = g (σ + x σ (1 − σ)).
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) {
      const double s = 1 / (1 + std::exp(-x[i][j]));
      //~ 12 act/sigmoid-overflow: const double s = std::exp(x[i][j]) / (1 + std::exp(x[i][j]));
      dx[i][j] = g[i][j] * (s + x[i][j] * s * (1 - s));
      //~ 1 act/derivative-of-output:
      //| const double y = x[i][j] * s, t = 1 / (1 + std::exp(-y));
      //| dx[i][j] = g[i][j] * (t + y * t * (1 - t));
      //? At which point is the derivative taken: at x, or at y?
      //= the derivative is taken at y, not at x
      //@ neural2d#40, Neural-Network-p5#22
      //~ 2 act/gate-held-constant: dx[i][j] = g[i][j] * s;
      //? x is used twice. Where do both ways arrive?
      //= g times the gate: the way through the gate is missing
      //~ 3 act/value-held-constant: dx[i][j] = g[i][j] * x[i][j] * s * (1 - s);
      //? x is used twice. Where do both ways arrive?
      //= g x times the slope of the gate: the way through the factor x is missing
      //~ 4 act/silu-second-without-x: dx[i][j] = g[i][j] * (s + s * (1 - s));
      //? What multiplies the gate?
      //= the second term lacks x
      //~ 5 act/sigmoid-slope-without-s: dx[i][j] = g[i][j] * (s + x[i][j] * (1 - s));
      //? What is the slope of σ far to the left?
      //= σ′ = 1 − σ: a factor σ is missing
      //~ 6 act/sigmoid-slope-of-tanh: dx[i][j] = g[i][j] * (s + x[i][j] * (1 - s * s));
      //? Whose slope is 1 − y²?
      //= σ′ = 1 − σ²
      //~ 7 act/sigmoid-slope-of-x: dx[i][j] = g[i][j] * (s + x[i][j] * x[i][j] * (1 - x[i][j]));
      //? In σ′ = s (1 − s): what is s?
      //= σ′ = x (1 − x)
      //@ neural2d#40
      //~ 8 act/silu-gradient-sign: dx[i][j] = g[i][j] * (s - x[i][j] * s * (1 - s));
      //? Where x > 0, does a larger gate make y larger?
      //= the second term has the other sign
      //~ 9 act/slope-of-exponentials:
      //| const double e = std::exp(-x[i][j]);
      //| dx[i][j] = g[i][j] * (s + x[i][j] * (e / ((1 + e) * (1 + e))));
      //? What is e^800 / (e^800)² for a computer?
      //= σ′ as e^−x / (1 + e^−x)², which is ∞ / ∞ far to the left
      //@ candle PR1722, snntorch PR433
      //~ 10 act/gradient-is-value: dx[i][j] = g[i][j] * x[i][j] * s;
      //? What is the slope of SiLU at 0?
      //~ 11 act/without-g: dx[i][j] = s + x[i][j] * s * (1 - s);
      //~ 13 act/g-for-one-term: dx[i][j] = g[i][j] * s + x[i][j] * s * (1 - s);
      //? Which terms does g multiply?
      //= g multiplies the first term alone
      //~ 14 act/silu-bracket: dx[i][j] = g[i][j] * (s + x[i][j]) * s * (1 - s);
      //? What does σ′ multiply: x, or σ + x?
      //= (σ + x) σ (1 − σ): the bracket closes too early
      //~ 15 act/sigmoid-slope-of-sigmoid: dx[i][j] = g[i][j] * s * (1 + x[i][j]);
      //? What is the slope of σ far to the right?
      //= σ′ = σ: the factor 1 − σ is missing
      //~ 16 act/silu-y-for-sigmoid: dx[i][j] = g[i][j] * (s + x[i][j] * s * (1 - x[i][j] * s));
      //? Which of your y should be σ(x), and which x σ(x)?
      //= y = x σ(x) stands in the slope where σ(x) is meant
      //~ 17 act/silu-y-and-slope: dx[i][j] = g[i][j] * (x[i][j] * s + s * (1 - s));
      //? Which of the two terms has the x: that of σ, or that of its slope?
      //= y + σ (1 − σ), where σ + x σ (1 − σ) is meant
    }
  }
  // end
}

void gelu(In x, Out y) {
  // blank: y from x; std::erf is there
  //! What share of normal numbers lies below 0, and what comes out for 1? (Φ(1) is 0.8413.)
  //! Φ first, by std::erf, in real numbers; then times x.
  //! erf counts in units of √2 deviations, and goes from −1 to 1, where Φ goes from 0 to 1.
  //! y = x (1 + erf(x / √2)) / 2.
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * (1 + std::erf(x[i][j] / std::sqrt(2.0))) / 2;
    //~ 1 (convention) act/gelu-other:
    //| for (int j = 0; j < x.columns; ++j) {
    //|   y[i][j] = x[i][j] * (1 + std::tanh(std::sqrt(2 / M_PI) * (x[i][j] + 0.044715 * x[i][j] * x[i][j] * x[i][j]))) / 2;
    //| }
    //= the one by tanh, which GPT-2 means by GELU; it differs by up to 4.7·10⁻⁴
    //@ pocket-tts PR278, keras-bert#129
    //~ 2 act/quick-gelu: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] / (1 + std::exp(-1.702 * x[i][j]));
    //? Is the normal distribution a sigmoid?
    //~ 3 act/gelu-without-root: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * (1 + std::erf(x[i][j])) / 2;
    //? What stands inside of erf?
    //= erf(x), not erf(x / √2)
    //~ 4 act/gelu-without-half: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * (1 + std::erf(x[i][j] / std::sqrt(2.0)));
    //? What is Φ far to the right?
    //= 1 + erf, without the ½
    //~ 5 act/gelu-without-one: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * std::erf(x[i][j] / std::sqrt(2.0)) / 2;
    //? What is Φ(0)?
    //= ½ erf, without the 1
    //~ 6 act/gelu-density: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * std::exp(-x[i][j] * x[i][j] / 2) / std::sqrt(2 * M_PI);
    //? Which share of normal numbers lies below x: is it the height of the bell?
    //= the density φ(x) in place of the share Φ(x)
    //~ 7 act/gelu-above: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * (1 - std::erf(x[i][j] / std::sqrt(2.0))) / 2;
    //? Is GELU of 30 large, or nearly 0?
    //= the share above x, not below
    //~ 8 act/gelu-without-x: for (int j = 0; j < x.columns; ++j) y[i][j] = (1 + std::erf(x[i][j] / std::sqrt(2.0))) / 2;
    //? What is GELU of 30?
    //= Φ(x) alone
    //~ 9 act/gelu-root-multiplied: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * (1 + std::erf(x[i][j] * std::sqrt(2.0))) / 2;
    //? What stands inside of erf?
    //= erf(x √2), not erf(x / √2)
    //~ 10 act/gelu-two-for-root: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * (1 + std::erf(x[i][j] / 2)) / 2;
    //? What stands inside of erf?
    //= erf(x / 2), not erf(x / √2)
    //~ 11 act/whole-half: for (int j = 0; j < x.columns; ++j) y[i][j] = 1 / 2 * x[i][j] * (1 + std::erf(x[i][j] / std::sqrt(2.0)));
    //? What is 1 / 2 in C++?
    //= 1 / 2 of whole numbers, which is 0
    //~ 12 act/gelu-tanh-square:
    //| for (int j = 0; j < x.columns; ++j) {
    //|   y[i][j] = x[i][j] * (1 + std::tanh(std::sqrt(2 / M_PI) * (x[i][j] + 0.044715 * x[i][j] * x[i][j]))) / 2;
    //| }
    //? The tanh stands for erf, which is odd. Is your argument odd?
    //= 0.044715 x² inside of tanh, where x³ is meant
    //~ 13 act/gelu-tanh-root:
    //| for (int j = 0; j < x.columns; ++j) {
    //|   y[i][j] = x[i][j] * (1 + std::tanh(2 / M_PI * (x[i][j] + 0.044715 * x[i][j] * x[i][j] * x[i][j]))) / 2;
    //| }
    //? The slope of erf(x / √2) at 0 is √(2/π). And that of your tanh?
    //= 2/π inside of tanh, where √(2/π) is meant
    //~ 14 act/gelu-tanh-cube: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * (1 + std::tanh(std::sqrt(2 / M_PI) * x[i][j])) / 2;
    //? How far apart are tanh(√(2/π) x) and erf(x / √2) at x = 2?
    //= tanh without its cubic term
    //~ 15 act/gelu-tanh-constant:
    //| for (int j = 0; j < x.columns; ++j) {
    //|   y[i][j] = x[i][j] * (1 + std::tanh(std::sqrt(2 / M_PI) * (x[i][j] + 0.44715 * x[i][j] * x[i][j] * x[i][j]))) / 2;
    //| }
    //? How far apart are your tanh and erf(x / √2) at x = 1?
    //= 0.44715, where 0.044715 is meant
    //~ 16 act/gelu-precedence: for (int j = 0; j < x.columns; ++j) y[i][j] = x[i][j] * 1 + std::erf(x[i][j] / std::sqrt(2.0)) / 2;
    //? In x · 1 + erf / 2, what does x multiply?
    //= x · 1 + erf / 2: the brackets around 1 + erf are missing
  }
  // end
}

void gelu_gradient(In g, In x, Out dx) {
  // blank: the slope of Φ is the normal density; M_PI is π
  //! What is the slope far to the right, far to the left, and at 0?
  //! Φ and its slope φ, both at x; then two terms.
  //! As for SiLU: the gate, plus x times the gate's slope. The slope of a share is the density there.
  //! dx = g (Φ + x φ), with φ = e^(−x²/2) / √(2π).
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) {
      const double below = (1 + std::erf(x[i][j] / std::sqrt(2.0))) / 2;
      //~ 11 act/gelu-without-root: const double below = (1 + std::erf(x[i][j])) / 2;
      const double density = std::exp(-x[i][j] * x[i][j] / 2) / std::sqrt(2 * M_PI);
      //~ 7 act/density-without-factor: const double density = std::exp(-x[i][j] * x[i][j] / 2);
      //? φ(0) is 0.399. What is yours?
      //= the density without 1/√(2π)
      //~ 8 act/density-without-root: const double density = std::exp(-x[i][j] * x[i][j] / 2) / (2 * M_PI);
      //? φ(0) is 0.399. What is yours?
      //= 1/(2π) in place of 1/√(2π)
      //~ 9 act/density-without-half: const double density = std::exp(-x[i][j] * x[i][j]) / std::sqrt(2 * M_PI);
      //? φ(1) is 0.242. What is yours?
      //= e^(−x²), not e^(−x²/2)
      //~ 10 act/gelu-inner-derivative: const double density = std::exp(-x[i][j] * x[i][j] / 2) / std::sqrt(M_PI);
      //? erf is taken of x/√2. What does the chain rule add? (φ(0) is 0.399.)
      //= the 1/√2 of the chain rule, or the 2 in √(2π), is missing
      //~ 16 act/density-of-erf: const double density = 2 / std::sqrt(M_PI) * std::exp(-x[i][j] * x[i][j] / 2);
      //? Φ is ½ (1 + erf(x / √2)). What do the ½ and the 1/√2 make of the slope of erf?
      //= the slope of erf, 2/√π e^…, without the ½ and the 1/√2 of Φ
      //~ 17 act/density-halved: const double density = std::exp(-x[i][j] * x[i][j] / 2) / std::sqrt(2 * M_PI) / 2;
      //? φ(0) is 0.399. What is yours?
      //= half the density
      //~ 18 act/gelu-sigmoid-slope: const double density = below * (1 - below);
      //? Whose slope is s (1 − s)? Is Φ a sigmoid?
      //= the slope of Φ as Φ (1 − Φ)
      //~ 19 act/density-exponent: const double density = std::exp(x[i][j] * x[i][j] / 2) / std::sqrt(2 * M_PI);
      //? φ(1) is 0.242. What is yours?
      //= e^(+x²/2): the density grows far out
      dx[i][j] = g[i][j] * (below + x[i][j] * density);
      //~ 1 (convention) act/gelu-other:
      //| const double t = std::tanh(std::sqrt(2 / M_PI) * (x[i][j] + 0.044715 * x[i][j] * x[i][j] * x[i][j]));
      //| const double slope = (1 - t * t) / 2 * std::sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x[i][j] * x[i][j]);
      //| dx[i][j] = g[i][j] * ((1 + t) / 2 + x[i][j] * slope);
      //~ 2 act/quick-gelu:
      //| const double s = 1 / (1 + std::exp(-1.702 * x[i][j]));
      //| dx[i][j] = g[i][j] * (s + x[i][j] * 1.702 * s * (1 - s));
      //~ 3 act/derivative-of-output:
      //| const double y = x[i][j] * below;
      //| dx[i][j] = g[i][j] * ((1 + std::erf(y / std::sqrt(2.0))) / 2 + y * std::exp(-y * y / 2) / std::sqrt(2 * M_PI));
      //~ 4 act/gate-held-constant: dx[i][j] = g[i][j] * below;
      //~ 5 act/value-held-constant: dx[i][j] = g[i][j] * x[i][j] * density;
      //~ 6 act/gelu-second-without-x: dx[i][j] = g[i][j] * (below + density);
      //? What multiplies the gate?
      //= Φ + φ: the second term lacks x
      //~ 12 act/gelu-gradient-sign: dx[i][j] = g[i][j] * (below - x[i][j] * density);
      //? Where x > 0, does a larger Φ make y larger?
      //= Φ − x φ
      //~ 13 act/gradient-is-value: dx[i][j] = g[i][j] * x[i][j] * below;
      //? What is the slope of GELU at 0?
      //~ 14 act/without-g: dx[i][j] = below + x[i][j] * density;
      //~ 15 act/g-for-one-term: dx[i][j] = g[i][j] * below + x[i][j] * density;
    }
  }
  // end
}
