#include "core/io/named_tensors.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "core/tensor/create.h"

namespace gradus {

NamedTensors named(const std::map<std::string, Tensor>& tensors) {
  NamedTensors result;
  for (const auto& [name, tensor] : tensors) result.emplace_back(name, tensor);
  return result;
}

namespace io {

void check_names(const char* caller, const NamedTensors& tensors) {
  std::set<std::string_view> names;
  for (const NamedTensor& tensor : tensors) {
    check<ValueError>(names.insert(tensor.name).second, "{}: two tensors are named '{}'; give one of them another name", caller,
                      tensor.name);
  }
}

namespace {

// Has `to` a place for each value of `from`? An i64 tensor has none for fractions, NaN and ±∞, a floating one none for finite
// numbers that it would round to ±∞.
bool holds(const Tensor& to, const Tensor& from) {
  const bool whole = !is_floating(to.dtype());
  if (to.dtype() == from.dtype() || (!whole && size_of(to.dtype()) > size_of(from.dtype()))) return true;
  try {
    Tensor cast(from.shape(), to.dtype()), back(from.shape(), from.dtype());
    cast.assign(from);
    if (whole) back.assign(cast);
    const std::vector<double> wanted = to_vector(from), got = to_vector(whole ? back : cast);
    return std::equal(wanted.begin(), wanted.end(), got.begin(),
                      [&](double x, double y) { return whole ? x == y : std::isfinite(x) == std::isfinite(y); });
  } catch (const ValueError&) {
    return false;
  }
}

}  // namespace

std::vector<std::string> load_tensors(const char* caller, const NamedTensors& own, const NamedTensors& given,
                                      LoadOptions options) {
  check_names(caller, own);
  std::map<std::string, const Tensor*> source;  // the first of each name
  for (const auto& [name, tensor, role] : given) source.emplace(name, &tensor);

  std::vector<std::string> problems;
  std::set<std::string> wanted;
  std::vector<std::pair<Tensor, Tensor>> copies;  // to, from
  for (const auto& [name, tensor, role] : own) {
    wanted.insert(name);
    const auto found = source.find(name);
    if (found == source.end()) {
      problems.push_back("missing " + name);
    } else if (!tensor.defined()) {
      problems.push_back(name + " has no tensor to load into");
    } else if (!found->second->defined()) {
      problems.push_back(name + " is undefined");
    } else if (!found->second->is_leaf()) {
      problems.push_back(name + " is on the tape; detach() it");
    } else if (found->second->shape() != tensor.shape()) {
      problems.push_back(fmt::format("{} has shape {}, expected {}", name, found->second->shape(), tensor.shape()));
    } else if (!tensor.is_leaf()) {
      problems.push_back(name + " was made by an op and cannot be loaded into");
    } else if (!holds(tensor, *found->second)) {
      problems.push_back(fmt::format("{} has values that {} cannot hold", name, tensor.dtype()));
    } else {
      copies.emplace_back(tensor, *found->second);
    }
  }
  for (const auto& [name, tensor, role] : given) {
    if (wanted.count(name) == 0) {
      problems.push_back("unexpected " + name);
    } else if (source.at(name) != &tensor) {
      problems.push_back(name + " is given twice");
    }
  }

  check<ValueError>(!options.strict || problems.empty(), "{}: nothing was loaded: {}", caller,
                    fmt::join(problems, "; "));
  std::set<const void*> written;  // what is given may lie where something else is loaded, as when two layers change places
  for (const auto& [to, from] : copies) written.insert(to.bytes());
  for (auto& [to, from] : copies) {
    if (written.count(from.bytes()) != 0 && !from.shares_storage(to)) from = from.detached_copy();
  }
  for (auto& [to, from] : copies) to.assign(from);
  return problems;
}

}  // namespace io
}  // namespace gradus
