#include "core/options/per_layer.h"

#include <optional>
#include <string>

#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

template <typename T> std::vector<T> of_layers(const PerLayer<T>& option, int64_t layers) {
  std::vector<T> values;
  for (int64_t i = 0; i < layers; ++i) values.push_back(option.of(i));
  return values;
}

}  // namespace

TEST_CASE("model-layer-pattern: a plain value is that of every layer") {
  const PerLayer<int64_t> window = 64;
  CHECK(of_layers(window, 3) == std::vector<int64_t>{64, 64, 64});
  CHECK_FALSE(window.varies());
  CHECK(window.period() == 1);
  const PerLayer<std::optional<double>> none, one = 5;
  CHECK_FALSE(none.of(7).has_value());
  CHECK(one.of(7) == 5.0);
  const PerLayer<std::string> name = "rms";
  CHECK(name.of(0) == "rms");
}

TEST_CASE("model-layer-pattern: runs follow each other from the first layer on, and begin again after the last") {
  const PerLayer<int64_t> window = {{512, 2}, {0}, {7, 1}};
  CHECK(of_layers(window, 10) == std::vector<int64_t>{512, 512, 0, 7, 512, 512, 0, 7, 512, 512});
  CHECK(window.varies());
  CHECK(window.period() == 4);
  const PerLayer<std::string> names = window.map([](int64_t value) { return std::to_string(value); });
  CHECK(of_layers(names, 5) == std::vector<std::string>{"512", "512", "0", "7", "512"});
  CHECK(&window.of(0) == &window.of(5));  // one run
}

TEST_CASE("model-layer-pattern: a pattern without a value, and a run without layers, are refused") {
  CHECK_THROWS_WITH_AS(PerLayer<int64_t>(std::vector<PerLayer<int64_t>::Run>{}), "PerLayer: a pattern needs a value", ValueError);
  for (const int64_t layers : {int64_t{0}, int64_t{-1}, int64_t{1} << 60}) {
    CHECK_THROWS_WITH_AS((PerLayer<int64_t>{{1, 2}, {3, layers}}),
                         fmt::format("PerLayer: a run must be of 1 to 2²⁰ layers, got {}", layers).c_str(), ValueError);
  }
}
