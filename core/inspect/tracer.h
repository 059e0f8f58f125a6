// Tracer: the observer that writes a walk down.
#pragma once

#include <algorithm>

#include "core/inspect/calls.h"
#include "core/inspect/trace.h"
#include "core/tape/node.h"
#include "core/tensor/observer.h"

namespace gradus::inspect {

// Takes down the values of tensors until a budget of memory is used up, and only summaries from then on.
class Measure {
 public:
  // Tensors of at most `whole` elements are kept whole, all within `bytes`.
  Measure(std::int64_t whole, std::int64_t bytes) : whole_(whole), bytes_left_(bytes) {}
  Values operator()(const Tensor& x);
  void keep_whole(std::int64_t count) { whole_ = std::max(whole_, count); }  // raises `whole` to `count`
  void keep_summaries() { bytes_left_ = 0; }
  std::int64_t shortened() const { return shortened_; }  // how many tensors were cut for want of memory

 private:
  bool take(std::int64_t numbers);

  std::int64_t whole_, bytes_left_, shortened_ = 0;
};

// Observes one walk; take() returns its record.
class Tracer final : public Observer {
 public:
  explicit Tracer(TraceOptions options) : options_(std::move(options)), measure_(options_.whole, options_.memory) {}

  void start(const Tensors& outputs, std::uint64_t oldest) override;
  void visit(const Tensor& y, const Tensor& gradient) override;
  void arriving(int i, const Tensor& x, const Gradient& contribution, const Tensor& before) override;
  void arrived(const Tensor& after) override;
  void finish() override;

  Trace take() { return std::move(trace_); }

 private:
  Tensors tape_of(const Tensors& outputs) const;
  void note(const Tensor& x, bool of_walk);
  void note_calls(const CallLog& log);
  void name_modules();
  void find_severed();

  TraceOptions options_;
  Measure measure_;
  Trace trace_;
  std::map<std::uint64_t, TracedTensor> tensors_;
  std::map<std::uint64_t, std::string> names_;
  std::uint64_t oldest_ = 0;  // tensors created before this number are not visited
  Tensors contributions_;     // under create_graph: where the walk's own ops begin
};

}  // namespace gradus::inspect
