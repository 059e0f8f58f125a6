#include "examples/exercises/in_place/scalar_net.h"

#include <cmath>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"

namespace gradus::exercises {
namespace {

// Numbers in the order of their making, each with its two inputs and how fast it grows with them.
class Tape {
 public:
  int leaf(double value) { return push(value, {-1, 0}, {-1, 0}); }
  int add(int a, int b) { return push(at(a) + at(b), {a, 1}, {b, 1}); }
  int multiply(int a, int b) { return push(at(a) * at(b), {a, at(b)}, {b, at(a)}); }
  int tanh(int a) {
    const double y = std::tanh(at(a));
    return push(y, {a, 1 - y * y}, {-1, 0});
  }
  double at(int entry) const { return values_[static_cast<std::size_t>(entry)]; }

  // dy/d(entry) of every entry.
  Tensor walked(const Function& walk, int y) const {
    const int n = static_cast<int>(values_.size());
    const auto both = [&](const char* name, std::vector<double> first, const std::vector<double>& second) {
      first.insert(first.end(), second.begin(), second.end());
      return array(name, {2, n}, std::move(first));
    };
    return called(walk, {both("inputs", inputs_[0], inputs_[1]), both("slopes", slopes_[0], slopes_[1]), number("y", y),
                         array("before", {1, n}, std::vector<double>(values_.size(), 0.5))})[0];
  }

 private:
  struct Use {
    int input;
    double slope;
  };
  int push(double value, Use first, Use second) {
    const Use uses[] = {first, second};
    for (std::size_t k = 0; k < 2; ++k) {
      inputs_[k].push_back(uses[k].input);
      slopes_[k].push_back(uses[k].slope);
    }
    values_.push_back(value);
    return static_cast<int>(values_.size()) - 1;
  }

  std::vector<double> values_, inputs_[2], slopes_[2];
};

// score = Σ v_i tanh(a_i x + b_i y + c_i) + d, of a point (x, y).
class ScalarNet : public Learner {
 public:
  explicit ScalarNet(Function walk) : walk_(std::move(walk)) {
    make("the hidden weights", {3, kUnits}, 1);
    make("the outer weights", {1, kUnits + 1}, 0.5);
  }

  Tensor loss() override {
    Tape tape;
    for (const Tensor& parameter : values()) {
      for (int64_t i = 0; i < parameter.numel(); ++i) tape.leaf(parameter.data<double>()[i]);
    }
    const int y = put_loss_on(tape);
    return record_joint("scalar_net", full({}, tape.at(y), DType::f64), values(), [=, walk = walk_](const Step& step) {
      const Tensor slopes = step.grad * tape.walked(walk, y);
      return Tensors{reshape(slice(slopes, 1, 0, 3 * kUnits), {3, kUnits}), slice(slopes, 1, 3 * kUnits, 4 * kUnits + 1)};
    });
  }

 private:
  static constexpr int kUnits = 6;

  // The mean over 25 points of (score − 1)² within the circle, and of (score + 1)² outside.
  static int put_loss_on(Tape& tape) {
    int sum = tape.leaf(0);
    for (double x = -1; x <= 1; x += 0.5) {
      for (double y = -1; y <= 1; y += 0.5) {
        const double wanted = x * x + y * y < 1 ? 1 : -1;
        const int error = tape.add(score(tape, tape.leaf(x), tape.leaf(y)), tape.leaf(-wanted));
        sum = tape.add(sum, tape.multiply(error, error));
      }
    }
    return tape.multiply(sum, tape.leaf(1.0 / 25));
  }

  static int score(Tape& tape, int x, int y) {
    const int outer = 3 * kUnits;  // where the outer weights begin
    int sum = outer + kUnits;
    for (int i = 0; i < kUnits; ++i) {
      const int along = tape.add(tape.multiply(i, x), tape.multiply(kUnits + i, y));
      sum = tape.add(sum, tape.multiply(outer + i, tape.tanh(tape.add(along, 2 * kUnits + i))));
    }
    return sum;
  }

  Function walk_;
};

}  // namespace

Training train_scalar_net(const Function& walk, int steps, const Tell& tell) {
  ScalarNet net(walk);
  return train(net, library_descent(), steps, tell);
}

}  // namespace gradus::exercises
