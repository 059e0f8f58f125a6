#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/lstm_step.h"
#include "nn/recurrent/cells.h"

namespace gradus::exercises::set {
namespace in_lstm_step {
namespace {

double logistic(double a) { return 1 / (1 + std::exp(-a)); }

// What arrives at the gate o of unit j, in text t.
double arriving_at_output(const Probe& p, int t, int j) {
  const In x = p.in("x"), h = p.in("h"), w = p.in("w"), u = p.in("u");
  const int row = 3 * h.columns + j;
  double a = p.in("b")[0][row];
  for (int m = 0; m < x.columns; ++m) a += w[row][m] * x[t][m];
  for (int m = 0; m < h.columns; ++m) a += u[row][m] * h[t][m];
  return a;
}

Outputs right_step(const Probe& p) {
  const Tensor x = tensor_of(p["x"]), h = tensor_of(p["h"]), c = tensor_of(p["c"]);
  nn::LSTM lstm(x.size(1), h.size(1));
  lstm.to(DType::f64);
  lstm.weight_ih = tensor_of(p["w"]);
  lstm.weight_hh = tensor_of(p["u"]);
  lstm.bias_ih = reshape(tensor_of(p["b"]), {4 * h.size(1)});
  lstm.bias_hh = zeros({4 * h.size(1)}, DType::f64);
  const nn::RecurrentState last = lstm(unsqueeze(x, 1), {h, c}).last;
  return {array_of("h_new", last.hidden), array_of("c_new", last.cell)};
}

// A unit, and what is sent back to its h' and c'.
struct Unit {
  double i, f, n, o, before, g, next;
  double cell = 0, shown = 0, d = 0;  // c', tanh(c') and dL/dc'

  void step() { cell = f * before + i * n, show(std::tanh(cell)); }
  void show(double value) { shown = value, d = next + g * o * (1 - shown * shown); }
};
Unit unit(const Probe& p, int t, int j) {
  const In a = p.in("a"), c = p.in("c");
  const auto at = [&](int which) { return a[t][which * c.columns + j]; };
  Unit one{logistic(at(0)), logistic(at(1)), std::tanh(at(2)), logistic(at(3)), c[t][j], p.in("g")[t][j], p.in("gc")[t][j]};
  one.step();
  return one;
}

// With W the identity and U = 0, what arrives at the gates is the input.
Outputs right_gradient(const Probe& p) {
  const Tensor a = tensor_of(p["a"]).set_requires_grad(), c = tensor_of(p["c"]).set_requires_grad();
  const int64_t all = a.size(1), hidden = c.size(1);
  nn::LSTM lstm(all, hidden);
  lstm.to(DType::f64);
  lstm.weight_ih = eye(all, all, DType::f64);
  lstm.weight_hh = zeros({all, hidden}, DType::f64);
  lstm.bias_ih = zeros({all}, DType::f64);
  lstm.bias_hh = zeros({all}, DType::f64);
  const nn::RecurrentState last = lstm(unsqueeze(a, 1), {zeros({c.size(0), hidden}, DType::f64), c}).last;
  const Tensors gradients = grad({last.hidden, last.cell}, {a, c}, {.seeds = {tensor_of(p["g"]), tensor_of(p["gc"])}});
  return {array_of("da", gradients[0]), array_of("dc", gradients[1])};
}

// --- probes and laws -----------------------------------------------------------------------------------------------------

Probe step_probe(const std::string& name, int batch, int in, int hidden, std::uint64_t seed, double size = 1) {
  return {name,
          {drawn("x", {batch, in}, seed, size, 0.3), drawn("h", {batch, hidden}, seed + 1, 0.6, 0.2),
           drawn("c", {batch, hidden}, seed + 2, 1.2, 0.5), drawn("w", {4 * hidden, in}, seed + 3, 0.8, 0.1),
           drawn("u", {4 * hidden, hidden}, seed + 4, 0.8, -0.1), drawn("b", {1, 4 * hidden}, seed + 5, 0.7, 0.3)}};
}

Probe gradient_probe(const std::string& name, int batch, int hidden, std::uint64_t seed, double size_of_g = 1, double size_of_gc = 1) {
  return {name,
          {drawn("a", {batch, 4 * hidden}, seed, 1.1, 0.2), drawn("c", {batch, hidden}, seed + 1, 1.2, 0.6),
           drawn("g", {batch, hidden}, seed + 2, size_of_g, 0.3 * size_of_g),
           drawn("gc", {batch, hidden}, seed + 3, size_of_gc, -0.4 * size_of_gc)}};
}

std::string output_below_one(const Probe&, const Outputs& outputs) {
  for (std::size_t i = 0; i < outputs[0].numbers.size(); ++i) {
    if (!(std::abs(outputs[0].numbers[i]) <= 1)) return fmt::format("number {} of h_new is {:.4g}", i, outputs[0].numbers[i]);
  }
  return "";
}

std::string cell_grows_by_one(const Probe& p, const Outputs& outputs) {
  for (std::size_t i = 0; i < outputs[1].numbers.size(); ++i) {
    const double before = p["c"].numbers[i], after = outputs[1].numbers[i];
    if (!(std::abs(after) <= std::abs(before) + 1)) return fmt::format("number {} of c is {:.4g}, of c_new {:.4g}", i, before, after);
  }
  return "";
}

// dL/df = dL/dc' · c and dL/dc = dL/dc' · f.
std::string forget_follows_cell(const Probe& p, const Outputs& outputs) {
  const In c = p.in("c"), da = in(outputs[0]), dc = in(outputs[1]);
  for (int t = 0; t < c.rows; ++t) {
    for (int j = 0; j < c.columns; ++j) {
      const double expected = dc[t][j] * c[t][j] * (1 - unit(p, t, j).f), got = da[t][c.columns + j];
      if (!(std::abs(got - expected) <= 1e-8 * (1 + std::abs(expected))))
        return fmt::format("{} of row {} should be {}", beside(got, expected), t, beside(expected, got));
    }
  }
  return "";
}

std::string output_gate_hears_output(const Probe& p, const Outputs& outputs) {
  const In g = p.in("g"), da = in(outputs[0]);
  for (int t = 0; t < g.rows; ++t) {
    for (int j = 0; j < g.columns; ++j) {
      const double got = da[t][3 * g.columns + j];
      if (g[t][j] == 0 && !(std::abs(got) < 1e-12)) return fmt::format("row {} has {:.4g}", t, got);
    }
  }
  return "";
}

// --- what is right but for one part ------------------------------------------------------------------------------------------

// Is h' what o tanh(c') is, with the c' of the answer?
bool cell_alone_may_be_wrong(const Probe& p, const Outputs& outputs) {
  const In h = in(outputs[0]), c = in(outputs[1]);
  for (int t = 0; t < h.rows; ++t) {
    for (int j = 0; j < h.columns; ++j) {
      if (!close(h[t][j], logistic(arriving_at_output(p, t, j)) * std::tanh(c[t][j]), 1)) return false;
    }
  }
  return true;
}

// What a unit sends back: to the four sums, and to the cell before.
struct Sent { double i, f, n, o, before; };

Sent sent_by(const Unit& s) {
  return {s.d * s.n * s.i * (1 - s.i), s.d * s.before * s.f * (1 - s.f), s.d * s.i * (1 - s.n * s.n), s.g * s.shown * s.o * (1 - s.o),
          s.d * s.f};
}

bool nearly_equal(const Sent& a, const Sent& b) {
  const auto near = [](double u, double v) { return std::abs(u - v) <= 1e-7 * (1 + std::abs(v)); };
  return near(a.i, b.i) && near(a.f, b.f) && near(a.n, b.n) && near(a.o, b.o) && near(a.before, b.before);
}

using Guess = void (*)(Unit& s, Sent& got);

// `guess` finds what a part of the unit must have been, and changes it, or sets right what was got of a part that nothing else
// depends on: is the answer that of such units?
bool right_but_for(const Probe& p, const Outputs& outputs, Guess guess) {
  const In c = p.in("c"), da = in(outputs[0]), dc = in(outputs[1]);
  for (int t = 0; t < c.rows; ++t) {
    for (int j = 0; j < c.columns; ++j) {
      const auto at = [&](int which) { return da[t][which * c.columns + j]; };
      Sent got{at(0), at(1), at(2), at(3), dc[t][j]};
      Unit s = unit(p, t, j);
      guess(s, got);
      if (!nearly_equal(got, sent_by(s))) return false;
    }
  }
  return true;
}

void guess_i(Unit& s, Sent& got) { s.i = got.n / (got.before / s.f * (1 - s.n * s.n)), s.step(); }
void guess_f(Unit& s, Sent& got) { s.f = got.before / (got.i / (s.n * s.i * (1 - s.i))), s.step(); }
void guess_n(Unit& s, Sent& got) { s.n = got.i / (got.before / s.f * s.i * (1 - s.i)), s.step(); }
void guess_o(Unit& s, Sent& got) {
  if (s.g != 0) s.o = (got.before / s.f - s.next) / (s.g * (1 - s.shown * s.shown));
  s.step();
}
void guess_shown(Unit& s, Sent& got) {
  if (s.g != 0) s.show(got.o / (s.g * s.o * (1 - s.o)));
}
void guess_d(Unit& s, Sent& got) { s.d = got.before / s.f; }

Piece piece_of_gradient(const std::string& name, Guess guess, const std::string& question) {
  return {name, [guess](const Probe& p, const Outputs& outputs) { return right_but_for(p, outputs, guess); }, question};
}

std::vector<Piece> pieces_of_gradient() {
  return {
      piece_of_gradient(
          "dL/da_i", [](Unit& s, Sent& got) { got.i = sent_by(s).i; }, "What does i multiply, and what is the slope of its sigmoid?"),
      piece_of_gradient(
          "dL/da_f", [](Unit& s, Sent& got) { got.f = sent_by(s).f; }, "What does f multiply, and what is the slope of its sigmoid?"),
      piece_of_gradient(
          "dL/da_n", [](Unit& s, Sent& got) { got.n = sent_by(s).n; }, "What does n multiply, and what is the slope of its tanh?"),
      piece_of_gradient(
          "dL/da_o", [](Unit& s, Sent& got) { got.o = sent_by(s).o; }, "What does o multiply, and what is the slope of its sigmoid?"),
      piece_of_gradient("i", guess_i, "Which of the four sums is i made of, and by which function?"),
      piece_of_gradient("f", guess_f, "Which of the four sums is f made of, and by which function?"),
      piece_of_gradient("n", guess_n, "Which of the four sums is n made of, and by which function?"),
      piece_of_gradient("o", guess_o, "Which of the four sums is o made of, and by which function?"),
      piece_of_gradient("tanh(c')", guess_shown, "What is c' made of, and does tanh see all of it?"),
      piece_of_gradient("dL/dc', which i, f, n and dc share", guess_d, "c' is used twice: what does each use send back to it?"),
  };
}

std::vector<Choice> choices() {
  const std::vector<std::string> both = {"lstm_step", "lstm_gradient"};
  return {{both,
           {{"", "has the gates in the order i, f, n, o"},
            {"lstm/order-ifon", "has the gates in the order i, f, o, n"},
            {"lstm/order-info", "has the gates in the order i, n, f, o"},
            {"lstm/order-iofn", "has the gates in the order i, o, f, n"},
            {"lstm/order-fino", "has the gates in the order f, i, n, o"}}},
          {both, {{"", "has a gate of all units together"}, {"lstm/gates-interleaved", "has the four gates of a unit together"}}},
          {both, {{"", "takes the forget gate's sum as it is"}, {"lstm/forget-bias", "adds 1 to the forget gate's sum"}}}};
}

}  // namespace
}  // namespace in_lstm_step

Functions lstm_step(void (*step)(In, In, In, In, In, In, Out, Out), void (*gradient)(In, In, In, In, Out, Out)) {
  return {by_names(step, {"x", "h", "c", "w", "u", "b", "h_new = h", "c_new = c"}),
          by_names(gradient, {"a", "c", "g", "gc", "da = a", "dc = c"})};
}

Exercise lstm_step_exercise() {
  using namespace in_lstm_step;
  return made_lstm_step::exercise(
      {
          {
              .right = right_step,
              .probes = {step_probe("one text, 2 numbers to 2 units", 1, 2, 2, 2301),
                         step_probe("five texts, 3 numbers to 4 units", 5, 3, 4, 2311),
                         step_probe("three texts, 5 numbers to 2 units", 3, 5, 2, 2321),
                         step_probe("two texts, x of size 20", 2, 4, 3, 2331, 20)},
              .laws = {{"a gate times a tanh is at most 1, so no number of h_new is larger", output_below_one,
                        "What is the last thing that is done to c' before the gate o?"},
                       {"a step writes at most 1, so no cell grows by more", cell_grows_by_one, "How large can f be, and how large i n?"}},
              .pieces = {{"c_new, and h_new is right for it", cell_alone_may_be_wrong, "Which of f, c, i and n is not what it should be?"}},
          },
          {
              .right = right_gradient,
              .probes = {gradient_probe("one text, 2 units", 1, 2, 2401), gradient_probe("five texts, 3 units", 5, 3, 2411),
                         gradient_probe("three texts, 4 units, g = 0: the loss reads the last cell alone", 3, 4, 2421, 0),
                         gradient_probe("two texts, 5 units, gc = 0: the loss reads h' alone", 2, 5, 2431, 1, 0)},
              .laws = {{"f c is a product, so dL/da_f is dL/dc · c (1 − f)", forget_follows_cell,
                        "What does f multiply, and what is the slope of its sigmoid?"},
                       {"where g is 0, nothing has used the output gate, and it gets no gradient", output_gate_hears_output,
                        "In which of the two new states is o?"}},
              .pieces = pieces_of_gradient(),
          },
      },
      in_lstm_step::choices());
}

}  // namespace gradus::exercises::set
