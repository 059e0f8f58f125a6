#include "core/inspect/compare.h"
#include "examples/shared/study/norm_axes.h"

#include "nn/norm/batch_norm.h"
#include "nn/norm/dynamic_function.h"
#include "nn/norm/group_norm.h"
#include "nn/norm/instance_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/norm_table.h"
#include "nn/norm/rms_norm.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

TEST_CASE("norm-axes, erratum-7: what each norm averages over in [N, C, H, W]") {
  const Shape image{2, 6, 3, 4};
  nn::BatchNorm2d batch(6);
  nn::InstanceNorm instance(6);
  nn::GroupNorm group(2, 6);
  nn::LayerNorm layer({6, 3, 4});
  nn::ChannelLayerNorm channels(6);
  CHECK(norm_extent(batch, image) == Shape{2, 1, 3, 4});
  CHECK(norm_extent(instance, image) == Shape{1, 1, 3, 4});
  CHECK(norm_extent(group, image) == Shape{1, 3, 3, 4});
  CHECK(norm_extent(layer, image) == Shape{1, 6, 3, 4});
  CHECK(norm_extent(channels, image) == Shape{1, 6, 1, 1});
  batch.eval();
  CHECK(norm_extent(batch, image) == Shape{1, 1, 1, 1});
}

TEST_CASE(
    "norm-axes, erratum-8: in [B, T, C] every norm averages over one token's features, but batch norm over all "
    "tokens") {
  const Shape tokens{2, 3, 8};
  for (const auto& row : nn::norms().variants) {
    CAPTURE(row.name);
    const Shape extent = norm_extent(*row.value({.width = 8}), tokens);
    if (row.name == "batch") CHECK(extent == Shape{2, 3, 1});
    else if (row.name == "group") CHECK(extent == Shape{1, 1, 2});
    else if (row.name == "dyt" || row.name == "derf") CHECK(extent == Shape{1, 1, 1});
    else CHECK(extent == Shape{1, 1, 8});
  }
}

TEST_CASE("norm-axes, norm-rms: RMSNorm takes one statistic of the numbers of which layer norm takes two") {
  const Shape image{2, 3, 4, 6};  // channels last
  nn::RMSNorm rms(6);
  nn::LayerNorm layer({6});
  CHECK(norm_extent(rms, image) == Shape{1, 1, 1, 6});
  for (const Shape& index : {Shape{0, 0, 0, 0}, Shape{1, 2, 1, 5}}) {
    CHECK(equal(norm_footprint(rms, image, index), norm_footprint(layer, image, index)));
  }
}

TEST_CASE("norm-axes: the footprint of one output element") {
  nn::GroupNorm norm(2, 4);
  const Tensor second_group = tensor({{{0, 0}, {0, 0}, {1, 1}, {1, 1}}});
  CHECK(max_difference(norm_footprint(norm, {1, 4, 2}, {0, 2, 1}), second_group) == 0);
  CHECK_THROWS_AS(norm_footprint(norm, {1, 4, 2}, {0, 4, 0}), ValueError);
}
