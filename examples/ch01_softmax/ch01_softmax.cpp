// ch01_softmax: scores become probabilities: three cliffs to NaN, what a shift changes and what not, cross-entropy, z-loss.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "core/tensor/half.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

// The formula as one would first write it, eˣ / Σ eˣ, in plain C++ numbers of type T. The last of three.
template <typename T> double naive_softmax(double x1, double x2, double x3) {
  const auto e = [](double x) { return static_cast<T>(std::exp(static_cast<Compute<T>>(x))); };
  return static_cast<double>(static_cast<T>(e(x3) / static_cast<T>(e(x1) + e(x2) + e(x3))));
}

// Where the naive softmax of [x-2, x-1, x] goes wrong, by bisection: first the sum is ∞ and the answer 0, from `zero` on;
// then e^x is, too, and ∞/∞ is no number, from `nan` on.
struct Cliff { double zero, nan; };

Cliff cliff(DType dtype) {
  const auto from = [&](auto wrong) {
    double right = 0, found = 1000;
    while (found - right > 1e-4) {
      const double x = (right + found) / 2;
      const double p = dispatch(dtype, [&]<typename T>() { return naive_softmax<T>(x - 2, x - 1, x); });
      (wrong(p) ? found : right) = x;
    }
    return found;
  };
  return {from([](double p) { return !(p > 0); }), from([](double p) { return std::isnan(p); })};
}

double last(const Tensor& p) { return p.at({p.size(-1) - 1}); }

void cliffs(Chapter& chapter, double shift) {
  chapter.tell(
      "softmax turns scores into probabilities: p_i = e^x_i / Σ e^x_j.\n"
      "Written down like that, it answers 0 where the sum overflows,\nand is no number where eˣ does:");
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    const auto [zero, nan] = cliff(dtype);
    chapter.tell(fmt::format("  {}: 0 from x = {:.2f}, NaN from x = {:.2f} on", dtype, zero, nan));
    chapter.number(fmt::format("cliff.{}", dtype), nan);
    chapter.number(fmt::format("zero.{}", dtype), zero);
  }
  std::vector<double> stable;
  for (double c = 0; c <= 1000; c += 20) stable.push_back(last(nn::softmax(tensor({c, c + 1, c + 2}))));
  chapter.number("stable", stable);
  const Tensor moved = nn::softmax(tensor({shift, shift + 1, shift + 2}, DType::f64));
  const Tensor still = nn::softmax(tensor({0, 1, 2}, DType::f64));
  chapter.number("shift.c", shift);
  chapter.number("shift.change_of_p", max(abs(moved - still)).item());
}

// Four numbers that can be checked on paper: x = [0, ln 2, ln 3], target 2.
void by_hand(Chapter& chapter) {
  Tensor x = tensor({0, std::log(2), std::log(3)}, DType::f64).set_requires_grad();
  const Tensor p = nn::softmax(x);
  const Tensor loss = nn::cross_entropy(unsqueeze(x, 0), tensor({2}, DType::i64));
  loss.backward();
  chapter.number("hand.p", {p.at({0}), p.at({1}), p.at({2})});
  chapter.number("hand.gradient", {x.grad().at({0}), x.grad().at({1}), x.grad().at({2})});
  chapter.number("hand.loss", loss.item());
}

// The lowest loss that can be reached when the scores given to cross-entropy are already probabilities: the target's at 1, all
// others at 0.
double floor_of_double_softmax(int64_t classes) {
  Tensor best = zeros({1, classes}, DType::f64);
  best.set({0, 0}, 1);
  return nn::cross_entropy(best, tensor({0}, DType::i64)).item();
}

void softmax_twice(Chapter& chapter) {
  for (const int64_t classes : {2, 10, 256, 50257}) {
    chapter.number(fmt::format("twice.floor_{}", classes), floor_of_double_softmax(classes));
  }
}

void z_loss(Chapter& chapter) {
  const Tensor scores = tensor({{2, -1, 0.5}}, DType::f64), target = tensor({0}, DType::i64);
  std::vector<double> shift, plain, with_z_loss;
  for (double c = -10; c <= 10; c += 0.5) {
    shift.push_back(c);
    plain.push_back(nn::cross_entropy(scores + c, target).item());
    with_z_loss.push_back(nn::cross_entropy(scores + c, target, {.z_loss = 0.01}).item());
  }
  const auto lowest = std::min_element(with_z_loss.begin(), with_z_loss.end()) - with_z_loss.begin();
  chapter.number("z_loss.log_z", logsumexp(scores, -1).item());
  chapter.number("z_loss.best_shift", shift[static_cast<std::size_t>(lowest)]);
  chapter.series("z_loss.shift", shift);
  chapter.series("z_loss.plain", plain);
  chapter.series("z_loss.with_z_loss", with_z_loss);
}

}  // namespace

int main(int argc, char** argv) {
  double shift = 100;
  const ChapterText text{"01", "Softmax", "Scores become probabilities by eˣ. What eˣ cannot hold, softmax must not ask of it.",
                         softmax_tape};
  return run_chapter(argc, argv, text, {{"--c", &shift, "a shift of all scores"}}, [&](Chapter& chapter) {
    chapter.ask({"You add 100 to every score. What happens to the probabilities?",
                 {"they grow by the factor e¹⁰⁰", "nothing", "the greatest gets almost all"},
                 1,
                 "The factor e¹⁰⁰ is above and below and cancels; only differences count"});
    cliffs(chapter, shift);
    by_hand(chapter);
    softmax_twice(chapter);
    z_loss(chapter);
    chapter.finish(fmt::format("{:.2f} nats: softmax before cross-entropy cannot get below", floor_of_double_softmax(256)));
  });
}
