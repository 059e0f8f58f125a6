#include "examples/ablate/presets.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "core/options/table.h"
#include "nn/model/compatibility.h"

namespace gradus::examples {
namespace {

using Names = std::vector<std::string>;

// What every ablation starts from: a run takes about a second. Seeds and sweep are as the plan has them by itself.
constexpr const char* kSizes = "--d-model 32 --layers 2 --heads 2 --context 32 --batch 4 --steps 1500 --lr 6e-3";
constexpr const char* kFullSizes = "--d-model 32 --layers 2 --heads 2 --context 32 --batch 4 --steps 2000 --lr 6e-3";

// A family's names but some, the baseline first.
template <typename Make>
Names all_of(const Table<Make>& family, const std::string& baseline, const Names& left_out = {}) {
  Names names{baseline};
  for (const auto& row : family.variants) {
    const std::string name(row.name);
    if (name != baseline && std::find(left_out.begin(), left_out.end(), name) == left_out.end()) names.push_back(name);
  }
  return names;
}

// Those that mix tokens would let each see what it is to predict.
Names norms_of_causal_models() {
  Names mixing;
  for (const auto& row : nn::norms().variants) {
    nn::TransformerOptions model;
    model.norm = row.name;
    if (!nn::why_not(model).empty()) mixing.emplace_back(row.name);
  }
  return all_of(nn::norms(), "layer", mixing);
}

Names words_of(const std::string& text) {
  std::istringstream stream(text);
  Names words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all{
      {"placement",
       {"pre", "post", "sandwich", "deepnorm", "parallel", "resi-dual"},
       all_of(nn::placements(), "pre", {"adaptive"}),  // which takes a condition, and there is none
       "--layers 6 --steps 1000 --warmup 100 --lr 2e-3 --sweep 4 --sweep-seeds 1 --seeds 5 --show gradients,curves",
       "--d-model 64 --layers 6 --heads 4 --context 64 --batch 8 --steps 1500 --warmup 150 --lr 1e-3 --sweep 4 "
       "--sweep-seeds 1 --seeds 5 --show gradients,curves"},
      {"streams",  // what takes the place of x + f(x), in a deep stack
       {"pre", "attention-residual-blocks", "mhc", "gated-streams"},
       {"pre", "input-residual", "denseformer", "mudd", "attention-residual-blocks", "hyper-connections", "mhc", "gated-streams", "highway",
        "depth-scaled-norm", "orthogonal"},
       "--layers 12 --steps 1000 --warmup 100 --lr 4e-3 --sweep 4 --sweep-seeds 1 --seeds 5",
       "",
       "placement"},
      {"norm", {"layer", "rms", "layer-nobias", "scale-only", "center-only", "dyt"}, norms_of_causal_models(), "", ""},
      {"feed-forward",
       {"relu", "gelu", "silu", "swiglu", "geglu"},
       all_of(nn::feed_forwards(), "relu", {"moe"}),
       "",
       ""},        // at equal parameters experts would do less work
      {"experts",  // each byte through one: all do the same work, and the first is the dense layer
       {"1", "4", "8"},
       {"1", "2", "4", "8", "16", "32"},
       "--feed-forward moe --experts-per-token 1 --router softmax --equal nothing",
       ""},
      {"position",
       {"none", "sinusoidal", "learned", "rope", "alibi", "t5"},
       all_of(nn::position_encodings(), "none",  // but those that stretch a model which is trained already
              {"rope-interpolation", "rope-ntk", "rope-bands", "yarn", "yarn-half"}),
       "--show lengths,curves",
       ""},
  };
  return all;
}

std::vector<std::string> options_of_preset(const std::string& name, bool full) {
  Names options = words_of(full ? kFullSizes : kSizes);
  if (name.empty()) return options;
  Names known;
  for (const Preset& preset : presets()) {
    known.push_back(preset.name);
    if (preset.name != name) continue;
    const Names own{preset.flag(), fmt::format("{}", fmt::join(full ? preset.all : preset.few, ","))};
    const Names sizes = words_of(full && !preset.full_sizes.empty() ? preset.full_sizes : preset.sizes);
    options.insert(options.end(), own.begin(), own.end());
    options.insert(options.end(), sizes.begin(), sizes.end());
    return options;
  }
  throw ValueError(fmt::format("there is no preset '{}'; did you mean '{}'? The known ones: {}", name, nearest(lower_case(name), known),
                               fmt::join(known, ", ")));
}

}  // namespace gradus::examples
