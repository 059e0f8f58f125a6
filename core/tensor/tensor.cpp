#include "core/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/tape/node.h"
#include "core/tensor/half.h"

namespace gradus {
namespace {

// Their bytes can be counted, and no memory has more.
constexpr int64_t kMaxElements =
    std::min(int64_t{1} << 48, static_cast<int64_t>(PTRDIFF_MAX / sizeof(double)));

thread_local constinit int64_t live_count = 0;

double element(const void* bytes, DType dtype, int64_t offset) {
  return dispatch(dtype, [&]<typename T>() {
    return static_cast<double>(static_cast<Compute<T>>(static_cast<const T*>(bytes)[offset]));
  });
}

}  // namespace

Tensor::Impl::Impl(const Shape& the_shape, DType the_dtype, Storage* the_storage)
    : dtype(the_dtype), storage(the_storage), number(next_number<Numbered::tensor>()), shape(the_shape) {
  ++live_count;
}

Tensor::Impl::~Impl() {
  storage->release();
  --live_count;
}

Tensor::Tensor(const Shape& shape, DType dtype) {
  const int64_t count = shape.numel();
  check<ShapeError>(count <= kMaxElements, "tensor: shape {} has {} elements, more than any memory holds", shape, count);
  impl_ = new Impl(shape, dtype, Storage::create(static_cast<std::size_t>(count) * size_of(dtype)));
}

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

void Tensor::throw_undefined() {
  throw GraphError("this tensor is undefined: it was never given a value, or is a gradient that has not arrived");
}

void* Tensor::mutable_bytes() {
  impl().storage->bump_version();
  return impl().storage->data();
}

double Tensor::item() const {
  check<ShapeError>(numel() == 1, "item: needs a tensor with one element, got shape {}", shape());
  return element(bytes(), dtype(), 0);
}

int64_t Tensor::offset_of(const char* op, const std::vector<int64_t>& index) const {
  check<ShapeError>(static_cast<int>(index.size()) == rank(), "{}: {} indices for shape {}", op, index.size(), shape());
  int64_t offset = 0;
  int axis = 0;
  for (const int64_t given : index) {
    const int64_t n = size(axis++), i = given < 0 ? given + n : given;
    check<ValueError>(i >= 0 && i < n, "{}: index {} is out of range for axis {} of shape {}", op, given, axis - 1, shape());
    offset = offset * n + i;
  }
  return offset;
}

double Tensor::at(const std::vector<int64_t>& index) const { return element(bytes(), dtype(), offset_of("at", index)); }

void Tensor::set(const std::vector<int64_t>& index, double value) {
  check_off_tape("set");
  check_holds(value);
  const int64_t offset = offset_of("set", index);
  dispatch(dtype(), [&]<typename T>() { mutable_data<T>()[offset] = convert<T>(value); });
}

void Tensor::check_off_tape(const char* op) const {
  check<GraphError>(is_leaf(), "{}: this tensor was made by an op on the tape; change a detached copy", op);
}

void Tensor::check_holds(double value) const {
  const bool whole = value == std::floor(value) && value >= -0x1p63 && value < 0x1p63;
  check<DTypeError>(is_floating(dtype()) || whole, "scalar {}: an i64 tensor cannot hold it; use cast(x, DType::f32) first", value);
}

void Tensor::fill(double value) {
  check_off_tape("fill");
  check_holds(value);
  void* target = mutable_bytes();
  dispatch(dtype(), [&]<typename T>() {
    auto* first = static_cast<T*>(target);
    std::fill(first, first + numel(), convert<T>(value));
  });
}

void Tensor::assign(const Tensor& source) {
  check_off_tape("assign");
  source.check_off_tape("assign from");
  check<ShapeError>(source.shape() == shape(), "assign: cannot copy shape {} into shape {}", source.shape(), shape());
  void* target = mutable_bytes();
  if (source.dtype() == dtype()) {
    std::memmove(target, source.bytes(), static_cast<std::size_t>(numel()) * size_of(dtype()));
    return;
  }
  dispatch(source.dtype(), [&]<typename From>() {  // one by one; kernels::cast is the fast way
    dispatch(dtype(), [&, from = source.data<From>()]<typename To>() {
      std::transform(from, from + numel(), static_cast<To*>(target),
                     [](const From& value) { return convert<To>(static_cast<Compute<From>>(value)); });
    });
  });
}

Tensor& Tensor::set_requires_grad(bool value) {
  check_off_tape("set_requires_grad");
  check<DTypeError>(!value || is_floating(dtype()), "set_requires_grad: {} has no gradient; use f32 or f64", dtype());
  impl().requires_grad = value;
  return *this;
}

Tensor Tensor::grad() const { return impl().rare && impl().rare->grad ? *impl().rare->grad : Tensor(); }

void Tensor::set_grad(const Tensor& grad) const {
  if (!grad.defined()) return clear_grad();
  check<ShapeError>(grad.shape() == shape(), "set_grad: a gradient of shape {} for a tensor of {}", grad.shape(),
                    shape());
  check<DTypeError>(grad.dtype() == dtype(), "set_grad: a gradient of {} for a tensor of {}", grad.dtype(), dtype());
  check<GraphError>(grad.is_leaf(), "set_grad: the gradient (shape {}) is on the tape, which may hold this tensor, so that "
                    "neither would ever be freed; use detach()", grad.shape());
  rare().grad = std::make_unique<Tensor>(grad);
}

void Tensor::clear_grad() const {
  if (impl().rare) impl().rare->grad.reset();
}

void Tensor::retain_grad() const { rare().retain_grad = true; }
bool Tensor::retains_grad() const { return impl().rare && impl().rare->retain_grad; }

void Tensor::add_hook(GradientHook hook) const {
  check<ValueError>(hook != nullptr, "add_hook: the hook is an empty function");
  rare().hooks.push_back(std::move(hook));
}

const std::vector<GradientHook>& Tensor::hooks() const {
  static const std::vector<GradientHook> none;
  return impl().rare ? impl().rare->hooks : none;
}

Tensor Tensor::detach(const Shape& shape) const {
  check<ShapeError>(shape.numel() == numel(), "reshape: cannot turn {} ({} elements) into {} ({} elements)", this->shape(),
                    numel(), shape, shape.numel());
  impl().storage->retain();
  return Tensor(new Impl(shape, dtype(), impl().storage));
}

Tensor Tensor::detached_copy() const {
  Tensor copy(shape(), dtype());
  copy.assign(detach());
  return copy;
}

void Tensor::set_data(const Tensor& other) {
  check_off_tape("set_data");
  other.check_off_tape("set_data from");
  check<DTypeError>(!requires_grad() || is_floating(other.dtype()),
                    "set_data: a tensor that requires a gradient must be floating, got {}", other.dtype());
  other.impl().storage->retain();
  impl().storage->release();
  impl().storage = other.impl().storage;
  if (shape() != other.shape()) ++impl().shape_changes;
  impl().shape = other.impl().shape;
  impl().dtype = other.impl().dtype;
  clear_grad();
}

void Tensor::set_node(std::unique_ptr<Node> node) {
  impl().node = std::move(node);
  impl().requires_grad = true;
}

std::unique_ptr<Node> Tensor::take_node() const {
  impl().graph_freed = true;
  return std::move(impl().node);
}

Tensor::Rare& Tensor::rare() const {
  if (!impl().rare) impl().rare = std::make_unique<Rare>();
  return *impl().rare;
}

DType common_dtype(const char* op, const Tensors& tensors) {
  DType common = DType::i64;
  for (const Tensor& x : tensors) {
    if (!x.defined() || !is_floating(x.dtype())) continue;
    check<DTypeError>(common == DType::i64 || x.dtype() == common, "{}: dtypes differ: {} and {}; cast one of them", op,
                      common, x.dtype());
    common = x.dtype();
  }
  return common;
}

int64_t live_tensors() { return live_count; }

}  // namespace gradus
