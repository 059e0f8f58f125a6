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
class Walk;  // one walk over the tape: engine.cpp

// What a backward rule may read.
struct Backward {
  const Tensor& grad;  // dL/dy, in the shape of y

  // Input i of the op, and its output y: checked not to have been changed in place since (GraphError).
  const Tensor& input(std::size_t i) const;
  const Tensor& output() const;
  const Shape& shape(std::size_t i) const;  // of input i; needs no value, so it is always at hand
  // Is the gradient of input i wanted?
  bool needs(std::size_t i) const;
  // What has reached input i so far, if the rule may add its gradient to that in place and return the sum; otherwise
  // undefined, and the rule returns its gradient alone. Worth asking where that is mostly zeros: an embedding's.
  Tensor take_sum(std::size_t i) const;

  // For the engine; a rule asks by the functions above.
  const Node& node;
  const Tensor& made;    // y, passed in: a node that held its own output would never be freed
  std::uint64_t oldest;  // no tensor created before this number can lead to a wanted one
  Walk& walk;
};

using Rule = std::function<Tensor(const Backward&)>;        // from dL/dy to dL/dx of one input x
using JointRule = std::function<Tensors(const Backward&)>;  // … of all inputs at once; undefined is zero

class Node {
 public:
  Node(const char* name, const Tensor& output, std::span<const Tensor> inputs);
  virtual ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  static void* operator new(std::size_t bytes) { return pool::allocate(bytes); }
  static void operator delete(void* block, std::size_t bytes) { pool::release(block, bytes); }

  const char* name() const { return name_; }
  std::size_t input_count() const { return input_count_; }
  const Tensor& input(std::size_t i) const { return saved(i).tensor; }

  // Writes dL/dx of every input x with step.needs(i); leaves the others undefined.
  virtual void backward(const Backward& step, std::span<Tensor> gradients) const = 0;

 private:
  friend struct Backward;

  struct Saved {
    Tensor tensor;
    std::uint32_t version = 0;
  };
  const Saved& saved(std::size_t i) const { return more_ ? more_[i] : two_[i]; }
  void check_unchanged(const char* role, const Tensor& tensor, std::uint32_t version) const;

  const char* name_;
  std::uint32_t output_version_;
  std::uint32_t input_count_;
  std::array<Saved, 2> two_;       // one or two inputs have their place here …
  std::unique_ptr<Saved[]> more_;  // … and more than two all have it there
};

int64_t live_nodes();  // how many are alive in this thread: for tests that nothing leaks

}  // namespace gradus
