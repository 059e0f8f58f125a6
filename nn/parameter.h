// Parameter: what a module trains.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::nn {

// A trained tensor: it requires a gradient from the moment it has a value, and keeps its shape from then on. Built from a leaf
// that requires one, it is that tensor, shared; else a new leaf of the same values. GraphError for a value on the tape, whose
// gradient would be lost.
class Parameter : public Tensor {
 public:
  Parameter() = default;  // undefined: the module does without
  Parameter(const Tensor& value);
  Parameter(const Parameter&) = default;
  Parameter(Parameter&&) = default;

  // Gives a first value, or copies the values into the tensor that optimizers and checkpoints know. ShapeError unless the
  // shape is the same; GraphError for a value on the tape, or an undefined one where there is a value already.
  Parameter& operator=(const Tensor& value);
  Parameter& operator=(const Parameter& value) { return *this = static_cast<const Tensor&>(value); }
  Parameter& operator=(Parameter&&) = delete;  // std::swap and std::sort would move one way and copy back the other

  // Becomes the other parameter, as tied weights do. ShapeError unless the shape is the same, GraphError for an undefined one.
  void share(const Parameter& other);
  // Becomes a longer leaf, with these rows after its own along the first axis: see replace().
  void append(const Tensor& rows);

  // Was it assigned to through a Tensor&, so that it is another tensor than the one that is trained?
  bool was_replaced() const { return defined() && number() != trained_; }

 private:
  friend class Module;
  // Becomes a new leaf with a copy of these values; frozen if it was, with its hooks. The old one requires no gradient any more:
  // optimizers notice.
  void replace(const Tensor& value);

  std::uint64_t trained_ = 0;  // the number of the tensor that it is
};

}  // namespace gradus::nn
