#include "optim/distributed/reducer.h"

#include "core/autograd/engine.h"
#include "core/tape/node.h"
#include "core/tensor/create.h"
#include "optim/distributed/parallel_ops.h"

namespace gradus::distributed {
Reducer::Reducer(Link& link, const NamedTensors& parameters, const ReducerOptions& options)
    : link_(link),
      options_(options),
      all_reduce_(all_reduces().find(options.all_reduce).value),
      own_(options.micro_batches / link.ranks()) {
  check<ValueError>(own_ > 0 && options.micro_batches % link.ranks() == 0,
                    "Reducer: {} micro-batches cannot be shared equally by {} ranks; take a multiple of {}", options.micro_batches,
                    link.ranks(), link.ranks());
  for (const NamedTensor& one : parameters) parameters_.emplace(one.tensor.number(), Parameter{one, TreeSum(own_)});
  std::string all =
      fmt::format("{} micro-batches, buckets of {} bytes, {}", options.micro_batches, options.bucket_bytes, options.all_reduce);
  for (const auto& [number, one] : parameters_) {  // in the order in which they are sent
    all += fmt::format("\n{} {} {}", one.named.name, one.named.tensor.shape(), one.named.tensor.dtype());
  }
  check_same(link, "parameters, their order or the options of the reducer", hash_of(all));
  make_buckets();
}

void Reducer::make_buckets() {
  for (auto& [number, parameter] : parameters_) {
    const Tensor& x = parameter.named.tensor;
    check<DTypeError>(x.dtype() == DType::f32 || x.dtype() == DType::f64, "Reducer: sums gradients of f32 or f64; {} is {}",
                      parameter.named.name, x.dtype());
    if (buckets_.empty() || buckets_.back().bytes >= options_.bucket_bytes || buckets_.back().dtype != x.dtype()) {
      buckets_.push_back({.dtype = x.dtype(), .first = parameter.named.name});
    }
    Bucket& bucket = buckets_.back();
    parameter.bucket = buckets_.size() - 1;
    parameter.offset = static_cast<std::ptrdiff_t>(bucket.bytes);
    bucket.bytes += message_of(x).size();
    ++bucket.parameters;
  }
}

Observing Reducer::micro_batch() {
  check<ValueError>(begun_ < own_, "Reducer: all {} micro-batches of this rank have begun; call wait()", own_);
  for (auto& [number, parameter] : parameters_) {
    if (begun_ > 0) parameter.sum.add(parameter.named.tensor.grad());
    parameter.named.tensor.zero_grad();
    parameter.uses = parameter.arrivals = 0;
  }
  ++begun_;
  return Observing(this);
}

// --- when is a gradient complete? -----------------------------------------------------------------------------

void Reducer::made(const char*, const Tensor&, std::span<const Tensor> inputs, bool on_tape) {
  for (const Tensor& input : inputs) {
    const auto used = on_tape && input.defined() ? parameters_.find(input.number()) : parameters_.end();
    if (used != parameters_.end()) ++used->second.uses;
  }
}

void Reducer::start(const Tensors&, std::uint64_t) { walk_begun_ = now(); }

void Reducer::arriving(int, const Tensor& x, const Gradient&, const Tensor&) {
  const auto found = parameters_.find(x.number());
  arriving_ = found == parameters_.end() ? nullptr : &found->second;
  check<GraphError>(
      arriving_ == nullptr || !arriving_->complete,
      "Reducer: {} gets more after its gradient was complete; it was used before micro_batch(), or this is a second backward()",
      arriving_ != nullptr ? arriving_->named.name : "");
}

// Hooks may change a gradient when the walk visits it, so one with hooks is complete only then.
void Reducer::arrived(const Tensor& after) {
  if (arriving_ == nullptr || begun_ < own_ || !arriving_->named.tensor.hooks().empty()) return;
  if (++arriving_->arrivals == arriving_->uses) complete(*arriving_, after.detached_copy());
}

void Reducer::finish() { record("walk", fmt::format("micro-batch {}", begin() + begun_ - 1), walk_begun_); }

// --- on the way -----------------------------------------------------------------------------------------------

// #region dist-overlap
void Reducer::complete(Parameter& parameter, const Tensor& gradient) {
  parameter.complete = true;
  parameter.sum.add(gradient);
  Bucket& bucket = buckets_[parameter.bucket];
  if (!bucket.gradients.defined()) bucket.gradients = zeros({static_cast<int64_t>(bucket.bytes / size_of(bucket.dtype))}, bucket.dtype);
  const Tensor sum = parameter.sum.total();
  const Message values = message_of(sum.defined() ? sum : zeros_like(parameter.named.tensor));
  std::copy(values.begin(), values.end(), message_of(bucket.gradients).begin() + parameter.offset);
  parameter.sum = TreeSum(own_);
  ++bucket.complete;
  while (started_ < buckets_.size() && buckets_[started_].complete == buckets_[started_].parameters) send(buckets_[started_++]);
}

// The messenger's thread gets plain memory: a tensor belongs to one thread.
void Reducer::send(Bucket& bucket) {
  with_numbers(bucket.gradients, [&](auto numbers) {
    messenger_.start([this, numbers, &bucket] {
      const double begun = now();
      link_.set_task(fmt::format("the sum of the gradients from {} on", bucket.first));
      all_reduce_(link_, numbers);
      record("message", bucket.first, begun);
    });
  });
}
// #endregion dist-overlap

void Reducer::wait() {
  check<ValueError>(begun_ == own_, "Reducer: {} of this rank's {} micro-batches have begun", begun_, own_);
  for (auto& [number, parameter] : parameters_) {
    if (!parameter.complete) complete(parameter, parameter.named.tensor.grad());
  }
  const double begun = now();
  messenger_.wait();
  record("wait", "all buckets", begun);
  for (auto& [number, parameter] : parameters_) {
    const Tensor& x = parameter.named.tensor;
    Tensor sum(x.shape(), x.dtype());
    const Message values = message_of(sum);
    std::copy_n(message_of(buckets_[parameter.bucket].gradients).begin() + parameter.offset, values.size(), values.begin());
    x.set_grad(sum);
    parameter.complete = false;
  }
  for (Bucket& bucket : buckets_) bucket.complete = 0;
  begun_ = 0, started_ = 0;
}

double Reducer::now() const { return options_.timeline != nullptr ? options_.timeline->now() : 0; }

void Reducer::record(const char* kind, const std::string& what, double begin) const {
  if (options_.timeline != nullptr) options_.timeline->add({kind, what, begin, now()});
}

}  // namespace gradus::distributed
