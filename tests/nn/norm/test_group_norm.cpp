#include "core/inspect/compare.h"
#include "nn/norm/group_norm.h"

#include "nn/norm/instance_norm.h"
#include "nn/norm/layer_norm.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::test;

namespace {

TensorFunction group(int64_t groups) {
  return [=](const Tensors& in) { return nn::group_norm(in[0], groups, argument(in, 1), argument(in, 2)); };
}

const TensorFunction instance = [](const Tensors& in) { return nn::instance_norm(in[0], argument(in, 1), argument(in, 2)); };

}  // namespace

TEST_CASE("norm-group: values and gradients equal PyTorch's") {
  CHECK(norm_against_pytorch("group_norm", group(2)) == "");
  CHECK(norm_against_pytorch("group_norm/vector", group(3)) == "");
  CHECK(norm_against_pytorch("group_norm/plain", group(2)) == "");
}

TEST_CASE("norm-instance: values and gradients equal PyTorch's") {
  CHECK(norm_against_pytorch("instance_norm", instance) == "");
  CHECK(norm_against_pytorch("instance_norm/plain", instance) == "");
}

TEST_CASE("norm-group, norm-instance: the fast path is the formula") {
  const auto group_formula = [](const Tensors& in) { return nn::formula::group_norm(in[0], 2, argument(in, 1), argument(in, 2), 1e-5); };
  const auto instance_formula = [](const Tensors& in) { return nn::formula::instance_norm(in[0], argument(in, 1), argument(in, 2), 1e-5); };
  for (const Shape& shape : {Shape{2, 4, 3}, Shape{2, 4, 2, 2}}) {
    const Tensors all{draw(shape, 3), draw({4}, 4), draw({4}, 5)};
    CHECK(check_fused("group_norm", group(2), group_formula, all) == "");
    CHECK(check_fused("group_norm, plain", group(2), group_formula, {all[0]}) == "");
    CHECK(check_fused("instance_norm", instance, instance_formula, all) == "");
    CHECK(check_fused("instance_norm, plain", instance, instance_formula, {all[0]}) == "");
  }
}

TEST_CASE("norm-group: one group is layer norm over (C, H, W), C groups are instance norm") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Generator sizes(seed);
    const Shape shape{1 + sizes.below(3), 1 + sizes.below(6), 2 + sizes.below(3), 1 + sizes.below(4)};
    const Tensor x = draw(shape, seed);
    CHECK(difference(nn::group_norm(x, 1), nn::layer_norm(x, shape.slice(1, 4)), 1e-14) == "");
    CHECK(difference(nn::group_norm(x, shape[1]), nn::instance_norm(x), 1e-14) == "");
  }
}

TEST_CASE("GroupNorm, InstanceNorm: modules") {
  const Tensor x = cast(draw({2, 6, 4}, 3), DType::f32);
  nn::GroupNorm norm(3, 6);
  CHECK(difference(norm(x), nn::group_norm(x, 3), 1e-7) == "");
  CHECK(norm.parameter_count() == 12);
  CHECK(norm.describe() == "GroupNorm(3 groups of 2, eps 1e-05)");
  nn::InstanceNorm plain(6);
  CHECK(equal(plain(x), nn::instance_norm(x)));
  CHECK(plain.state_dict().empty());
  plain.eval();
  CHECK(equal(plain(x), nn::instance_norm(x)));
  CHECK(nn::InstanceNorm(6, {}).state_dict().size() == 5);
}

TEST_CASE("GroupNorm, InstanceNorm: errors") {
  CHECK_THROWS_WITH_AS(nn::GroupNorm(4, 6), "GroupNorm: 4 groups do not divide 6 channels; take a divisor", ValueError);
  CHECK_THROWS_WITH_AS(nn::GroupNorm(0, 6), "GroupNorm: 0 groups do not divide 6 channels; take a divisor", ValueError);
  CHECK_THROWS_WITH_AS(nn::GroupNorm(2, 6, {.eps = -1}), "GroupNorm: eps must be finite and not negative, got -1", ValueError);
  nn::GroupNorm norm(6, 6);
  CHECK_THROWS_WITH_AS(norm(zeros({2, 6})),
                       "GroupNorm(6 groups of 1, eps 1e-05): one value has no variance: got shape [2, 6] for 6 groups; take fewer groups",
                       ValueError);
  CHECK_THROWS_WITH_AS(norm(zeros({2, 5, 3})), "GroupNorm(6 groups of 1, eps 1e-05): expected [N, 6, ...], got [2, 5, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::group_norm(zeros({2, 6, 3}), 4), "group_norm: 4 groups do not divide the 6 channels of [2, 6, 3]", ShapeError);
  nn::InstanceNorm instance_norm(6);
  CHECK_THROWS_WITH_AS(instance_norm(zeros({2, 6})),
                       "InstanceNorm(6, eps 1e-05): expected [N, C, L] or [N, C, H, W] with C = 6, got [2, 6]", ShapeError);
  CHECK_THROWS_WITH_AS(
      instance_norm(zeros({2, 6, 1})),
      "InstanceNorm(6, eps 1e-05): one value has no variance: got shape [2, 6, 1]; give it more to average over, or use eval()",
      ValueError);
}
