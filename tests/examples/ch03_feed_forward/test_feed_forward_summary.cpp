#include "examples/ch03_feed_forward/feed_forward_summary.h"

#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

TEST_CASE("feed-forward: the old and the modern layer side by side, counted on the layers themselves") {
  const FeedForwardSummary old = summarize_feed_forward("relu", 96), modern = summarize_feed_forward("swiglu", 96);
  CHECK(old.layer == "FeedForward(ReLU)");
  CHECK(modern.layer == "SwiGLU");
  CHECK(old.matrices == 2);
  CHECK(modern.matrices == 3);
  CHECK(old.width == 384);
  CHECK(modern.width == 256);
  CHECK(old.bias);
  CHECK_FALSE(modern.bias);
  CHECK(old.parameters == 2 * 96 * 384 + 384 + 96);
  CHECK(modern.parameters == old.parameters - 384 - 96);
  for (const auto& variant : nn::feed_forwards().variants) CHECK(summarize_feed_forward(variant.name, 64).width > 0);
}
