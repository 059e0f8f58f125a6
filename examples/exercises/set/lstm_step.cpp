#include "examples/exercises/set/lstm_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/recurrent/cells.h"

namespace gradus::exercises::set {
namespace in_lstm_step {
namespace {

double logistic(double a) { return 1 / (1 + std::exp(-a)); }

// --- a step ----------------------------------------------------------------------------------------------------------------

enum Wrong { order_ifon, order_info, order_iofn, order_fino, neighbours, forget_bias, proposal_by_sigmoid, gates_by_tanh, shown_without_tanh,
             shows_old_cell, forget_inverted, coupled, not_gated, nothing_forgotten, hidden_ignored, bias_ignored, output_for_cell, first_text,
             shown_ungated, proposal_without_tanh, hidden_turned, input_ignored, terms_of_x_replaced, terms_of_h_replaced, cell_negative, input_weights_turned, hidden_weights_turned, gates_bare, input_coupled };

// Where i, f, n and o stand among the four, if the orders are the mistakes from number `first` on.
std::array<int, 4> order(Made made, std::size_t first) {
  if (made[first]) return {0, 1, 3, 2};
  if (made[first + 1]) return {0, 2, 1, 3};
  if (made[first + 2]) return {0, 2, 3, 1};
  if (made[first + 3]) return {1, 0, 2, 3};
  return {0, 1, 2, 3};
}

// What arrives at one of the four of unit j, in text t.
double arriving(const Probe& p, int t, int j, int place, Made made) {
  const In x = p.in("x"), h = p.in("h"), w = p.in("w"), u = p.in("u"), b = p.in("b");
  const int row = made[neighbours] ? 4 * j + place : place * h.columns + j;
  double a = made[bias_ignored] ? 0 : b[0][row];
  for (int m = 0; m < x.columns && !made[input_ignored]; ++m) a = (made[terms_of_x_replaced] ? 0 : a) + (made[input_weights_turned] ? w[m][row] : w[row][m]) * x[t][m];
  for (int m = 0; m < h.columns && !made[hidden_ignored]; ++m) {
    const double weight = made[hidden_turned] ? u[made[neighbours] ? 4 * m + place : place * h.columns + m][j] : made[hidden_weights_turned] ? u[m][row] : u[row][m];
    a = (made[terms_of_h_replaced] ? 0 : a) + weight * h[made[first_text] ? 0 : t][m];
  }
  return a;
}

Outputs step_with(const Probe& p, Made made) {
  const In h = p.in("h"), c = p.in("c");
  const std::array<int, 4> at = order(made, order_ifon);
  const auto gate = [&](double a) { return made[gates_by_tanh] ? std::tanh(a) : made[gates_bare] ? a : logistic(a); };
  const auto bent = [&](double a) { return made[proposal_without_tanh] ? a : made[proposal_by_sigmoid] ? logistic(a) : std::tanh(a); };
  Sheet h_sheet("h_new", p["h"].shape), c_sheet("c_new", p["c"].shape);
  for (int t = 0; t < h.rows; ++t) {
    for (int j = 0; j < h.columns; ++j) {
      const auto a = [&](std::size_t which) { return arriving(p, t, j, at[which], made); };
      const double i = gate(a(0)), f = gate(a(1) + (made[forget_bias] ? 1 : 0)), n = bent(a(2)), o = gate(a(3));
      const double kept = made[nothing_forgotten] ? 1 : made[coupled] ? 1 - i : made[forget_inverted] ? 1 - f : f;
      const double before = made[output_for_cell] ? h[t][j] : c[made[first_text] ? 0 : t][j];
      const double written = (made[cell_negative] ? -1 : 1) * (made[not_gated] ? n : made[input_coupled] ? (1 - f) * n : i * n);
      const double cell = kept * before + written, shown = made[shows_old_cell] ? before : cell;
      c_sheet.out()[t][j] = cell;
      h_sheet.out()[t][j] = (made[shown_ungated] ? 1 : o) * (made[shown_without_tanh] ? shown : std::tanh(shown));
    }
  }
  return {h_sheet.array(), c_sheet.array()};
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

// --- and its gradient --------------------------------------------------------------------------------------------------------

enum WrongGradient { next_cell_lost, gate_for_slope, slope_of_gate, no_slope, tanh_of_cell_lost, proposal_slope_lost, proposal_slope_of_sigmoid,
                     proposal_slope_unsquared, output_way_lost, cell_for_before, input_and_proposal, shown_for_cell, forget_lost,
                     before_from_next_alone, next_through_tanh, slope_of_old_cell, output_gate_lost, next_to_output, forget_by_new_output,
                     cell_slope_unsquared, forget_alone, g_order_ifon, g_order_info, g_order_iofn, g_order_fino, g_neighbours, g_forget_bias, g_gates_bare, cell_to_output };

double slope_of_sigmoid(double gate, Made made) {
  if (made[no_slope]) return 1;
  if (made[gate_for_slope]) return gate;
  const double at = made[slope_of_gate] ? logistic(gate) : gate;
  return at * (1 - at);
}

double slope_of_proposal(double n, Made made) {
  if (made[proposal_slope_lost]) return 1;
  if (made[proposal_slope_of_sigmoid]) return n * (1 - n);
  return made[proposal_slope_unsquared] ? 1 - n : 1 - n * n;
}

// A unit, and what is sent back to its h' and c'.
struct Unit {
  double i, f, n, o, before, g, next;
  double cell = 0, shown = 0, d = 0;  // c', tanh(c') and dL/dc'

  void step() { cell = f * before + i * n, show(std::tanh(cell)); }
  void show(double value) { shown = value, d = next + g * o * (1 - shown * shown); }
};
int column_of(const In& c, int which, int j, Made made) {
  const int place = order(made, g_order_ifon)[static_cast<std::size_t>(which)];
  return made[g_neighbours] ? 4 * j + place : place * c.columns + j;
}
Unit unit(const Probe& p, int t, int j, Made made = {}) {
  const In a = p.in("a"), c = p.in("c");
  const auto at = [&](int which) { return a[t][column_of(c, which, j, made)]; };
  const auto gate = [&](double sum) { return made[g_gates_bare] ? sum : logistic(sum); };
  Unit one{gate(at(0)), gate(at(1) + (made[g_forget_bias] ? 1 : 0)), std::tanh(at(2)), gate(at(3)), c[t][j], p.in("g")[t][j], p.in("gc")[t][j]};
  one.step();
  return one;
}

// dL/dc', of its two uses.
double of_cell(const Unit& s, Made made) {
  const double shown = std::tanh(made[slope_of_old_cell] ? s.before : s.cell);
  const double slope = made[tanh_of_cell_lost] ? 1 : 1 - (made[cell_slope_unsquared] ? shown : shown * shown), by_next = made[next_cell_lost] ? 0 : s.next;
  const double by_output = made[output_way_lost] ? 0 : s.g * (made[output_gate_lost] ? 1 : s.o) * slope;
  return by_output + by_next * (made[next_through_tanh] ? slope : 1);
}

Outputs gradient_with(const Probe& p, Made made) {
  const In c = p.in("c");
  Sheet a_sheet("da", p["a"].shape), c_sheet("dc", p["c"].shape);
  const Out da = a_sheet.out(), dc = c_sheet.out();
  for (int t = 0; t < c.rows; ++t) {
    for (int j = 0; j < c.columns; ++j) {
      const Unit s = unit(p, t, j, made);
      const double d = of_cell(s, made), to_output = made[cell_to_output] ? d : s.g + (made[next_to_output] ? s.next : 0);
      const auto gate = [&](int which) -> double& { return da[t][column_of(c, which, j, made)]; };
      gate(0) = d * (made[input_and_proposal] ? s.i : s.n) * slope_of_sigmoid(s.i, made);
      const double by_forget = made[forget_alone] ? 1 : made[cell_for_before] ? s.cell : made[forget_by_new_output] ? s.n : s.before;
      gate(1) = d * by_forget * slope_of_sigmoid(s.f, made);
      gate(2) = d * (made[input_and_proposal] ? s.n : s.i) * slope_of_proposal(s.n, made);
      gate(3) = to_output * (made[shown_for_cell] ? s.cell : std::tanh(s.cell)) * slope_of_sigmoid(s.o, made);
      dc[t][j] = (made[before_from_next_alone] ? s.next : d) * (made[forget_lost] ? 1 : s.f);
    }
  }
  return {a_sheet.array(), c_sheet.array()};
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
  return {name, {drawn("x", {batch, in}, seed, size, 0.3), drawn("h", {batch, hidden}, seed + 1, 0.6, 0.2), drawn("c", {batch, hidden}, seed + 2, 1.2, 0.5),
                 drawn("w", {4 * hidden, in}, seed + 3, 0.8, 0.1), drawn("u", {4 * hidden, hidden}, seed + 4, 0.8, -0.1),
                 drawn("b", {1, 4 * hidden}, seed + 5, 0.7, 0.3)}};
}

Probe gradient_probe(const std::string& name, int batch, int hidden, std::uint64_t seed, double size_of_g = 1, double size_of_gc = 1) {
  return {name, {drawn("a", {batch, 4 * hidden}, seed, 1.1, 0.2), drawn("c", {batch, hidden}, seed + 1, 1.2, 0.6),
                 drawn("g", {batch, hidden}, seed + 2, size_of_g, 0.3 * size_of_g), drawn("gc", {batch, hidden}, seed + 3, size_of_gc, -0.4 * size_of_gc)}};
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
      if (!(std::abs(got - expected) <= 1e-8 * (1 + std::abs(expected)))) return fmt::format("{} of row {} should be {}", beside(got, expected), t, beside(expected, got));
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
      if (!close(h[t][j], logistic(arriving(p, t, j, 3, {})) * std::tanh(c[t][j]), 1)) return false;
    }
  }
  return true;
}

// What a unit sends back: to the four sums, and to the cell before.
struct Sent {
  double i, f, n, o, before;
};

Sent sent_by(const Unit& s) {
  return {s.d * s.n * s.i * (1 - s.i), s.d * s.before * s.f * (1 - s.f), s.d * s.i * (1 - s.n * s.n), s.g * s.shown * s.o * (1 - s.o), s.d * s.f};
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
      piece_of_gradient("dL/da_i", [](Unit& s, Sent& got) { got.i = sent_by(s).i; }, "What does i multiply, and what is the slope of its sigmoid?"),
      piece_of_gradient("dL/da_f", [](Unit& s, Sent& got) { got.f = sent_by(s).f; }, "What does f multiply, and what is the slope of its sigmoid?"),
      piece_of_gradient("dL/da_n", [](Unit& s, Sent& got) { got.n = sent_by(s).n; }, "What does n multiply, and what is the slope of its tanh?"),
      piece_of_gradient("dL/da_o", [](Unit& s, Sent& got) { got.o = sent_by(s).o; }, "What does o multiply, and what is the slope of its sigmoid?"),
      piece_of_gradient("i", guess_i, "Which of the four sums is i made of, and by which function?"),
      piece_of_gradient("f", guess_f, "Which of the four sums is f made of, and by which function?"),
      piece_of_gradient("n", guess_n, "Which of the four sums is n made of, and by which function?"),
      piece_of_gradient("o", guess_o, "Which of the four sums is o made of, and by which function?"),
      piece_of_gradient("tanh(c')", guess_shown, "What is c' made of, and does tanh see all of it?"),
      piece_of_gradient("dL/dc', which i, f, n and dc share", guess_d, "c' is used twice: what does each use send back to it?"),
  };
}

Stage step_stage() {
  return {
      .function = "lstm_step",
      .right = right_step,
      .with = step_with,
      .mistakes =
          {
              {order_ifon, "lstm/order-ifon", "", "the gates stand in the order i, f, o, n", "", true},
              {order_info, "lstm/order-info", "", "the gates stand in the order i, n, f, o, as in TensorFlow's first cells", "", true},
              {order_iofn, "lstm/order-iofn", "", "the gates stand in the order i, o, f, n, as in ONNX", "", true},
              {order_fino, "lstm/order-fino", "", "the gates stand in the order f, i, n, o", "", true},
              {neighbours, "lstm/gates-interleaved", "", "the four gates of one unit are neighbours", "", true},
              {forget_bias, "lstm/forget-bias", "", "1 is added to the forget gate's sum, as in TensorFlow's first cells", "", true},
              {proposal_by_sigmoid, "lstm/proposal-by-sigmoid", "Can your cell become smaller than what the forget gate leaves of it?", "n is a sigmoid, not a tanh"},
              {gates_by_tanh, "lstm/gates-by-tanh", "Between which two numbers should a gate lie?", "i, f and o are tanh, not sigmoid"},
              {shown_without_tanh, "lstm/output-without-tanh", "How large can h' become?", "h' = o c', without tanh"},
              {shows_old_cell, "lstm/old-cell-shown", "Does h' know what this step has written?", "h' = o tanh(c), of the cell before the step"},
              {forget_inverted, "lstm/forget-inverted", "What is left of c where f is 1?", "(1 − f) c + i n"},
              {input_coupled, "lstm/input-coupled", "Which gate says how much of n is written?", "1 − f stands in the place of i, as in a GRU"},
              {coupled, "lstm/coupled-gates", "How many gates has this cell?", "(1 − i) c + i n: the forget gate is not used"},
              {not_gated, "lstm/input-gate-missing", "What is written where i is 0?", "f c + n: the input gate is not used"},
              {nothing_forgotten, "lstm/forget-gate-missing", "What is left of c where f is 0?", "c + i n: the forget gate is not used"},
              {hidden_ignored, "lstm/hidden-ignored", "How does the last step's output reach this one?", "W x + b, without U h"},
              {bias_ignored, "lstm/bias-ignored", "What arrives at the gates where x and h are 0?", "W x + U h, without b"},
              {output_for_cell, "lstm/output-for-cell", "Which of the two states does f multiply?", "f h + i n: the output stands where the cell should"},
              {first_text, "lstm/state-of-first-text", "Does the second text have its own h and c?", "every text goes on from the first one's state"},
              {shown_ungated, "lstm/output-gate-missing", "What is shown where o is 0?", "h' = tanh(c'): the output gate is not used"},
              {proposal_without_tanh, "lstm/proposal-without-tanh", "How much can one step write?", "n = a_n, without tanh"},
              {hidden_turned, "lstm/hidden-weights-transposed", "Which index of U belongs to what arrives?", "Uᵀ h in place of U h, for each of the four"},
              {input_ignored, "lstm/input-ignored", "What has the step read, if x has no part in it?", "U h + b, without W x"},
              {terms_of_x_replaced, "lstm/terms-of-x-replaced", "How many terms go into one sum? How many of them are in yours?", "in W x each term replaces what was summed before it"},
              {terms_of_h_replaced, "lstm/terms-of-h-replaced", "How many terms go into one sum? How many of them are in yours?", "in U h each term replaces what was summed before it"},
              {cell_negative, "lstm/written-subtracted", "Where n is above 0, should the cell grow or shrink?", "f c − i n"},
              {input_weights_turned, "lstm/w-transposed", "Which index of W counts the numbers of x?", "w[m][row] in place of w[row][m]"},
              {hidden_weights_turned, "lstm/u-transposed", "Which index of U counts the numbers of h?", "u[m][row] in place of u[row][m]"},
              {gates_bare, "lstm/gates-without-sigmoid", "Between which two numbers should a gate lie?", "i, f and o are the sums themselves, without sigmoid"},
          },
      .probes = {step_probe("one text, 2 numbers to 2 units", 1, 2, 2, 2301), step_probe("five texts, 3 numbers to 4 units", 5, 3, 4, 2311),
                 step_probe("three texts, 5 numbers to 2 units", 3, 5, 2, 2321), step_probe("two texts, x of size 20", 2, 4, 3, 2331, 20)},
      .laws = {{"a gate times a tanh is at most 1, so no number of h_new is larger", output_below_one, "What is the last thing that is done to c' before the gate o?"},
               {"a step writes at most 1, so no cell grows by more", cell_grows_by_one, "How large can f be, and how large i n?"}},
      .pieces = {{"c_new, and h_new is right for it", cell_alone_may_be_wrong, "Which of f, c, i and n is not what it should be?"}},
      .hints = {"Four sums arrive at one unit. In which rows of W, U and b do those of unit j stand?",
                "Units meet only in W x and U h. After these sums each unit is a small formula of four numbers and its cell.",
                "A gate lies between 0 and 1, n between −1 and 1. So no number of h' is larger than 1, and a cell grows by 1 at most.",
                "Row j makes a_i of unit j, row hidden + j its a_f, then come a_n and a_o. The new cell is f c + i n, and h' is o times its tanh."},
  };
}

Stage gradient_stage() {
  return {
      .function = "lstm_gradient",
      .right = right_gradient,
      .with = gradient_with,
      .mistakes =
          {
              {next_cell_lost, "lstm/next-cell-left-out", "How many uses has c'?", "the next step's part of dL/dc' is left out", "deeplearning4j#8838"},
              {gate_for_slope, "lstm/sigmoid-for-its-slope", "What is the slope of a gate that is fully open?", "a gate's value stands where its slope f (1 − f) should", "rnn_lstm_from_scratch#1, RNN-LSTM-in-numpy#1"},
              {slope_of_gate, "lstm/slope-of-gate", "Is f what goes into the sigmoid, or what comes out?", "the slope is taken at σ(f): sigmoid is applied twice"},
              {no_slope, "lstm/sigmoid-slope-missing", "What lies between a gate and what arrives at it?", "dL/di, dL/df and dL/do, without the slope of sigmoid"},
              {tanh_of_cell_lost, "lstm/cell-slope-missing", "What lies between c' and h'?", "g o, without the slope 1 − tanh² c'"},
              {proposal_slope_lost, "lstm/proposal-slope-missing", "What lies between n and what arrives at it?", "dL/dn, without the slope of tanh"},
              {proposal_slope_of_sigmoid, "lstm/proposal-slope-of-sigmoid", "Which function makes n?", "n (1 − n), which is the slope of a sigmoid"},
              {proposal_slope_unsquared, "lstm/proposal-slope-unsquared", "What is the slope of tanh at −3, and what is yours?", "1 − n, where 1 − n² is meant"},
              {output_way_lost, "lstm/output-way-missing", "How many uses has c'?", "h' is left out of dL/dc'"},
              {cell_for_before, "lstm/new-cell-for-old", "What does f multiply?", "dL/df = dL/dc' · c', with the cell after the step"},
              {input_and_proposal, "lstm/input-and-proposal-exchanged", "In a product, which factor does the gradient of i have?", "dL/di has the factor i, and dL/dn the factor n"},
              {cell_to_output, "lstm/cell-gradient-to-output", "Which of your sums has o as a factor: that of c', or that of h'?", "o gets the gradient of c', where that of h' is meant"},
              {shown_for_cell, "lstm/output-gate-of-cell", "What does o multiply?", "dL/do = g c', without tanh"},
              {forget_lost, "lstm/forget-missing-in-dc", "What does f multiply?", "dL/dc = dL/dc', without f"},
              {before_from_next_alone, "lstm/dc-of-next-alone", "Does c reach h'?", "dL/dc = f g_c, without what comes by way of h'"},
              {next_through_tanh, "lstm/next-cell-through-tanh", "Does what the next step sends pass through tanh?", "g_c is multiplied by the slope 1 − tanh² c' as well"},
              {slope_of_old_cell, "lstm/slope-at-old-cell", "Which cell does h' show?", "1 − tanh² c, of the cell before the step"},
              {output_gate_lost, "lstm/output-gate-missing-in-dc", "What stands before tanh(c') in h'?", "g (1 − tanh² c'), without o"},
              {next_to_output, "lstm/next-cell-to-output-gate", "Does o reach c'?", "dL/do has g_c in it"},
              {forget_by_new_output, "lstm/forget-has-proposal", "What does f multiply?", "dL/df = dL/dc' · n"},
              {cell_slope_unsquared, "lstm/cell-slope-unsquared", "What is the slope of tanh at −3, and what is yours?", "1 − tanh c', where 1 − tanh² c' is meant"},
              {forget_alone, "lstm/forget-without-cell", "What does f multiply?", "dL/df = dL/dc', without c"},
              {g_order_ifon, "lstm/order-ifon", "", "", "", true},
              {g_order_info, "lstm/order-info", "", "", "", true},
              {g_order_iofn, "lstm/order-iofn", "", "", "", true},
              {g_order_fino, "lstm/order-fino", "", "", "", true},
              {g_neighbours, "lstm/gates-interleaved", "", "", "", true},
              {g_forget_bias, "lstm/forget-bias", "", "", "", true},
              {g_gates_bare, "lstm/gates-without-sigmoid", "Are you given the gates, or the sums that they are made of?"},
          },
      .probes = {gradient_probe("one text, 2 units", 1, 2, 2401), gradient_probe("five texts, 3 units", 5, 3, 2411),
                 gradient_probe("three texts, 4 units, g = 0: the loss reads the last cell alone", 3, 4, 2421, 0),
                 gradient_probe("two texts, 5 units, gc = 0: the loss reads h' alone", 2, 5, 2431, 1, 0)},
      .laws = {{"f c is a product, so dL/da_f is dL/dc · c (1 − f)", forget_follows_cell, "What does f multiply, and what is the slope of its sigmoid?"},
               {"where g is 0, nothing has used the output gate, and it gets no gradient", output_gate_hears_output, "In which of the two new states is o?"}},
      .pieces = pieces_of_gradient(),
      .hints = {"c' is used twice: where? And what does each of the two uses send back?",
                "Nothing here meets another unit. Make i, f, n, o and c' once more, then go back from h' and c'.",
                "Gradients of several uses add. Begin with all of dL/dc': it goes on to c and to three of the gates. The fourth, o, gets its part from h'.",
                "dL/dc' = g_c + g o (1 − tanh² c'). Each factor of a product gets the other one; then comes the slope: f (1 − f) of a sigmoid, 1 − n² of a tanh."},
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
  return {[=](const Probe& p) {
            Sheet h("h_new", p["h"].shape), c("c_new", p["c"].shape);
            step(p.in("x"), p.in("h"), p.in("c"), p.in("w"), p.in("u"), p.in("b"), h.out(), c.out());
            return Outputs{h.array(), c.array()};
          },
          [=](const Probe& p) {
            Sheet da("da", p["a"].shape), dc("dc", p["c"].shape);
            gradient(p.in("a"), p.in("c"), p.in("g"), p.in("gc"), da.out(), dc.out());
            return Outputs{da.array(), dc.array()};
          }};
}

Exercise lstm_step_exercise() {
  return {
      .number = 22,
      .id = "lstm-step",
      .title = "One step of an LSTM, and its gradient",
      .section = "ch09-cells.md#model-lstm",
      .needs = {"activations"},
      .minutes = 40,
      .done = "The way from cell to cell has one factor, f, and neither a matrix nor a slope: that is why it lasts.",
      .stages = {in_lstm_step::step_stage(), in_lstm_step::gradient_stage()},
      .choices = in_lstm_step::choices(),
  };
}

}  // namespace gradus::exercises::set
