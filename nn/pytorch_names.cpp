#include "nn/pytorch_names.h"

#include <array>

namespace gradus::nn {
namespace {

// {ours, PyTorch's}, each one or several whole names of a path; from the first to the last.
constexpr std::array<std::pair<const char*, const char*>, 12> kNames{{
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
}};

// Of a path of ours: PyTorch's, in which q, k and v have one name.
std::string their_path(const std::string& path) {
  std::string result = "." + path + ".";
  const auto replace = [&result](const std::string& from, const std::string& to) {
    const auto at = result.find("." + from + ".");
    if (at != std::string::npos) result.replace(at + 1, from.size(), to);
  };
  for (const auto& [ours, theirs] : kNames) replace(ours, theirs);
  for (const char* part : {"q_proj", "k_proj", "v_proj"}) {
    for (const char* leaf : {"weight", "bias"}) replace(fmt::format("{}.{}", part, leaf), fmt::format("in_proj_{}", leaf));
  }
  return result.substr(1, result.size() - 2);
}

bool is_packed(const std::string& theirs) { return theirs.find("in_proj_") != std::string::npos; }

}  // namespace

NamedTensors to_pytorch(Module& module) {
  NamedTensors result;
  std::map<std::string, Tensors> packed;
  NamedTensors state = module.state_dict();
  for (const NamedTensor& own : state) {
    if (is_packed(their_path(own.name))) packed[their_path(own.name)].push_back(own.tensor.detach());
  }
  for (const NamedTensor& own : state) {
    const std::string name = their_path(own.name);
    if (!is_packed(name)) {
      result.emplace_back(name, own.tensor.detach(), own.role);
    } else if (const auto parts = packed.find(name); parts != packed.end()) {
      result.emplace_back(name, cat(parts->second, 0), own.role);
      packed.erase(parts);
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
      int64_t all = 0;
      for (const NamedTensor& own : found->second) rows.push_back(own.tensor.size(0)), all += rows.back();
      check_defined({{given.name.c_str(), given.tensor}}, "from_pytorch");
      check<ShapeError>(given.tensor.rank() > 0 && given.tensor.size(0) == all, "from_pytorch: {} has shape {}, but q, k and v have {} rows",
                        given.name, given.tensor.shape(), all);
      const Tensors parts = split(given.tensor, rows, 0);
      for (std::size_t i = 0; i < parts.size(); ++i) result.emplace_back(found->second[i].name, parts[i], found->second[i].role);
    }
  }
  return result;
}

}  // namespace gradus::nn
