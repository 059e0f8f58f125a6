// What the grader calls: a student's function as one from named arrays to named arrays.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "examples/exercises/rows.h"

namespace gradus::exercises {

struct Array {
  std::string name;
  std::vector<int> shape;                     // {} for a number
  std::vector<double> numbers;                // row-major
  bool operator==(const Array& other) const;  // the same bits
};
Array number(const std::string& name, double value);
Array array(const std::string& name, std::vector<int> shape, std::vector<double> numbers);

// One call: the inputs of a function.
struct Probe {
  std::string name;  // in words: "one row of 3"
  std::vector<Array> inputs;

  const Array& operator[](const std::string& input) const;
  double number(const std::string& input) const { return (*this)[input].numbers.at(0); }
  int whole(const std::string& input) const { return static_cast<int>(number(input)); }
  In in(const std::string& input) const;  // its last axis as columns, all others as rows
};

int columns_of(const Array& array);            // its last axis
int rows_of(const Array& array);               // all others
double largest(const Array& array);            // the size of its largest finite number
bool close(double a, double b, double scale);  // to a billionth of `scale`; NaN is close to NaN, ∞ to ∞, what is never written to itself
In in(const Array& array);                     // both

using Outputs = std::vector<Array>;
using Function = std::function<Outputs(const Probe&)>;
using Functions = std::vector<Function>;  // one for each stage of an exercise

// A function of more than arrays, such as of a model's parts, with what calls it on a probe's. as_written finds it again.
template <typename F> struct Written {
  F* function;
  Function on_probe;
  Outputs operator()(const Probe& probe) const { return on_probe(probe); }
};
template <typename F> F* as_written(const Function& function) {  // nullptr if it is another's
  const Written<F>* written = function.target<Written<F>>();
  return written == nullptr ? nullptr : written->function;
}

// An array that a student's function writes, between margins that it must not touch.
class Sheet {
 public:
  static constexpr std::size_t kMargin = 1 << 14;  // numbers on either side; beyond it, mostly, there is no memory

  Sheet(std::string name, std::vector<int> shape);
  explicit Sheet(const exercises::Array& held);  // holds these numbers, which are to be changed in place
  Out out();
  Array array() const;  // WroteOutside if a margin is not as it was

 private:
  Array array_;
  std::vector<double> paper_;
};

// What went wrong in a call, other than a wrong number. (What a student's code throws itself is none of these.)
struct NotWritten {};
struct WroteOutside { std::string array; };
struct InputChanged { std::string array; };
struct WrongShape { std::string array, got, expected; };
struct GradientCut { std::string array; };

// Behind the last number of this array there stands now, in memory, what from_outside knows in all that is made of it.
void mark_outside(Array& array);
bool from_outside(double value);

bool never_written(double value);  // is it what a sheet holds before it is written?

}  // namespace gradus::exercises
