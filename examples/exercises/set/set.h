// The exercises' definitions, and what they share.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/compare.h"
#include "examples/exercises/grader/exercise.h"
#include "examples/exercises/set/functions.h"

namespace gradus::exercises {

// Numbers of N(mean, 1) · size, the same for the same seed: [shape].
Array drawn(const std::string& name, std::vector<int> shape, std::uint64_t seed, double size = 1, double mean = 0);

// Between the library's tensors, in f64, and arrays.
Tensor tensor_of(const Array& array);
Array array_of(const std::string& name, const Tensor& tensor);

// What a student's function gave, as array_of: WrongShape if it is undefined or has another shape, or numbers that are not f64.
Array checked(const std::string& name, const Tensor& tensor, const std::vector<int>& shape);
// InputChanged unless the tensor that was made of this input still holds its numbers.
void check_unchanged(const Probe& probe, const std::string& input, const Tensor& tensor);

// What f makes of the probe's inputs of these names, called `result`, and then dL/d of each, for dL/d of the result = its input g:
// zeros where nothing comes back. GradientCut where the result is on no tape.
Outputs with_gradients(const Probe& probe, const std::vector<std::string>& names, const std::string& result, const std::vector<int>& shape,
                       const std::function<Tensor(const Tensors&)>& f);

// What answers/generate.cpp makes of a function of an answer. `made` is where it looks whether a wrong line is switched on.
struct Generated {
  std::string name;
  Made* made;
  std::vector<Mistake> mistakes;
  std::vector<std::string> hints;
};

// The function with these mistakes, for those that look there.
std::function<Outputs(const Probe&, Made)> with_mistakes(const std::vector<Made*>& made, const Function& function);

// The exercise, in each of its stages also what is generated. `functions` calls the generated ones.
Exercise completed(Exercise exercise, const std::vector<Generated>& generated, const Functions& functions);

// --- functions of arrays and numbers -------------------------------------------------------------------------------------------

// An argument of a student's function, from a probe: "x" is its input x; "dx = x" is written, and has the shape of x.
class Argument {
 public:
  Argument(const Probe& probe, const std::string& name) {
    const std::size_t at = name.find(" = ");
    if (at == std::string::npos) input_ = &probe[name];
    else sheet_.emplace(name.substr(0, at), probe[name.substr(at + 3)].shape);
  }

  template <typename T> T as() {
    if constexpr (std::is_same_v<T, Out>) {
      return sheet_->out();
    } else if constexpr (std::is_same_v<T, In>) {
      return in(*input_);
    } else if constexpr (std::is_same_v<T, const int*>) {
      whole_.assign(input_->numbers.begin(), input_->numbers.end());
      return whole_.data();
    } else {
      return static_cast<T>(input_->numbers.at(0));
    }
  }
  const std::optional<Sheet>& sheet() const { return sheet_; }

 private:
  const Array* input_ = nullptr;
  std::vector<int> whole_;
  std::optional<Sheet> sheet_;
};

// A student's function, whose parameters are these, as one of a probe. What it returns is the first output, of the name `returned`.
template <typename R, typename... P>
Function by_names(R (*function)(P...), const std::array<std::string, sizeof...(P)>& parameters, const std::string& returned = "") {
  return [=](const Probe& probe) {
    std::vector<Argument> arguments;
    for (const std::string& one : parameters) arguments.emplace_back(probe, one);
    const auto call = [&]<std::size_t... I>(std::index_sequence<I...>) { return function(arguments[I].template as<P>()...); };
    Outputs outputs;
    if constexpr (std::is_void_v<R>) call(std::index_sequence_for<P...>());
    else outputs.push_back(number(returned, static_cast<double>(call(std::index_sequence_for<P...>()))));
    for (const Argument& one : arguments) {
      if (one.sheet()) outputs.push_back(one.sheet()->array());
    }
    return outputs;
  };
}

}  // namespace gradus::exercises
