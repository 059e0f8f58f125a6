#include "nn/module.h"

#include <algorithm>
#include <unordered_set>

#include "nn/class_name.h"

namespace gradus::nn {
void Members::parameter(std::string name, Parameter& tensor, Role role) {
  check<GraphError>(!tensor.was_replaced(), "parameter '{}' was replaced by an assignment to it as a Tensor&; copy values in with assign()",
                    name);
  if (tensor.defined()) parameters_.push_back({std::move(name), &tensor, role, true, &tensor});
}

void Members::buffer(std::string name, Tensor& tensor, bool persistent) {
  if (tensor.defined()) buffers_.push_back({std::move(name), &tensor, Role::other, persistent});
}

void Members::child(std::string name, Module& module) { children_.emplace_back(std::move(name), &module); }

// Where a module stands below another.
struct Module::Place {
  Module& module;
  std::string name;    // in the module above: "norm"
  std::string prefix;  // of what is below: "blocks.0.norm."
};

// The way from the outermost module down to one of its tree, and the paths that were met so far.
class Module::Way {
 public:
  explicit Way(bool by_path = true) : by_path_(by_path) {}  // without paths a walk takes a fifth of the time
  std::size_t depth() const { return above_.size(); }
  bool by_path() const { return by_path_; }

  void down(const Place& place);  // ValueError if members lie 1000 deep
  void up() { above_.pop_back(); }
  void take(const std::string& path);  // the path of a member here; ValueError if two have it

 private:
  std::string outermost() const { return name_of_class(typeid(*above_.front())); }

  bool by_path_;
  std::vector<const Module*> above_;
  std::unordered_set<std::string> taken_;
};

// Calls visit(place, its members, depth), parents before children.
template <typename Visit> void Module::walk(const Visit& visit) {
  Way way;
  walk({*this, "", ""}, way, visit);
}

template <typename Visit> void Module::walk(const Place& place, Way& way, const Visit& visit) {
  check_still_here();
  way.down(place);
  Members found;
  members(found);
  if (way.by_path()) {
    for (const auto* group : {&found.parameters_, &found.buffers_}) {
      for (const auto& member : *group) way.take(place.prefix + member.name);
    }
    for (const auto& [name, child] : found.children_) way.take(place.prefix + name);
  }
  visit(place, found, way.depth() - 1);
  for (const auto& [name, child] : found.children_) {
    child->walk({*child, name, way.by_path() ? place.prefix + name + "." : std::string()}, way, visit);
  }
  way.up();
}

NamedTensors Module::named_parameters() {
  NamedTensors result;
  std::unordered_set<std::uint64_t> seen;
  walk([&](const Place& place, const Members& found, std::size_t) {
    for (const Members::Named& member : found.parameters_) {
      if (seen.insert(member.tensor->number()).second) result.emplace_back(place.prefix + member.name, *member.tensor, member.role);
    }
  });
  return result;
}

Tensors Module::parameters() {
  Tensors result;
  for (const auto& [path, tensor, role] : named_parameters()) result.push_back(tensor);
  return result;
}

std::vector<Parameter*> Module::parameter_fields() {
  std::vector<Parameter*> result;
  walk([&](const Place&, const Members& found, std::size_t) {
    for (const Members::Named& member : found.parameters_) result.push_back(member.parameter);
  });
  return result;
}

int64_t Module::parameter_count() {
  int64_t count = 0;
  for (const Tensor& parameter : parameters()) count += parameter.numel();
  return count;
}

NamedTensors Module::state_dict() {
  NamedTensors result = named_parameters();
  walk([&](const Place& place, const Members& found, std::size_t) {
    for (const Members::Named& member : found.buffers_) {
      if (member.persistent) result.emplace_back(place.prefix + member.name, *member.tensor, member.role);
    }
  });
  return result;
}

std::vector<std::string> Module::load_state_dict(const NamedTensors& state, io::LoadOptions options) {
  return io::load_tensors(state_dict(), state, options, "load_state_dict");
}

void Module::train(bool on) {
  std::vector<Module*> all;  // first: the walk may fail
  walk([&](const Place& place, const Members&, std::size_t) { all.push_back(&place.module); });
  for (Module* module : all) module->training_ = on;
}

Evaluating::Evaluating(Module& module) : module_(module) {
  module.walk(
      [&](const Module::Place& place, const Members&, std::size_t) { was_training_.emplace(&place.module, place.module.training_); });
  module.eval();
}

Evaluating::~Evaluating() {
  const auto restore = [this](Module& module) {
    if (const auto before = was_training_.find(&module); before != was_training_.end()) module.training_ = before->second;
  };
  restore(module_);
  try {  // to those that are there now: a module may have been replaced
    module_.walk([&](const Module::Place& place, const Members&, std::size_t) { restore(place.module); });
  } catch (...) {
  }
}

void Module::to(DType dtype) {
  check<DTypeError>(is_floating(dtype), "to: a module's parameters must be floating, got {}", dtype);
  std::vector<Members::Named> all;  // first: the walk may fail
  walk([&](const Place& place, const Members& found, std::size_t) {
    for (const auto* group : {&found.parameters_, &found.buffers_}) {
      for (const Members::Named& member : *group) {
        if (!member.persistent || !is_floating(member.tensor->dtype()) || member.tensor->dtype() == dtype) continue;
        check<GraphError>(member.tensor->is_leaf(), "to: {}{} was made by an op on the tape; let it be a detached copy", place.prefix,
                          member.name);
        all.push_back(member);
      }
    }
  });
  std::map<std::uint64_t, const Members::Named*> done;  // by the number before: what is tied stays tied
  for (const Members::Named& member : all) {
    const auto [first, is_new] = done.emplace(member.tensor->number(), &member);
    Parameter* tied = is_new ? nullptr : first->second->parameter;
    const Tensor after = is_new ? cast(member.tensor->detach(), dtype) : *first->second->tensor;
    if (member.parameter == nullptr) *member.tensor = after;
    else if (tied != nullptr) member.parameter->share(*tied);
    else member.parameter->replace(after);
  }
}

void Module::zero_grad() {
  for (const Tensor& parameter : parameters()) parameter.zero_grad();
}

Tensor Module::with_auxiliary_losses(const Tensor& loss) {
  Tensor sum = loss;
  Way way(false);
  walk({*this, "", ""}, way, [&](const Place& place, const Members&, std::size_t) {
    if (const Tensor own = place.module.auxiliary_loss(); own.defined()) sum = sum + own;
  });
  return sum;
}

void Module::after_step(const SumOverRanks& sum) {
  Way way(false);
  walk({*this, "", ""}, way, [&](const Place& place, const Members&, std::size_t) { place.module.own_step(sum); });
}

std::string Module::describe() const { return name_of_class(typeid(*this)); }

std::string Module::str() const {
  std::string text;
  auto* self = const_cast<Module*>(this);  // whose members() only names the fields
  self->walk([&](const Place& place, const Members&, std::size_t depth) {
    text += fmt::format("{:{}}{}{}\n", "", 2 * depth, place.name.empty() ? "" : place.name + ": ", place.module.describe());
  });
  return text;
}

std::optional<std::string> Module::path_of(const Module& part) {
  std::optional<std::string> path;
  walk([&](const Place& place, const Members&, std::size_t) {
    if (&place.module == &part && !path) path = place.prefix.substr(0, std::max<std::size_t>(place.prefix.size(), 1) - 1);
  });
  return path;
}

// --- what may go wrong -----------------------------------------------------------------------------------------

Module::Module(Module&& other) noexcept : training_(other.training_), moved_from_(std::exchange(other.moved_from_, true)) {}

void Module::refuse_moved() const {
  throw GraphError(fmt::format("{}: this module was moved from; use the one that it was moved into", name_of_class(typeid(*this))));
}

void Module::Way::down(const Place& place) {
  if (above_.size() == 1000) {
    throw ValueError(
        fmt::format("{}: members lie 1000 deep within one another, as '{}…'; is a module below itself, or does "
                    "members() make new ones?",
                    outermost(), place.prefix.substr(0, 40)));
  }
  above_.push_back(&place.module);
}

void Module::Way::take(const std::string& path) {
  if (taken_.insert(path).second) return;
  throw ValueError(fmt::format("{}: two members have the path '{}'; give each a name of its own in members()", outermost(), path));
}

}  // namespace gradus::nn
