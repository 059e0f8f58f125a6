#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/exercises/in_place/prizes.h"
#include "examples/exercises/in_place/put.h"
#include "examples/exercises/in_place/rule_check.h"
#include "examples/exercises/set/functions.h"
#include "examples/shared/data/corpus.h"
#include "nn/nn.h"

namespace gradus::exercises::prizes {
namespace {

Array row_of(const std::string& name, const std::vector<double>& numbers) {
  return array(name, {1, static_cast<int>(numbers.size())}, numbers);
}

Tensor row(const std::vector<double>& numbers) { return tensor_of(row_of("row", numbers)); }

std::string joined(const Tensor& x, const char* format = " {:7.3f}") {
  std::string text;
  for (int64_t i = 0; i < x.numel(); ++i) text += fmt::format(fmt::runtime(format), x.data<double>()[i]);
  return text;
}

double size_of(const Tensor& x) { return std::sqrt(mean(square(x)).item()); }

// A map of the plane from −1 to 1: the letter that `letter_at(x, y)` gives.
template <typename F> std::string map_of_plane(const F& letter_at) {
  std::string text;
  for (int i = 0; i < 18; ++i) {
    text += "  ";
    for (int j = 0; j < 44; ++j) text += letter_at(2 * j / 43.0 - 1, 1 - 2 * i / 17.0);
    text += "\n";
  }
  return text;
}

// 40 points of each of three arms.
std::pair<Tensor, Tensor> spiral() {
  std::vector<double> points;
  std::vector<int64_t> arms;
  for (int i = 0; i < 120; ++i) {
    const double r = 0.1 + 0.85 * (i / 3) / 40.0, angle = 2.1 * (i % 3) + 4 * r;
    points.insert(points.end(), {r * std::cos(angle), r * std::sin(angle)});
    arms.push_back(i % 3);
  }
  return {from_vector(points, {120, 2}), from_vector(arms, {120})};
}

// Both norms of rows that differ by a factor, or by what is added to each number.
template <typename F, typename G> std::string both_norms(const F& rms, const G& layer, const char* of_rms, const char* of_layer) {
  const Tensor x = row({1, -2, 3, 0.5});
  std::string text = fmt::format("  {:8}{:^32}  {:^32}\n", "", of_rms, of_layer);
  for (const auto& [name, changed] : {std::pair{"x", x}, {"1000 x", 1000 * x}, {"x / 1000", x / 1000}, {"x + 10", x + 10}}) {
    text += fmt::format("  {:8}{}  {}\n", name, joined(rms(changed)), joined(layer(changed)));
  }
  return text;
}

std::string rule_mul(const Functions& mine) {
  std::string text =
      "Two numbers look for the product 12: they go against the gradient of (ab - 12)²,\n"
      "which goes through ab by your rule.\n\n   step       a       b      ab\n";
  Tensor a = row({1}), b = row({2});
  for (int step = 0; step <= 40; ++step) {
    if (step % 8 == 0) text += fmt::format("  {:5}{}{}{}\n", step, joined(a), joined(b), joined(a * b));
    const Tensors back = gradients_by(mine[0], {array_of("g", 2 * (a * b - 12)), array_of("a", a), array_of("b", b)});
    a = a - 0.01 * back[0];
    b = b - 0.01 * back[1];
  }
  return text;
}

std::string rule_broadcast(const Functions& mine) {
  const Tensor table = reshape(row({7, 3, 5, 9, 6, 2, 4, 8, 11, 7, 9, 13}), {3, 4});
  Tensor of_row = zeros({3, 1}, DType::f64), of_column = zeros({1, 4}, DType::f64);
  for (int step = 0; step < 200; ++step) {
    const Array g = array_of("g", of_row + of_column - table);
    of_row = of_row - 0.1 * gradients_by(mine[0], {g, as_array("shape", of_row.shape())})[0];
    of_column = of_column - 0.1 * gradients_by(mine[0], {g, as_array("shape", of_column.shape())})[0];
  }
  std::string text =
      "A table is taken apart into a number for each row plus one for each column: what\n"
      "comes back to each is a sum, by your rule.\n\n          ";
  text += joined(of_column, " {:7.2f}") + "\n";
  for (int64_t i = 0; i < 3; ++i) text += fmt::format("  {:7.2f} {}\n", of_row[i].item(), joined(table[i], " {:7.0f}"));
  return text + fmt::format("\n  left over, at most: {:.4f}\n", max(abs(of_row + of_column - table)).item());
}

std::string rule_matmul(const Functions& mine) {
  Parts parts = library_parts();
  put::rule_matmul(parts, mine);
  Generator random(1);
  Tensors weights = {randn({3, 24}, DType::f64, random), 0.3 * randn({24, 3}, DType::f64, random)};
  for (Tensor& w : weights) w.set_requires_grad();
  const auto scores = [&](const Tensor& points) {
    const Tensor with_one = cat({points, ones({points.size(0), 1}, DType::f64)}, 1);
    return parts.product(nn::act::relu(parts.product(3 * with_one, weights[0])), weights[1]);
  };
  const auto [points, arms] = spiral();
  for (int step = 0; step < 400; ++step) {
    nn::cross_entropy(scores(points), arms).backward();
    const NoGrad off;
    for (Tensor& w : weights) w -= 0.3 * w.grad(), w.zero_grad();
  }
  const NoGrad off;
  const double right = sum(cast(argmax(scores(points), 1) == arms, DType::f64)).item();
  return fmt::format(
             "Two layers tell three arms of a spiral apart: {:.0f} of 120 points.\n"
             "Their weights learned through your rule.\n\n",
             right) +
         map_of_plane([&](double x, double y) { return ".o#"[argmax(scores(row({x, y})), 1).data<int64_t>()[0]]; });
}

std::string the_walk(const Functions& mine) {
  // a = 2, b = 3, s = a + b, p = a b, sp, s + p, y = s + p + sp; then y doubled twenty times.
  std::vector<double> inputs[2] = {{-1, -1, 0, 0, 2, 2, 4}, {-1, -1, 1, 1, 3, 3, 5}},
                      slopes[2] = {{0, 0, 1, 3, 6, 1, 1}, {0, 0, 1, 2, 5, 1, 1}};
  for (int i = 0; i < 20; ++i) {
    for (std::size_t k = 0; k < 2; ++k) inputs[k].push_back(6 + i), slopes[k].push_back(1);
  }
  const int n = static_cast<int>(inputs[0].size());
  const auto both = [&](const char* name, std::vector<double> first, const std::vector<double>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return array(name, {2, n}, first);
  };
  const auto walked = [&](int y) {
    return called(mine[0], {both("inputs", inputs[0], inputs[1]), both("slopes", slopes[0], slopes[1]), number("y", y),
                            row_of("before", std::vector<double>(static_cast<std::size_t>(n), 0.5))})[0];
  };
  const Tensor of_y = walked(6), doubled = walked(n - 1);
  std::string text = "Your walk over y = s + p + s p, with s = a + b, p = a b, a = 2, b = 3:\n\n";
  const char* const names[] = {"a", "b", "s", "p", "s p", "s + p", "y"};
  for (std::size_t i = 7; i-- > 0;) text += fmt::format("  dy/d({:5}) = {:3.0f}\n", names[i], of_y.data<double>()[i]);
  return text + fmt::format(
                    "\nWith y doubled 20 times, dy/da is {:.0f}, after {} entries. A recursion that\n"
                    "hands on at once would have come to *a* more than four million times.\n",
                    doubled.data<double>()[0], n);
}

std::string gradcheck(const Functions& mine) {
  std::string text = "Your check judges the rules of a GPT, as they are, and with a published mistake:\n\n";
  for (const Judged& one : judge_rules(mine)) text += fmt::format("  {:55} {}\n", one.rules, one.found_right ? "right" : "wrong");
  return text;
}

std::string softmax(const Functions& mine) {
  const std::string plays = examples::Corpus::shakespeare(1).train_text();
  std::array<double, 256> counts{};
  for (std::size_t i = 0; i + 1 < plays.size(); ++i) counts[static_cast<unsigned char>(plays[i + 1])] += plays[i] == 't' ? 1 : 0;
  const std::string bytes = "ho ea,irs";
  std::vector<double> scores;
  for (const char byte : bytes) scores.push_back(std::log(counts[static_cast<unsigned char>(byte)]));
  std::string text =
      "What comes after a t in Shakespeare: your softmax of the counts' logs, over\nthe temperature.\n\n"
      "       at 0.5                   at 1                     at 2\n";
  Tensors at;
  for (const double temperature : {0.5, 1.0, 2.0}) at.push_back(called(mine[0], {array_of("x", row(scores) / temperature)})[0]);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text += fmt::format("  {}", shown_byte(bytes[i]));
    for (const Tensor& p : at) {
      const double share = p.data<double>()[i];
      const std::string cells = bar(share, 16);
      text += fmt::format("    {:.3f} {:<16}", share, cells);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string activations(const Functions& mine) {
  std::string text = "Your functions and their slopes:\n\n       x      leaky    slope     SiLU    slope     GELU    slope\n";
  for (double x = -4; x <= 4; x += 1) {
    text += fmt::format("  {:6.1f}  ", x);
    for (std::size_t f = 0; f < 6; ++f) {
      std::vector<Array> inputs = {row_of("x", {x})};
      if (f % 2 == 1) inputs.insert(inputs.begin(), row_of("g", {1}));
      if (f < 2) inputs.push_back(number("slope", 0.1));
      text += fmt::format(" {:8.4f}", called(mine[f], inputs)[0].item());
    }
    text += "\n";
  }
  return text + "\nBoth smooth ones dip below 0, and their slopes rise above 1.\n";
}

std::string swiglu(const Functions& mine) {
  std::string text = "Your layer with one unit, W2 = W3 = 1, of x = 1: how far W1 opens the gate.\n\n     W1        y\n";
  for (double w1 = -4; w1 <= 4; w1 += 1) {
    const Array one = array("w2", {1, 1}, {1}), x = array("x", {1, 1, 1}, {1});
    const double y = called(mine[0], {x, array("w1", {1, 1}, {w1}), one, array("w3", {1, 1}, {1}), array("g", {1, 1, 1}, {0})})[0].item();
    text += fmt::format("  {:5.1f} {:8.4f}  {}\n", w1, y, bar(y / 4));
  }
  return text;
}

std::string rms_norm(const Functions& mine) {
  const auto yours = [&](const Tensor& x) {
    return called(mine[0], {array_of("x", x), array_of("gain", ones_like(x)), number("eps", 1e-12)})[0];
  };
  return "Neither norm knows how large its row is. Only layer norm takes its mean away.\n\n" +
         both_norms(yours, [](const Tensor& x) { return nn::layer_norm(x, {4}, Tensor(), Tensor(), 1e-12); }, "your RMSNorm", "layer norm");
}

std::string layer_norm(const Functions& mine) {
  const auto yours = [&](const Tensor& x) {
    return called(mine[0], {array_of("x", x), array_of("gain", ones_like(x)), array_of("bias", zeros_like(x)), number("eps", 1e-12)})[0];
  };
  return "Neither norm knows how large its row is. Only layer norm takes its mean away.\n\n" +
         both_norms([](const Tensor& x) { return nn::rms_norm(x, Tensor(), 1e-12); }, yours, "RMSNorm", "your layer norm");
}

std::string batch_norm(const Functions& mine) {
  Generator random(1);
  Tensor mean = row({0}), variance = row({1});
  const Array gain = row_of("gain", {1}), bias = row_of("bias", {0});
  std::string text =
      "Batches of 32 numbers of mean 5 and variance 4. What yours has collected:\n\n"
      "  batches    mean  variance    7 in eval\n";
  for (int batch = 1; batch <= 64; ++batch) {
    const Tensor x = 5 + 2 * randn({32, 1}, DType::f64, random);
    const Tensors after = called(mine[0], {array_of("x", x), gain, bias, number("eps", 1e-5), number("momentum", 0.1),
                                           array_of("mean", mean), array_of("variance", variance), number("samples", 32)});
    mean = after[1];
    variance = after[2];
    if ((batch & (batch - 1)) != 0) continue;
    const Tensor seven =
        called(mine[1], {row_of("x", {7}), array_of("mean", mean), array_of("variance", variance), gain, bias, number("eps", 1e-5)})[0];
    text += fmt::format("  {:7} {:7.3f} {:9.3f} {:12.3f}\n", batch, mean.item(), variance.item(), seven.item());
  }
  return text + "\n7 is one standard deviation above the mean: 1 is right.\n";
}

std::string block(const Functions& mine) {
  Generator random(1);
  const auto deep = own<set::PlacedDeep>(mine[2]);
  const set::Part norm = [](const Tensor& x) { return nn::rms_norm(x, Tensor(), 1e-6); };
  std::string text =
      "Random sublayers: how large the stream is after them, and how large the\n"
      "gradient that comes back to its beginning.\n\n  blocks       pre-norm            post-norm           DeepNorm\n"
      "           stream  gradient    stream  gradient    stream  gradient\n";
  for (const int count : {1, 4, 16, 32}) {
    text += fmt::format("  {:6} ", count);
    for (std::size_t kind = 0; kind < 3; ++kind) {
      Tensor start = randn({8, 16}, DType::f64, random);
      start.set_requires_grad();
      Tensor x = start;
      for (int i = 0; i < count; ++i) {
        const Tensor w1 = randn({16, 16}, DType::f64, random) / 4, w2 = randn({16, 16}, DType::f64, random) / 4;
        const set::Part f1 = [=](const Tensor& h) { return matmul(h, w1); }, f2 = [=](const Tensor& h) { return matmul(h, w2); };
        x = kind == 2 ? deep(x, f1, f2, norm, norm, std::pow(2.0 * count, 0.25)) : own<set::Placed>(mine[kind])(x, f1, f2, norm, norm);
      }
      text += fmt::format("{:8.2f} {:9.4f}   ", size_of(x), size_of(grad({sum(x * randn({8, 16}, DType::f64, random))}, {start})[0]));
    }
    text += "\n";
  }
  return text;
}

std::string lstm_step(const Functions& mine) {
  std::string text =
      "Your cell has a 1 to keep, and reads nothing: what is left of it, by the bias\nof the forget gate.\n\n"
      "  steps    bias 0   bias 2   bias 4   bias 8\n";
  const double biases[] = {0, 2, 4, 8};
  std::array<Tensor, 4> h, c;
  h.fill(row({0}));
  c.fill(row({1}));
  for (int step = 1; step <= 64; ++step) {
    std::string line = fmt::format("  {:5} ", step);
    for (std::size_t i = 0; i < 4; ++i) {
      const Array nothing = array("w", {4, 1}, {0, 0, 0, 0});
      const Tensors after = called(mine[0], {row_of("x", {0}), array_of("h", h[i]), array_of("c", c[i]), nothing,
                                             array("u", {4, 1}, {0, 0, 0, 0}), row_of("b", {0, biases[i], 0, 0})});
      h[i] = after[0];
      c[i] = after[1];
      line += fmt::format(" {:8.4f}", c[i].item());
    }
    if ((step & (step - 1)) == 0) text += line + "\n";
  }
  return text;
}

}  // namespace

const Table& of_layers() {
  static const Table all = {{"rule-mul", rule_mul},
                            {"rule-broadcast", rule_broadcast},
                            {"rule-matmul", rule_matmul},
                            {"the-walk", the_walk},
                            {"gradcheck", gradcheck},
                            {"softmax", softmax},
                            {"activations", activations},
                            {"swiglu", swiglu},
                            {"rms-norm", rms_norm},
                            {"layer-norm-gradient", layer_norm},
                            {"batch-norm-running", batch_norm},
                            {"block", block},
                            {"lstm-step", lstm_step}};
  return all;
}

}  // namespace gradus::exercises::prizes
