#include <doctest/doctest.h>

#include "core/edit_distance.h"

using gradus::nearest;

TEST_CASE("nearest: the name that was meant; of a text of megabytes only the beginning counts") {
  const std::vector<std::string> names{"layer", "rms", "batch", "instance"};
  CHECK(nearest("lyaer", names) == "layer");
  CHECK(nearest("", names) == "rms");
  CHECK(nearest(std::string(100, 'x') + "layer", names) == "instance");  // as far from all, and the longest
  CHECK(nearest("bat" + std::string(100'000'000, 'c'), names) == "batch");
}
