#include "optim/distributed/sharded_optimizer.h"

#include <algorithm>

#include "optim/distributed/collectives.h"
#include "optim/distributed/parallel_ops.h"

namespace gradus::distributed {
namespace {

// The groups' parameters that are this rank's.
optim::ParameterGroups share_of(const optim::ParameterGroups& groups, const std::map<std::string, int>& owner, int rank) {
  optim::ParameterGroups share;
  for (optim::ParameterGroup group : groups) {
    std::erase_if(group.parameters, [&](const NamedTensor& one) { return owner.at(one.name) != rank; });
    if (!group.parameters.empty()) share.push_back(std::move(group));
  }
  return share;
}

}  // namespace

// #region dist-zero-1
ShardedOptimizer::ShardedOptimizer(Link& link, optim::ParameterGroups groups, Make make)
    : link_(link), groups_(std::move(groups)), make_(std::move(make)) {
  NamedTensors all;
  for (const auto& group : groups_) all.insert(all.end(), group.parameters.begin(), group.parameters.end());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.tensor.numel() > b.tensor.numel(); });
  std::vector<int64_t> load(static_cast<std::size_t>(link.ranks()));
  for (const NamedTensor& one : all) {
    one.tensor.set_unclaimed(false);  // its owner's optimizer has it
    const auto least = std::min_element(load.begin(), load.end());
    *least += one.tensor.numel();
    owner_[one.name] = static_cast<int>(least - load.begin());
  }
  if (const auto share = share_of(groups_, owner_, link.rank()); !share.empty()) own_ = make_(share);
}

void ShardedOptimizer::step(double lr) {
  if (own_) own_->step(lr);
  ++steps_;
  for (const auto& group : groups_) {
    for (const auto& [name, tensor, role] : group.parameters) {
      link_.set_task("the new values of " + name);
      broadcast(link_, message_of(tensor), owner_.at(name));
    }
  }
}
// #endregion dist-zero-1

void ShardedOptimizer::zero_grad() {
  for (const auto& group : groups_) {
    for (const NamedTensor& one : group.parameters) one.tensor.zero_grad();
  }
}

int64_t ShardedOptimizer::state_bytes() const {
  int64_t bytes = 0;
  if (own_) {
    for (const NamedTensor& one : own_->state()) bytes += static_cast<int64_t>(message_of(one.tensor).size());
  }
  return bytes;
}

// A state is called "what/parameter".
bool ShardedOptimizer::is_of(const NamedTensor& state, int rank) const {
  const auto found = owner_.find(state.name.substr(state.name.find('/') + 1));
  return found != owner_.end() && found->second == rank;
}

NamedTensors ShardedOptimizer::gather_state() {
  link_.set_task("the optimizer's state for a checkpoint");
  if (link_.rank() > 0) {
    if (own_) {
      for (const NamedTensor& one : own_->state()) link_.send(0, message_of(one.tensor));
    }
    return {};
  }
  const std::unique_ptr<optim::Optimizer> whole = make_(groups_);  // for the names, the shapes and the order
  NamedTensors all = whole->state();
  if (own_) io::load_tensors(all, own_->state(), {.strict = false});
  for (int rank = 1; rank < link_.ranks(); ++rank) {
    for (const NamedTensor& one : all) {
      if (is_of(one, rank)) link_.receive(rank, message_of(one.tensor));
    }
  }
  return all;
}

void ShardedOptimizer::load_state(const NamedTensors& whole, int64_t steps) {
  NamedTensors share = whole;
  std::erase_if(share, [&](const NamedTensor& one) { return !is_of(one, link_.rank()); });
  if (own_) own_->load_state(share, steps);
  steps_ = steps;
}

}  // namespace gradus::distributed
