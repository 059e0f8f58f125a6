// Node: one op on the tape, owned by the tensor it made. It keeps the op's inputs and knows its backward rule.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus {

class Node;

// dL/dx as a backward rule gives it. Where most of it is zero, as for a table of which few rows were read, it may be given
// by its rows: `values` belong at `indices` along `axis`, repeated indices add up, and the rest is zero.
struct Gradient {
  Gradient() = default;  // undefined: zero
  Gradient(Tensor the_values) : values(std::move(the_values)) {}
  Gradient(Tensor the_values, Tensor the_indices, int the_axis)
      : values(std::move(the_values)), indices(std::move(the_indices)), axis(the_axis) {}
  bool by_rows() const { return indices.defined(); }

  Tensor values, indices;
  int axis = 0;
};

// #region inside-backward
// What the backward rule of y = f(inputs) may read.
class Step {
 public:
  const Tensor& grad;  // dL/dy, in the shape of y

  // Input i of the op, and its output y. GraphError if it was changed in place since the op was recorded, and, here and below,
  // for an input that the op does not have.
  const Tensor& input(std::size_t i) const;
  const Tensor& output() const;
  std::size_t input_count() const;
  const Shape& shape(std::size_t i) const;  // of input i; available even after its values were overwritten
  // Is the gradient of input i wanted? GraphError if the input has come to require one since.
  bool needs(std::size_t i) const;
  bool create_graph() const { return create_graph_; }  // is the gradient itself to be differentiated?

 private:
  friend class BackwardPass;  // the engine: autograd/engine.cpp
  Step(const Tensor& the_grad, const Tensor& output, std::uint64_t oldest, bool create_graph)
      : grad(the_grad), node_(*output.node()), output_(output), oldest_(oldest), create_graph_(create_graph) {}

  const Node& node_;
  const Tensor& output_;  // passed in: a node that held its own output would never be freed
  std::uint64_t oldest_;  // no tensor created before this number can lead to a wanted one
  bool create_graph_;
};
// #endregion inside-backward

class Node {
 public:
  // An op with a rule for each of its first `rules` inputs. Any further input has no gradient: it is absent, or i64. `output` is
  // newer than the inputs, and not on the tape yet.
  Node(const char* name, const Tensor& output, std::span<const Tensor> inputs, std::size_t rules);
  virtual ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  static void* operator new(std::size_t bytes) { return pool::allocate(bytes); }
  static void operator delete(void* block, std::size_t bytes) { pool::release(block, bytes); }

  const char* name() const { return name_; }
  std::size_t input_count() const { return input_count_; }
  const Tensor& input(std::size_t i) const { return saved(i).tensor; }  // undefined where the op was given none

  // dL/dx of every input for which step.needs(i), undefined for the others, by the rule, which may not walk the graph that this
  // op is part of, nor change dL/dy. What it throws comes out with the op's name: an Error in its class, bad_alloc
  // as a MemoryError, another exception nested in a GraphError. ShapeError or DTypeError for a gradient that does not fit its input.
  void run(const Step& step, std::vector<Gradient>& gradients) const;

 private:
  friend class Step;
  friend class RunningRule;

  // #region inside-node
  struct Saved {  // an input, and its version and flag when the op was recorded
    Tensor tensor;
    std::uint32_t version = 0;
    bool required_grad = false;
  };
  const Saved& saved(std::size_t i) const {
    if (i >= input_count_) refuse_input(i);
    return many_ ? many_[i] : two_[i];
  }
  [[noreturn]] void refuse_input(std::size_t i) const;
  void check_unchanged(const char* role, const Tensor& tensor, std::uint32_t version) const;

  // Writes dL/dx of every input for which step.needs(i); leaves the others undefined.
  virtual void backward(const Step& step, std::span<Gradient> gradients) const = 0;

  const char* name_;
  std::uint32_t output_version_;
  std::uint32_t input_count_ : 31;
  mutable std::uint32_t running_ : 1;  // is its rule running?
  std::array<Saved, 2> two_;           // up to two inputs are stored inline …
  std::unique_ptr<Saved[]> many_;      // … and more than two all here
  // #endregion inside-node
};

int64_t live_nodes();  // how many nodes are alive in this thread: for tests that nothing leaks

}  // namespace gradus
