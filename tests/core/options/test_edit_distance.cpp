#include <doctest/doctest.h>

#include "core/options/edit_distance.h"

using gradus::nearest;

TEST_CASE("nearest: the name that was meant; of a text of megabytes only the beginning counts") {
  const std::vector<std::string> names{"layer", "rms", "batch", "instance"};
  CHECK(nearest("lyaer", names) == "layer");
  CHECK(nearest("", names) == "rms");
  CHECK(nearest(std::string(100, 'x') + "layer", names) == "instance");  // as far from all, and the longest
  CHECK(nearest("adamm", {"adam", "adamw"}) == "adamw");                 // a letter mistyped, rather than one too many
  CHECK(nearest("bat" + std::string(100'000'000, 'c'), names) == "batch");
}

TEST_CASE("nearest: a longer or shorter form of a name comes before others that share some letters with it") {
  const std::vector<std::string> norms{"layer", "layer-std", "rms", "rms-l2", "deepnorm", "pre", "post"};
  CHECK(nearest("rmsnorm", norms) == "rms");
  CHECK(nearest("layer_norm", norms) == "layer");
  CHECK(nearest("prenorm", norms) == "pre");
  CHECK(nearest("post-norm", norms) == "post");
  const std::vector<std::string> schedules{"step", "wsd", "cosine-restarts", "cosine", "exponential", "polynomial"};
  CHECK(nearest("cos", schedules) == "cosine");
  CHECK(nearest("exp", schedules) == "exponential");
  CHECK(nearest("poly", schedules) == "polynomial");
  CHECK(nearest("cosine_rest", schedules) == "cosine-restarts");
  CHECK(nearest("s", {"wsd", "sgd", "step"}) == "wsd");  // one letter is no form of a name
}
