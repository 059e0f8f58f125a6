#include <fmt/ranges.h>

#include <cmath>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/exercises/in_place/gpt.h"
#include "examples/exercises/in_place/learned.h"
#include "examples/exercises/in_place/prizes.h"
#include "examples/exercises/in_place/put.h"

namespace gradus::exercises::prizes {
namespace {

// The losses of a GPT's steps, with these parts.
std::vector<double> losses_of(const GptParts& parts, int steps) {
  std::vector<double> losses;
  learned(parts, steps, [&](int, double loss) { losses.push_back(loss); });
  return losses;
}

// The mean of the ten steps that end with this one.
double around(const std::vector<double>& losses, int step) {
  double sum = 0;
  for (int t = step - 10; t < step; ++t) sum += losses[static_cast<std::size_t>(t)] / 10;
  return sum;
}

std::string cross_entropy(const Functions& mine) {
  const Seen seen = learned()->seen_in(kLine);
  Tensor scores;
  for (const auto& [name, x] : seen) scores = name == "the scores" ? x : scores;
  std::string text =
      "The price of each byte of a line, in nats, for a GPT of 300 steps.\n"
      "A guess among 256 would cost 5.545.\n\n";
  for (int64_t t = 0; t + 1 < scores.size(0); ++t) {
    const char next = kLine[static_cast<std::size_t>(t + 1)];
    const Array target = array("target", {1}, {static_cast<double>(next)});
    const double price = called(mine[0], {array_of("z", slice(scores, 0, t, t + 1)), target, number("smoothing", 0)})[0].item();
    text += fmt::format("  {} {:6.3f}  {}\n", shown_byte(next), price, bar(price / 8));
  }
  return text;
}

std::string adamw(const Functions& mine) {
  constexpr int kSteps = 200;
  GptParts yours, plain;
  put::adamw(yours.whole, mine);
  plain.whole.descent.optimize = [](Optimized& p, int, double lr) { p.value -= 30 * lr * p.value.grad(); };
  const std::vector<double> by_yours = losses_of(yours, kSteps), by_plain = losses_of(plain, kSteps);
  std::string text =
      "The loss of a GPT, in nats, by your AdamW, and by plain descent at a rate 30\ntimes as high:\n\n"
      "   steps   plain descent   yours\n";
  for (int step = 20; step <= kSteps; step += 20) {
    text += fmt::format("  {:6} {:15.3f} {:7.3f}  {}\n", step, around(by_plain, step), around(by_yours, step),
                        bar(around(by_yours, step) / 5.6));
  }
  return text;
}

std::string clip_and_schedule(const Functions& mine) {
  Parts parts;
  put::clip_and_schedule(parts, mine);
  std::string text = "Your rate, up for 10 steps, and down to a tenth of it:\n\n";
  for (int t = 1; t <= 60; t += t < 10 ? 3 : 5) {
    const double rate = parts.descent.rate(t, 10, 60, 1, 0.1);
    text += fmt::format("  step {:2} {:6.3f}  {}\n", t, rate, bar(rate));
  }
  text += "\nAnd gradients of two parameters before and after your clipping to a length of 1:\n\n";
  for (const double size : {0.1, 1.0, 100.0}) {
    Tensors parameters = {zeros({2}, DType::f64).set_requires_grad(), zeros({1}, DType::f64).set_requires_grad()};
    parameters[0].set_grad(size * tensor({3.0, 4.0}, DType::f64));
    parameters[1].set_grad(size * tensor({12.0}, DType::f64));
    parts.descent.clip(parameters, 1);
    const Tensor a = parameters[0].grad(), b = parameters[1].grad();
    text += fmt::format("  ({:6.1f} {:6.1f}), ({:6.1f})  →  ({:.4f} {:.4f}), ({:.4f})\n", 3 * size, 4 * size, 12 * size, a[0].item(),
                        a[1].item(), b[0].item());
  }
  return text;
}

std::string training_loop(const Functions& mine) {
  const std::vector<double> losses = held_out_losses(mine, 120);
  std::string text = "The loss of held-out text, in a GPT that your loop trains by plain descent:\n\n";
  for (std::size_t t = 0; t < losses.size(); t += 7) text += fmt::format("  step {:3} {:7.3f}  {}\n", t + 1, losses[t], bar(losses[t] / 6));
  return text;
}

std::string sampling(const Functions& mine) {
  GptParts parts;
  put::sampling(parts.whole, mine);
  const auto model = learned(parts);
  std::string text = "A GPT of 300 steps writes, and your function draws:\n";
  for (const double temperature : {0.3, 0.8, 1.5}) {
    text += fmt::format("\nat the temperature {}:\n", temperature);
    const std::string written = model->write(140, temperature);
    for (std::size_t i = 0; i < written.size(); ++i)
      text += (i % 70 == 0 ? "  " : "") + shown_byte(written[i]) + (i % 70 == 69 ? "\n" : "");
  }
  return text;
}

std::string ring_all_reduce(const Functions& mine) {
  std::vector<double> powers;
  for (double power : {1, 10, 100, 1000}) powers.insert(powers.end(), 4, power);
  std::string text = "Four ranks, each with its own power of ten in every part.\n";
  const auto add = [&](const char* when, const Tensor& x) {
    text += fmt::format("\n{}\n", when);
    for (int64_t r = 0; r < x.size(0); ++r) text += fmt::format("  rank {}   {:>6}\n", r, fmt::join(to_vector(x[r]), " "));
  };
  Tensor x = reshape(from_vector(powers, {16}), {4, 4});
  add("before:", x);
  x = called(mine[0], {array_of("x", x)})[0];
  add("after your reduce_scatter, part r is whole on rank r:", x);
  x = called(mine[1], {array_of("x", x)})[0];
  add("after your all_gather:", x);
  return text;
}

std::string tensor_parallel(const Functions& mine) {
  constexpr int kUnits = 48, kWidth = 12;
  const auto x = [](const char* name, std::vector<int> shape, std::uint64_t seed) { return drawn(name, std::move(shape), seed, 0.3); };
  std::string text =
      "A layer of 48 hidden units, of your parts. What a rank has of its weights, and\n"
      "how far the sum of all parts is from the layer of one rank:\n\n";
  Tensor alone;
  for (const int ranks : {1, 2, 3, 4, 6, 8, 12}) {
    const Tensor y = called(mine[2], {x("x", {3, kWidth}, 1), x("u", {kWidth, kUnits}, 2), x("a", {kUnits}, 3), x("v", {kUnits, kWidth}, 4),
                                      x("b", {kWidth}, 5), number("ranks", ranks), x("g", {3, kWidth}, 6)})[1];
    alone = ranks == 1 ? y : alone;
    text += fmt::format("  {:2} ranks {:6} weights  {:8.1e}  {}\n", ranks, (2 * kWidth + 1) * kUnits / ranks + kWidth,
                        max(abs(y - alone)).item(), bar(1.0 / ranks));
  }
  return text;
}

}  // namespace

const Table& around_a_model() {
  static const Table all = {{"cross-entropy", cross_entropy},    {"adamw", adamw},       {"clip-and-schedule", clip_and_schedule},
                            {"training-loop", training_loop},    {"sampling", sampling}, {"ring-all-reduce", ring_all_reduce},
                            {"tensor-parallel", tensor_parallel}};
  return all;
}

}  // namespace gradus::exercises::prizes
