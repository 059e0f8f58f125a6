// Module: a part of a model that has parameters. Its fields are the module; `members` names them once, and
// parameters(), state_dict(), train(), to() and printing all come from that.
//
//   struct Affine : Layer {  // y = affine(x)
//     Parameter gain = ones({4}), shift = zeros({4});
//     void members(Members& m) override {
//       m.parameter("gain", gain, Role::gain);
//       m.parameter("shift", shift, Role::bias);
//     }
//
//    private:
//     Tensor forward(const Tensor& x) override { return x * gain + shift; }
//   };
#pragma once

#include <fmt/format.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/composites/composites.h"
#include "core/io/named_tensors.h"
#include "core/io/print.h"
#include "nn/parameter.h"

namespace gradus::nn {

class Module;

// The fields of a module, by their names in a checkpoint. An undefined tensor is left out, so an optional bias needs no `if`.
class Members {
 public:
  void parameter(std::string name, Parameter& tensor, Role role = Role::weight);  // trained
  void buffer(std::string name, Tensor& tensor, bool persistent = true);          // not trained; saved if persistent
  void child(std::string name, Module& module);                                   // a module below this one

 private:
  friend class Module;
  struct Named {
    std::string name;
    Tensor* tensor;
    Role role;
    bool persistent;
    Parameter* parameter = nullptr;  // the tensor, if it is one
  };
  std::vector<Named> parameters_, buffers_;
  std::vector<std::pair<std::string, Module*>> children_;
};

using gradus::NamedTensors;
using gradus::Role;
using SumOverRanks = std::function<void(std::vector<double>& numbers)>;

// The base of layers and models. A module, its tensors and the tapes that lead to them belong to one thread at a time; a join or a
// lock hands them on. Two threads at once are a data race: give each its own model, and copy weights while neither is in use.
class Module {
 public:
  Module() = default;
  virtual ~Module() = default;
  Module(const Module&) = delete;  // two modules never share parameters by accident
  Module& operator=(const Module&) = delete;
  Module(Module&& other) noexcept;  // every later call and walk of `other` is a GraphError, as is str(), but not describe()

  // Names the fields. The methods below call it, and throw ValueError for two members of one path and for a module below itself.
  virtual void members(Members& members) = 0;
  virtual std::string describe() const;  // for printing: "Linear(4 -> 8)"; the class's name unless a module says more

  // All parameters below this module with paths ("blocks.0.norm.gain") and roles, in the order of `members`; tied ones once.
  NamedTensors named_parameters();
  Tensors parameters();
  int64_t parameter_count();
  std::vector<Parameter*> parameter_fields();  // the fields themselves, each once, to give them another value

  // Parameters and persistent buffers (Role::other), as handles on the module's own tensors.
  NamedTensors state_dict();
  // Copies values in by path, as io::load_tensors. Throws, changing nothing: ValueError that lists what is missing, unexpected
  // or of another shape. When not strict, returns that list.
  std::vector<std::string> load_state_dict(const NamedTensors& state, io::LoadOptions options = {});

  void train(bool on = true);  // here and below: dropout and batch statistics as in training, or, if off, as in use
  void eval() { train(false); }
  bool training() const { return training_; }

  // Casts every floating parameter and persistent buffer; tied ones stay tied. They are new tensors: build optimizers and
  // averages afterwards. Other buffers stay, so that a table loses nothing by to(f16) and back. DTypeError for i64.
  void to(DType dtype);
  void zero_grad();

  // `loss`, and what the parts add to it for their last call in training, as experts do for the balance of their load.
  Tensor with_auxiliary_losses(const Tensor& loss);
  // To be called after each step of the optimizer, for what moves by a rule and not by a gradient, as the biases of routers do.
  // `sum` makes numbers their sums over all ranks, where there are several.
  void after_step(const SumOverRanks& sum = {});
  // Both run in every step, so they look at no paths: two members of one path are not noticed here.
  // These two of this module alone, without those below it: undefined, and nothing, unless a class says otherwise.
  virtual Tensor auxiliary_loss() const { return {}; }
  virtual void own_step(const SumOverRanks&) {}

  std::string str() const;  // the tree of modules, a line each, as fmt prints a module too

 protected:
  void check_still_here() const {  // GraphError if it was moved from
    if (moved_from_) refuse_moved();
  }

 private:
  friend class CallScope;
  friend class Evaluating;
  struct Place;
  class Way;
  template <typename Visit> void walk(const Visit& visit);
  template <typename Visit> void walk(const Place& place, Way& way, const Visit& visit);
  std::optional<std::string> path_of(const Module& part);  // "blocks.0"; "" of itself, none of what is not in its tree
  [[noreturn]] void refuse_moved() const;

  bool training_ = true;
  bool moved_from_ = false;
};

// While it lives, a module and all below it are in eval mode; its end restores every mode (if members() fails then, only the
// module's). Scopes nest. ValueError and GraphError as of named_parameters().
class Evaluating {
 public:
  explicit Evaluating(Module& module);
  ~Evaluating();
  Evaluating(const Evaluating&) = delete;
  Evaluating& operator=(const Evaluating&) = delete;

 private:
  Module& module_;
  std::map<const Module*, bool> was_training_;
};

}  // namespace gradus::nn

// Prints as str() does.
template <typename M>
struct fmt::formatter<M, std::enable_if_t<std::is_base_of_v<gradus::nn::Module, M>, char>> : fmt::formatter<std::string> {
  template <typename Context> auto format(const M& module, Context& context) const {
    return fmt::formatter<std::string>::format(module.str(), context);
  }
};

// Prints as a tensor.
template <> struct fmt::formatter<gradus::nn::Parameter> : fmt::formatter<gradus::Tensor> {};
