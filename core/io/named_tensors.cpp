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

void check_names(const NamedTensors& tensors, OpName op) {
  std::set<std::string_view> names;
  for (const NamedTensor& tensor : tensors) {
    check<ValueError>(names.insert(tensor.name).second, "{}: two tensors are named '{}'; give one of them another name", op, tensor.name);
  }
}

namespace {

std::vector<double> values_as(DType dtype, const Tensor& x) {
  Tensor y(x.shape(), dtype);
  y.assign(x);
  return to_vector(y);
}

// Has a tensor of this dtype a place for each value of x? One of i64 has none for fractions, NaN and what is too large, a floating
// one none for finite numbers that it would round to ±∞.
bool holds(DType dtype, const Tensor& x) {
  if (dtype == x.dtype() || (is_floating(dtype) && size_of(dtype) > size_of(x.dtype()))) return true;
  const std::vector<double> given = to_vector(x);
  const auto kept = [&](double before, double after) {
    return is_floating(dtype) ? std::isfinite(before) == std::isfinite(after) : before == after;
  };
  try {
    return std::equal(given.begin(), given.end(), values_as(dtype, x).begin(), kept);
  } catch (const ValueError&) {  // of assign: i64 cannot hold it
    return false;
  }
}

}  // namespace

std::vector<std::string> load_tensors(const NamedTensors& own, const NamedTensors& given, LoadOptions options, OpName op) {
  check_names(own, op);
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
    } else if (!holds(tensor.dtype(), *found->second)) {
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

  check<ValueError>(!options.strict || problems.empty(), "{}: nothing was loaded: {}", op, fmt::join(problems, "; "));
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
