#include "core/tensor/tensor.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/tape/node.h"
#include "core/tensor/half.h"
#include "core/tensor/observer.h"

namespace gradus {
namespace {

thread_local constinit int64_t live_count = 0;

double element(const void* bytes, DType dtype, int64_t offset) {
  return dispatch(dtype, [&]<typename T>() { return static_cast<double>(static_cast<Compute<T>>(static_cast<const T*>(bytes)[offset])); });
}

// The one door to memory for a tensor's elements.
Storage* storage_for(const Shape& shape, DType dtype, OpName op = {}) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(shape.numel(op)) * size_of(dtype);
  try {
    return Storage::create(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, SIZE_MAX / 2)));  // of which there is none
  } catch (const MemoryError&) {
    throw MemoryError(fmt::format("{}: no memory for {} of {}, {:.3g} MB", op, shape, dtype, static_cast<double>(bytes) / 1e6));
  }
}

}  // namespace

void refuse_undefined(const char* argument, OpName op) {
  throw GraphError(
      fmt::format("{}: {} is undefined: it was never given a value, or is a gradient that has not arrived. What an op "
                  "made has a grad() only after retain_grad(), and p = p - lr * p.grad() makes p such a tensor: "
                  "write {{ NoGrad off; p -= lr * p.grad(); }}",
                  op, argument));
}

void check_defined(const char* name, const Tensors& list, OpName op) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].defined()) refuse_undefined(fmt::format("{}[{}]", name, i).c_str(), op);
  }
}

void check_gradient(const Tensor& gradient, const Tensor& x, OpName op) {
  check<ShapeError>(gradient.shape() == x.shape(), "{}: a gradient of shape {} for a tensor of {}", op, gradient.shape(), x.shape());
  check<DTypeError>(gradient.dtype() == x.dtype(), "{}: a gradient of {} for a tensor of {}; use cast", op, gradient.dtype(), x.dtype());
}

Tensor::Impl::Impl(const Shape& the_shape, DType the_dtype, Storage* the_storage)
    : dtype(the_dtype), storage(the_storage), number(next_number<Numbered::tensor>()), shape(the_shape) {
  ++live_count;
}

Tensor::Impl::~Impl() {
  storage->release();
  --live_count;
}

Tensor::Tensor(const Shape& shape, DType dtype, OpName op) : impl_(new Impl(shape, dtype, storage_for(shape, dtype, op))) {}

// #region inside-freeing
// Destroying a tensor destroys its node, which drops the node's inputs, whose counts may fall to zero in turn:
// a chain of a million ops. So the dead wait in a list, and the outermost call works it off in a loop.
void Tensor::destroy(Impl* impl) noexcept {
  thread_local constinit Impl* dead = nullptr;
  thread_local constinit bool working = false;
  if (impl->node == nullptr && impl->rare == nullptr) {
    delete impl;
    return;
  }
  impl->next_dead = dead;
  dead = impl;
  if (working) return;
  working = true;
  while (dead != nullptr) {
    Impl* next = dead;
    dead = next->next_dead;
    delete next;
  }
  working = false;
}
// #endregion inside-freeing

void* Tensor::mutable_bytes() {
  impl().storage->bump_version();
  return impl().storage->data();
}

double Tensor::item() const {
  const Shape& shape = impl().shape;
  check<ShapeError>(shape.numel() == 1,
                    "item: needs a tensor with one element, got shape {}; at({{i, …}}) reads one of several, to_vector(x) all", shape);
  tell(&Observer::read, "item()", *this);
  return element(bytes(), dtype(), 0);
}

int64_t Tensor::offset_of(const std::vector<int64_t>& index, OpName op) const {
  const Shape& shape = impl(op).shape;
  check<ShapeError>(static_cast<int>(index.size()) == shape.rank(), "{}: {} indices for shape {}", op, index.size(), shape);
  int64_t offset = 0;
  int axis = 0;
  for (const int64_t given : index) {
    const int64_t n = shape[axis++], i = given < 0 ? given + n : given;
    check<ValueError>(i >= 0 && i < n, "{}: index {} is out of range for axis {} of shape {}", op, given, axis - 1, shape);
    offset = offset * n + i;
  }
  return offset;
}

double Tensor::at(const std::vector<int64_t>& index) const {
  const int64_t offset = offset_of(index);
  tell(&Observer::read, "at()", *this);
  return element(bytes(), dtype(), offset);
}

void Tensor::set(const std::vector<int64_t>& index, double value) {
  check_off_tape();
  check_holds(dtype(), value);
  const int64_t offset = offset_of(index);
  dispatch(dtype(), [&]<typename T>() { mutable_data<T>()[offset] = convert<T>(value, "set"); });
}

void Tensor::check_off_tape(OpName op) const {
  const Impl& own = impl(op);
  check<GraphError>(own.is_leaf(), "{}: this tensor was made by an op on the tape; change a detached copy", op);
}

void Tensor::fill(double value, OpName op) {
  check_off_tape(op);
  check_holds(dtype(), value, op);
  void* target = mutable_bytes();
  dispatch(dtype(), [&]<typename T>() {
    auto* first = static_cast<T*>(target);
    std::fill(first, first + numel(), convert<T>(value));
  });
}

void Tensor::assign(const Tensor& source, OpName op) {
  check_off_tape(op);
  check_defined({{"source", source}}, op);
  check<GraphError>(source.is_leaf(),
                    "{}: the source was made by an op on the tape; use a detached copy, or, to update a parameter, "
                    "{{ NoGrad off; p -= lr * p.grad(); }}",
                    op);
  check<ShapeError>(source.shape() == shape(), "{}: cannot copy shape {} into shape {}", op, source.shape(), shape());
  tell(&Observer::changed, "assign()", *this, source);
  if (source.dtype() == dtype()) {
    std::memmove(mutable_bytes(), source.bytes(), static_cast<std::size_t>(numel()) * size_of(dtype()));
    return;
  }
  dispatch(source.dtype(), [&]<typename From>() {  // one by one; kernels::cast is the fast way
    dispatch(dtype(), [&, from = source.data<From>()]<typename To>() {
      const auto converted = [op](const From& value) { return convert<To>(static_cast<Compute<From>>(value), op); };
      if (dtype_of<To> == DType::i64) std::for_each(from, from + numel(), converted);  // all are checked before one is written
      std::transform(from, from + numel(), mutable_data<To>(), converted);
    });
  });
}

Tensor& Tensor::set_requires_grad(bool value) {
  check_off_tape();
  check<DTypeError>(!value || is_floating(dtype()), "set_requires_grad: {} has no gradient; use f32 or f64", dtype());
  impl().requires_grad = value;
  return *this;
}

Tensor Tensor::grad() const { return impl().rare ? impl().rare->grad : Tensor(); }

void Tensor::set_grad(const Tensor& grad) const {
  check_defined({{"this tensor", *this}});
  if (!grad.defined()) return zero_grad();
  check_gradient(grad, *this);
  check<GraphError>(grad.is_leaf(),
                    "set_grad: the gradient (shape {}) is on the tape, which may hold this tensor: neither would be freed; use detach()",
                    grad.shape());
  Tensor& own = rare().grad;
  own = grad.impl().rare ? grad.detach() : grad;  // no grad() leads back to this tensor, which would keep itself alive
}

void Tensor::zero_grad() const {
  if (impl().rare) impl().rare->grad = Tensor();
}

void Tensor::retain_grad() const { rare().retain_grad = true; }
bool Tensor::retains_grad() const { return impl().rare && impl().rare->retain_grad; }
void Tensor::set_unclaimed(bool value) const { rare().unclaimed = value; }
bool Tensor::unclaimed() const { return impl().rare && impl().rare->unclaimed; }

void Tensor::add_hook(GradientHook hook) const {
  check<ValueError>(hook != nullptr, "add_hook: the hook is an empty function");
  rare().hooks.push_back(std::move(hook));
}

const std::vector<GradientHook>& Tensor::hooks() const {
  static const std::vector<GradientHook> none;
  return impl().rare ? impl().rare->hooks : none;
}

Tensor Tensor::detach(const Shape& shape, OpName op) const {
  const Impl& own = impl(op);
  const int64_t count = shape.numel(op);
  check<ShapeError>(count == numel(), "{}: cannot turn {} ({} elements) into {} ({} elements)", op, own.shape, numel(), shape, count);
  own.storage->retain();
  Tensor same(new Impl(shape, own.dtype, own.storage));
  tell(&Observer::made, "detach()", same, std::span(this, 1), false);
  return same;
}

Tensor Tensor::detached_copy() const {
  const Impl& own = impl();
  Tensor copy(own.shape, own.dtype, "clone");
  copy.assign(detach());
  return copy;
}

void Tensor::set_node(std::unique_ptr<Node> node) {
  impl().node = std::move(node);
  impl().requires_grad = true;
}

std::unique_ptr<Node> Tensor::take_node() const {
  impl().graph_freed = true;
  return std::move(impl().node);
}

Tensor::Rare& Tensor::rare(OpName op) const {
  if (!impl(op).rare) impl().rare = std::make_unique<Rare>();
  return *impl().rare;
}

DType common_dtype(std::span<const Tensor> tensors, OpName op) {
  DType common = DType::i64;
  for (const Tensor& x : tensors) {
    if (!x.defined() || !is_floating(x.dtype())) continue;
    check<DTypeError>(common == DType::i64 || x.dtype() == common, "{}: dtypes differ: {} and {}; cast one of them", op, common, x.dtype());
    common = x.dtype();
  }
  return common;
}

int64_t live_tensors() { return live_count; }

}  // namespace gradus
