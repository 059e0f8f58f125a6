#include "examples/step/replay.h"

#include <algorithm>

namespace gradus::examples {

using inspect::Delivery;
using inspect::Values;
using inspect::Visit;

Replay::Replay(const inspect::Trace& trace) : trace_(&trace) {
  moments_.push_back({-1, 0});
  for (const Delivery& seed : trace.seeds) courses_[seed.to].arrivals.push_back({0, &seed});
  for (std::size_t v = 0; v < trace.walk.size(); ++v) {
    const Visit& visit = trace.walk[v];
    Course& own = courses_[visit.tensor];
    own.visit = static_cast<std::ptrdiff_t>(v);
    own.turn = moments_.size();
    moments_.push_back({own.visit, 0});
    for (std::size_t k = 0; k < visit.deliveries.size(); ++k) {
      courses_[visit.deliveries[k].to].arrivals.push_back({moments_.size(), &visit.deliveries[k]});
      moments_.push_back({static_cast<std::ptrdiff_t>(v), k + 1});
    }
    ends_.push_back(moments_.size() - 1);
  }
  for (const Delivery& seed : trace.seeds) update(seed.to);
}

void Replay::go(std::size_t moment) {
  moment = std::min(moment, last_moment());
  while (moment_ != moment) {
    const Moment before = moments_[moment_];
    moment_ += moment_ < moment ? 1 : std::size_t(-1);
    const Moment after = moments_[moment_];
    // Between the two lies either a visit's turn or a delivery; what they concern has come or gone.
    for (const Moment& m : {before, after}) {
      if (m.visit >= 0) update(trace_->walk[static_cast<std::size_t>(m.visit)].tensor);
      if (const Delivery* delivery = delivery_of(m)) update(delivery->to);
    }
  }
}

std::size_t Replay::next_end() const {
  const auto end = std::upper_bound(ends_.begin(), ends_.end(), moment_);
  return end == ends_.end() ? last_moment() : *end;
}

std::size_t Replay::previous_end() const {
  const auto end = std::lower_bound(ends_.begin(), ends_.end(), moment_);
  return end == ends_.begin() ? 0 : *(end - 1);
}

const Visit* Replay::visit() const { return visit_index() < 0 ? nullptr : &trace_->walk[static_cast<std::size_t>(visit_index())]; }

std::size_t Replay::arrived(std::uint64_t number) const {
  const auto& arrivals = course(number).arrivals;
  const auto later =
      std::upper_bound(arrivals.begin(), arrivals.end(), moment_, [](std::size_t moment, const Arrival& a) { return moment < a.moment; });
  return static_cast<std::size_t>(later - arrivals.begin());
}

std::size_t Replay::expected(std::uint64_t number) const { return course(number).arrivals.size(); }
std::ptrdiff_t Replay::visit_of(std::uint64_t number) const { return course(number).visit; }
bool Replay::visited(std::uint64_t number) const { return course(number).turn <= moment_; }

const Values* Replay::gradient(std::uint64_t number) const {
  const Course& found = course(number);
  if (found.turn <= moment_) return &trace_->walk[static_cast<std::size_t>(found.visit)].gradient;
  const std::size_t count = arrived(number);
  return count == 0 ? nullptr : &found.arrivals[count - 1].delivery->after;
}

bool Replay::completes(const Delivery& delivery) const { return course(delivery.to).arrivals.back().delivery == &delivery; }

std::vector<const Delivery*> Replay::arrivals(std::uint64_t number) const {
  std::vector<const Delivery*> deliveries;
  for (const Arrival& arrival : course(number).arrivals) deliveries.push_back(arrival.delivery);
  return deliveries;
}

const Replay::Course& Replay::course(std::uint64_t number) const {
  static const Course none;
  const auto found = courses_.find(number);
  return found == courses_.end() ? none : found->second;
}

const Delivery* Replay::delivery_of(const Moment& moment) const {
  if (moment.visit < 0 || moment.delivered == 0) return nullptr;
  return &trace_->walk[static_cast<std::size_t>(moment.visit)].deliveries[moment.delivered - 1];
}

void Replay::update(std::uint64_t number) {
  if (arrived(number) > 0 && !visited(number)) {
    pending_.insert(number);
  } else {
    pending_.erase(number);
  }
}

}  // namespace gradus::examples
