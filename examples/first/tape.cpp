// tape: reverse mode by hand. Two walks back find 29 and 25 for one slope; the right one then fits a line.
#include <cstdio>
#include <vector>

// One number of a computation: what it was made of, and how fast it grows with each.
struct Entry {
  double value = 0;
  int inputs[2] = {-1, -1};   // their places on the tape; -1: none
  double slopes[2] = {0, 0};  // dvalue/dinput
  double gradient = 0;        // dy/dvalue, once a walk has been here
};
std::vector<Entry> tape;  // in the order of their making: an input stands before what is made of it

struct Number {
  int at;  // its place on the tape
};
Entry& entry(Number x) { return tape[static_cast<std::size_t>(x.at)]; }

Number record(const Entry& made) {
  tape.push_back(made);
  return {static_cast<int>(tape.size()) - 1};
}
Number leaf(double value) { return record({value}); }
Number operator+(Number a, Number b) {  // [op-add]
  return record({entry(a).value + entry(b).value, {a.at, b.at}, {1, 1}});
}
Number operator*(Number a, Number b) {  // [op-mul]
  return record({entry(a).value * entry(b).value, {a.at, b.at}, {entry(b).value, entry(a).value}});
}

// Wrong: whatever has arrived so far is handed on at once, and handed on again when more comes.
void hand_on(Number x, double arrived) {
  entry(x).gradient += arrived;
  for (int k : {0, 1}) {
    if (entry(x).inputs[k] >= 0) hand_on({entry(x).inputs[k]}, entry(x).gradient * entry(x).slopes[k]);
  }
}

// Right: from the newest to the oldest. All that was made of a number is newer: its gradient is complete at its turn.
void backward(Number y) {  // [ch00]
  for (Entry& each : tape) each.gradient = 0;
  entry(y).gradient = 1;
  for (int at = y.at; at >= 0; --at) {
    const Entry& made = entry({at});
    for (int k : {0, 1}) {
      if (made.inputs[k] >= 0) entry({made.inputs[k]}).gradient += made.gradient * made.slopes[k];
    }
  }
}

Number example(Number a, Number b) {
  Number s = a + b, p = a * b;
  return s + p + s * p;
}
double value_at(double a) { return entry(example(leaf(a), leaf(3))).value; }

int main() {
  Number a = leaf(2);
  Number y = example(a, leaf(3));
  hand_on(y, 1);
  std::printf("dy/da, handed on at once:     %g\n", entry(a).gradient);
  backward(y);
  std::printf("dy/da, newest to oldest:      %g\n", entry(a).gradient);
  std::printf("dy/da, a moved by ±0.001:     %g\n", (value_at(2.001) - value_at(1.999)) / 0.002);

  const double x[] = {0, 1, 2, 3}, target[] = {1, 3, 5, 7};
  double slope = 0, offset = 0;
  for (int step = 0; step < 200; ++step) {
    tape.clear();
    Number m = leaf(slope), c = leaf(offset), loss = leaf(0);
    for (int i = 0; i < 4; ++i) {
      Number error = m * leaf(x[i]) + c + leaf(-target[i]);
      loss = loss + error * error * leaf(0.25);  // [op-sum]
    }
    backward(loss);
    slope -= 0.1 * entry(m).gradient;  // [optim-sgd]
    offset -= 0.1 * entry(c).gradient;
  }
  std::printf("y = %.4f x + %.4f\n", slope, offset);
}
