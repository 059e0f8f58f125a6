// A walk that one can be in the middle of: which gradients are pending, and how far each has come, at any moment of a trace.
//
// Moment 0: the seeds are there. Then, for each visit, one moment in which its tensor is taken off the pending map, and one
// for each delivery of its op's rule.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <unordered_map>
#include <vector>

#include "core/inspect/trace.h"

namespace gradus::examples {

class Replay {
 public:
  explicit Replay(const inspect::Trace& trace);  // which must live as long

  const inspect::Trace& trace() const { return *trace_; }
  std::size_t moment() const { return moment_; }
  std::size_t last_moment() const { return moments_.size() - 1; }
  void go(std::size_t moment);  // the last, if there are fewer

  // A visit, counted from 0, in its last moment: all is delivered.
  std::size_t end_of_visit(std::size_t visit) const { return ends_[visit]; }
  std::size_t next_end() const;      // of this visit, or if that is reached, of the next
  std::size_t previous_end() const;  // of the visit before, or moment 0

  std::size_t visits() const { return trace_->walk.size(); }
  std::ptrdiff_t visit_index() const { return moments_[moment_].visit; }  // -1: none yet
  const inspect::Visit* visit() const;                                    // null: none yet
  std::size_t delivered() const { return moments_[moment_].delivered; }   // of this visit
  bool over() const { return moment_ == last_moment(); }

  // Tensors whose gradients wait, newest first: the engine's order.
  const std::set<std::uint64_t, std::greater<>>& pending() const { return pending_; }

  std::size_t arrived(std::uint64_t number) const;              // contributions so far,
  std::size_t expected(std::uint64_t number) const;             // of how many
  std::ptrdiff_t visit_of(std::uint64_t number) const;          // -1: never visited
  bool visited(std::uint64_t number) const;                     // or being visited
  const inspect::Values* gradient(std::uint64_t number) const;  // the sum so far; null before the first

  bool completes(const inspect::Delivery& delivery) const;  // is it the last that its tensor waits for?

  // The deliveries that bring a tensor its gradient, in order.
  std::vector<const inspect::Delivery*> arrivals(std::uint64_t number) const;

 private:
  struct Moment {
    std::ptrdiff_t visit;
    std::size_t delivered;
  };
  struct Arrival {
    std::size_t moment;
    const inspect::Delivery* delivery;
  };
  struct Course {  // of one tensor
    std::vector<Arrival> arrivals;
    std::ptrdiff_t visit = -1;
    std::size_t turn = SIZE_MAX;  // the moment of its visit
  };

  const Course& course(std::uint64_t number) const;
  const inspect::Delivery* delivery_of(const Moment& moment) const;
  void update(std::uint64_t number);

  const inspect::Trace* trace_;
  std::vector<Moment> moments_;
  std::vector<std::size_t> ends_;
  std::unordered_map<std::uint64_t, Course> courses_;
  std::set<std::uint64_t, std::greater<>> pending_;
  std::size_t moment_ = 0;
};

}  // namespace gradus::examples
