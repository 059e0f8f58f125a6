// PerLayer: an option that may differ from layer to layer of a stack.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/check.h"

namespace gradus {

// One value for all layers, or a pattern: runs of layers, repeated from the first layer on.
//
//   PerLayer<int64_t> window = 64;  // all layers
//   window = {{512, 5}, {0}};       // five layers of 512 and one of 0, again and again
//   window.of(11);                  // 0: layers count from 0
template <typename T> class PerLayer {
 public:
  using value_type = T;

  struct Run {
    T value;
    int64_t layers = 1;
  };

  PerLayer() : PerLayer(T()) {}

  template <typename Value>
  requires(!std::is_same_v<std::decay_t<Value>, PerLayer> && std::is_convertible_v<Value, T>)
  PerLayer(Value&& value) : runs_{{T(std::forward<Value>(value))}} {}

  PerLayer(std::initializer_list<Run> runs) : PerLayer(std::vector<Run>(runs)) {}

  // ValueError for no run, and for a run that is not of 1 … 2²⁰ layers.
  explicit PerLayer(std::vector<Run> runs) : runs_(std::move(runs)) {
    check<ValueError>(!runs_.empty(), "PerLayer: a pattern needs a value");
    for (const Run& run : runs_) {
      check<ValueError>(run.layers > 0 && run.layers <= (1 << 20), "PerLayer: a run must be of 1 to 2²⁰ layers, got {}", run.layers);
    }
  }

  // #region model-layer-pattern
  // The value of a layer, from 0. Layers of one run share it.
  const T& of(int64_t layer) const {
    int64_t place = layer % period();
    auto run = runs_.begin();
    while (place >= run->layers) place -= (run++)->layers;
    return run->value;
  }
  // #endregion model-layer-pattern

  // How many layers the pattern is of, before it begins again.
  int64_t period() const {
    int64_t layers = 0;
    for (const Run& run : runs_) layers += run.layers;
    return layers;
  }

  bool varies() const { return runs_.size() > 1; }
  const std::vector<Run>& runs() const { return runs_; }

  // The same pattern of the values f(value).
  template <typename F> auto map(const F& f) const {
    using Mapped = PerLayer<std::decay_t<decltype(f(runs_[0].value))>>;
    std::vector<typename Mapped::Run> runs;
    for (const Run& run : runs_) runs.push_back({f(run.value), run.layers});
    return Mapped(std::move(runs));
  }

 private:
  std::vector<Run> runs_;
};

}  // namespace gradus
