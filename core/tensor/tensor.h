// Tensor: a cheap handle to an n-dimensional array and its place on the tape.
//
// Always contiguous and row-major: the buffer *is* the tensor. Copying a Tensor copies the handle, not the
// data. One thread touches tensors (the count is not atomic); kernels get raw pointers.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/tensor/dtype.h"
#include "core/tensor/shape.h"
#include "core/tensor/storage.h"

namespace gradus {

class Node;  // the op that made a tensor: tape/node.h
class Tensor;
template <typename T> struct ArrayOf;  // the xtensor view of T: tensor/xtensor.h

[[noreturn]] void refuse_undefined(const char* argument, OpName op = {});  // the GraphError of check_defined, below

using Tensors = std::vector<Tensor>;
using GradientHook = std::function<Tensor(const Tensor&)>;  // from a gradient to another, or undefined: see add_hook

class Tensor {
 public:
  Tensor() = default;  // undefined: no data; as a gradient it stands for zero
  // Uninitialised. Errors begin with `op`, here and below: ShapeError beyond 2⁴⁸ elements, MemoryError where there is no memory
  // for them.
  Tensor(const Shape& shape, DType dtype, OpName op = "tensor");

  // From any xtensor expression, evaluated here; needs core/tensor/xtensor.h.
  template <typename X, typename = typename std::decay_t<X>::expression_tag> Tensor(X&& expression);

  Tensor(const Tensor& other) noexcept : impl_(other.impl_) { retain(); }
  Tensor(Tensor&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  Tensor& operator=(Tensor other) & noexcept {  // of a name: x[0] = y, which would change nothing, does not compile
    std::swap(impl_, other.impl_);
    return *this;
  }
  ~Tensor() { release(); }

  // --- what it is ---------------------------------------------------------------------------------------
  bool defined() const { return impl_ != nullptr; }
  const Shape& shape() const { return impl().shape; }
  int64_t size(int axis) const { return impl().shape[axis]; }
  int rank() const { return impl().shape.rank(); }
  int64_t numel() const { return impl().shape.numel(); }
  DType dtype() const { return impl().dtype; }
  bool same_as(const Tensor& other) const { return impl_ == other.impl_; }  // the same handle, not equal values
  bool shares_storage(const Tensor& other) const { return impl().storage == other.impl().storage; }

  // --- its values ---------------------------------------------------------------------------------------
  // T must be the element type (DTypeError). Writing through mutable_data counts as a change in place.
  template <typename T> const T* data() const;
  template <typename T> T* mutable_data();
  const void* bytes() const { return impl().storage->data(); }
  void* mutable_bytes();

  double item() const;  // the number in a tensor of one element; ShapeError for others
  // One element; indices count from the end if negative. ShapeError unless one per axis, ValueError beyond the end.
  double at(const std::vector<int64_t>& index) const;
  void set(const std::vector<int64_t>& index, double value);      // in place, as fill()
  template <typename T> typename ArrayOf<T>::type array() const;  // a read-only view; core/tensor/xtensor.h

  // Changes in place, without a trace on the tape. GraphError if an op on the tape made this tensor or the source. (`+=` and
  // its kind, in ops.h, are a GraphError while recording if either side requires a gradient.) Every handle sees a change,
  // even one that an op with nothing to do returned: slice(x, 0, 0, n) is x itself.
  void fill(double value, OpName op = "fill");              // DTypeError if an i64 tensor cannot hold it
  void assign(const Tensor& source, OpName op = "assign");  // of the same shape (ShapeError), cast to this dtype

  // --- its place on the tape ----------------------------------------------------------------------------
  bool requires_grad() const { return impl().requires_grad; }
  Tensor& set_requires_grad(bool value = true);  // of a leaf with a floating dtype
  bool is_leaf() const { return impl().is_leaf(); }

  // Adds dL/dx into grad() of every leaf x that this tensor y depends on. y is the scalar L itself, or `seed` is dL/dy.
  // GraphError unless y requires a gradient and has one element or a seed, and if its graph was freed.
  void backward() const;
  void backward(const Tensor& seed) const;
  Tensor grad() const;                      // undefined where none has arrived
  void set_grad(const Tensor& grad) const;  // same shape and dtype; GraphError for a gradient that is itself on the tape
  void zero_grad() const;
  void retain_grad() const;  // backward is to set grad() though this is not a leaf

  // `hook` gets the complete gradient of this tensor. It may modify the gradient in place (not under create_graph) or return a
  // replacement; undefined keeps it. Hooks run in the order they were added. What they compute is recorded
  // under create_graph only. ValueError if empty.
  void add_hook(GradientHook hook) const;

  // Off the tape: a constant that shares this storage, perhaps under another shape, or has a storage of its own.
  Tensor detach() const { return detach(impl().shape); }
  Tensor detach(const Shape& shape, OpName op = "detach") const;
  Tensor detached_copy() const;

  // Differentiable: the ops of these names, where they are defined.
  Tensor view(std::initializer_list<int64_t> sizes) const { return reshape(sizes); }
  Tensor view(const std::vector<int64_t>& sizes) const { return reshape(sizes); }
  Tensor view(const Shape& shape) const { return reshape(shape); }
  Tensor reshape(std::initializer_list<int64_t> sizes) const;
  Tensor reshape(const std::vector<int64_t>& sizes) const;
  Tensor reshape(const Shape& shape) const { return reshape(shape.vector()); }
  Tensor clone() const;          // the same values in a storage of its own
  Tensor to(DType dtype) const;  // cast
  Tensor T() const;              // transpose: of the last two axes
  Tensor sum(const Axes& axes = {}, bool keepdim = false) const;
  Tensor mean(const Axes& axes = {}, bool keepdim = false) const;
  Tensor stddev(const Axes& axes = {}, double correction = 1, bool keepdim = false) const;
  template <typename B> requires std::is_same_v<B, bool>
  Tensor stddev(const Axes&, B) const = delete;  // it is the correction
  Tensor operator[](int64_t index) const;        // select(x, 0, index): the index-th slice along the first axis
  Tensor operator[](const Tensor& mask) const;   // where it is 1: see masked_select

  // --- for the engine -----------------------------------------------------------------------------------
  // Tensors are numbered as their thread creates them, so "newer than its inputs" is a topological order. No two tensors of
  // the process share a number.
  std::uint64_t number() const { return impl().number; }
  std::uint32_t version() const { return impl().storage->version(); }
  Node* node() const { return impl().node.get(); }
  void set_node(std::unique_ptr<Node> node);
  std::unique_ptr<Node> take_node() const;  // frees this step of the graph: grad through it is then an error
  bool graph_freed() const { return impl().graph_freed; }
  const std::vector<GradientHook>& hooks() const;
  bool retains_grad() const;
  void make_room_for_grad() const { rare(); }  // set_grad() then cannot fail for want of memory
  bool unclaimed() const;                      // a module's parameter that no optimizer has taken
  void set_unclaimed(bool value) const;
  bool sole_owner() const { return impl().references == 1 && !impl().storage->shared(); }

 private:
  struct Rare;
  // #region inside-tensor
  struct Impl {
    Impl(const Shape& the_shape, DType the_dtype, Storage* the_storage);
    ~Impl();
    bool is_leaf() const { return node == nullptr && !graph_freed; }
    static void* operator new(std::size_t bytes) { return pool::allocate(bytes); }
    static void operator delete(void* block, std::size_t bytes) { pool::release(block, bytes); }

    std::uint32_t references = 1;
    DType dtype;
    bool requires_grad : 1 = false;
    bool graph_freed : 1 = false;
    Storage* storage;
    union {
      std::uint64_t number;
      Impl* next_dead;  // once the count is zero: see release()
    };
    std::unique_ptr<Node> node;
    std::unique_ptr<Rare> rare;
    Shape shape;
  };
  // #endregion inside-tensor

  explicit Tensor(Impl* impl) : impl_(impl) {}
  Impl& impl(OpName op = {}) const {  // GraphError, naming the op, when undefined
    if (impl_ == nullptr) refuse_undefined("this tensor", op);
    return *impl_;
  }
  void retain() const noexcept {
    if (impl_ != nullptr) ++impl_->references;
  }
  void release() noexcept {
    if (impl_ != nullptr && --impl_->references == 0) destroy(impl_);
  }
  static void destroy(Impl* impl) noexcept;
  Rare& rare(OpName op = {}) const;
  int64_t offset_of(const std::vector<int64_t>& index, OpName op = {}) const;
  void check_off_tape(OpName op = {}) const;
  template <typename T> void check_element(OpName op) const {
    const DType dtype = impl(op).dtype;
    check<DTypeError>(dtype_of<T> == dtype, "{}: the tensor holds {}, not {}", op, dtype, dtype_of<T>);
  }

  Impl* impl_ = nullptr;
};

struct Tensor::Rare {  // what few tensors have
  std::vector<GradientHook> hooks;
  Tensor grad;
  bool retain_grad = false, unclaimed = false;
};

template <typename T> const T* Tensor::data() const {
  check_element<T>("data");
  return static_cast<const T*>(bytes());
}

template <typename T> T* Tensor::mutable_data() {
  check_element<T>("mutable_data");
  return static_cast<T*>(mutable_bytes());
}

// A tensor among the arguments of a call, by its name in the header.
struct Argument {
  const char* name;
  const Tensor& tensor;
};
// GraphError, naming the op and the argument, for one that is undefined: "where: mask is undefined: …". Every op begins with
// this, or with another check that begins with it.
inline void check_defined(std::initializer_list<Argument> arguments, OpName op = {}) {
  for (const Argument& argument : arguments) {
    if (!argument.tensor.defined()) refuse_undefined(argument.name, op);
  }
}
void check_defined(const char* name, const Tensors& list, OpName op = {});  // "cat: parts[1] is undefined: …"

// ShapeError or DTypeError unless dL/dx has the shape and the dtype of x.
void check_gradient(const Tensor& gradient, const Tensor& x, OpName op = {});

// The shape of x, normalize_axis and normalize_axes for its axes; GraphError, naming the op and x, if it is undefined.
inline const Shape& shape_of(const Tensor& x, OpName op = {}) {
  check_defined({{"x", x}}, op);
  return x.shape();
}
inline int normalize_axis(int axis, const Tensor& x, OpName op = {}) { return normalize_axis(axis, shape_of(x, op).rank(), op); }
inline Axes normalize_axes(const Axes& axes, const Tensor& x, OpName op = {}) { return normalize_axes(axes, shape_of(x, op).rank(), op); }

// The dtype of the floating tensors among these; i64 if there are none. DTypeError, naming `op`, when they differ.
DType common_dtype(std::span<const Tensor> tensors, OpName op = {});

int64_t live_tensors();  // how many tensors are alive in this thread: for tests that nothing leaks

}  // namespace gradus
