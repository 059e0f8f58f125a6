#include "nn/pytorch_names.h"

#include <array>
#include <numeric>

namespace gradus::nn {
namespace {

// {ours, PyTorch's}, each one or several whole names of a path; from the first to the last.
constexpr std::array<std::pair<const char*, const char*>, 18> kNames{
    {
        {"gain", "weight"},
        {"running_variance", "running_var"},
        {"num_batches", "num_batches_tracked"},
        {"placement.norm1", "norm1"},
        {"placement.norm2", "norm2"},
        {"placement.norm3", "norm3"},
        {"attention", "self_attn"},
        {"cross_attention", "multihead_attn"},
        {"feed_forward.w1", "linear1"},
        {"feed_forward.w2", "linear2"},
        {"blocks", "layers"},
        {"final_norm", "norm"},
        {"q_proj.weight", "in_proj_weight"},
        {"k_proj.weight", "in_proj_weight"},
        {"v_proj.weight", "in_proj_weight"},
        {"q_proj.bias", "in_proj_bias"},
        {"k_proj.bias", "in_proj_bias"},
        {"v_proj.bias", "in_proj_bias"},
    },
};

// PyTorch's path for one of ours; q, k and v share one.
std::string their_path(const std::string& path) {
  std::string result = "." + path + ".";
  for (const auto& [ours, theirs] : kNames) {
    const auto at = result.find(fmt::format(".{}.", ours));
    if (at != std::string::npos) result.replace(at + 1, std::string(ours).size(), theirs);
  }
  return result.substr(1, result.size() - 2);
}

bool is_packed(const std::string& theirs) { return theirs.find("in_proj_") != std::string::npos; }

}  // namespace

NamedTensors to_pytorch(Module& module) {
  NamedTensors result;
  std::map<std::string, std::size_t> packed;  // where each packed tensor is in the result
  for (const NamedTensor& own : module.state_dict()) {
    const std::string name = their_path(own.name);
    const Tensor part = own.tensor.detach();
    if (is_packed(name) && !packed.emplace(name, result.size()).second) {
      Tensor& whole = result[packed[name]].tensor;
      check<ShapeError>(part.shape().slice(1, part.rank()) == whole.shape().slice(1, whole.rank()),
                        "to_pytorch: {} of shape {} cannot be packed into {} beside {}: PyTorch's q, k and v read vectors of one width",
                        own.name, part.shape(), name, whole.shape());
      whole = cat({whole, part}, 0);
    } else {
      result.emplace_back(name, part, own.role);
    }
  }
  io::check_names(result, "to_pytorch");
  return result;
}

NamedTensors from_pytorch(Module& module, const NamedTensors& state) {
  NamedTensors result;
  std::map<std::string, std::vector<NamedTensor>> own_by_theirs;
  for (const NamedTensor& own : module.state_dict()) own_by_theirs[their_path(own.name)].push_back(own);
  for (const NamedTensor& given : state) {
    const auto found = own_by_theirs.find(given.name);
    if (found == own_by_theirs.end()) {
      result.push_back(given);
    } else if (found->second.size() == 1) {
      result.emplace_back(found->second[0].name, given.tensor, found->second[0].role);
    } else {
      std::vector<int64_t> rows;
      for (const NamedTensor& own : found->second) rows.push_back(own.tensor.size(0));
      const int64_t all = std::accumulate(rows.begin(), rows.end(), int64_t{0});
      check_defined({{given.name.c_str(), given.tensor}}, "from_pytorch");
      check<ShapeError>(given.tensor.rank() > 0 && given.tensor.size(0) == all,
                        "from_pytorch: {} has shape {}, but q, k and v have {} rows", given.name, given.tensor.shape(), all);
      const Tensors parts = split(given.tensor.is_leaf() ? given.tensor.detach() : given.tensor, rows, 0);
      for (std::size_t i = 0; i < parts.size(); ++i) result.emplace_back(found->second[i].name, parts[i], found->second[i].role);
    }
  }
  return result;
}

}  // namespace gradus::nn
