// Placements that differ by a factor or by the block's number, beyond the values of test_block.cpp.
#include "nn/block/norm_placement.h"

#include <cmath>

#include "core/composites/composites.h"
#include "core/tensor/random.h"
#include "nn/block/block.h"
#include "nn/block/scaled_residual.h"
#include "nn/norm/norm_table.h"
#include "tests/nn/block/function_layer.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::PlacementOptions norm_options(int64_t width, nn::StackShape stack, std::size_t sublayers = 1) {
  return {.make_norm = [width] { return nn::norms().find("rms-noeps").value({.width = width}); },
          .d_model = width,
          .sublayers = nn::SublayerOrder(sublayers, nn::SublayerKind::feed_forward),
          .stack = stack};
}

template <typename P> Tensor one_step(const nn::PlacementOptions& options, const Tensor& x, const std::function<Tensor(const Tensor&)>& f) {
  P placement(options);
  placement.to(DType::f64);
  FunctionLayer layer(f);
  return placement({x}, std::vector<nn::Sublayer>(options.sublayers.size(), layer)).x;
}

Tensor norm_wave(const Tensor& x) { return sin(3 * x); }

}  // namespace

TEST_CASE(
    "block-orthogonal: what is added is perpendicular to the stream, whose squared length grows by its own; what lies along the stream "
    "changes "
    "nothing") {
  const Tensor x = draw({2, 3, 6}, 1);
  const auto squares = [](const Tensor& t) { return sum(square(t), -1); };
  const Tensor y = one_step<nn::OrthogonalResidual>(norm_options(6, {}), x, norm_wave);
  CHECK(max(abs(sum((y - x) * x, -1))).item() < 1e-5);  // ε
  CHECK(difference(squares(y), squares(x) + squares(y - x), 1e-5) == "");
  CHECK(max_difference(y, x) > 0.1);
  const Tensor along = one_step<nn::OrthogonalResidual>(norm_options(6, {}), x, [](const Tensor& in) { return 5 * in; });
  CHECK(difference(along, x, 1e-5) == "");
}

TEST_CASE(
    "convention-orthogonal-axes: products over each token's columns leave the past as it is when a later token changes; over the whole "
    "sequence they do not") {
  const Tensor x = draw({1, 3, 6}, 1), other = cat({slice(x, 1, 0, 2), -2 * slice(x, 1, 2)}, 1);
  const auto own = [](const Tensor& t) { return one_step<nn::OrthogonalResidual>(norm_options(6, {}), t, norm_wave); };
  const auto over_all = [](const Tensor& t) {
    const Tensor y = norm_wave(t * rsqrt(mean(square(t), -1, true)));
    return t + y - sum(t * y, {-1, -2}, true) / sum(square(t), {-1, -2}, true) * t;
  };
  const auto past = [](const Tensor& t) { return slice(t, 1, 0, 2); };
  CHECK(equal(past(own(x)), past(own(other))));
  CHECK(max_difference(past(over_all(x)), past(over_all(other))) > 0.01);
}

TEST_CASE("block-highway: through 96 sublayers as large as the stream more than 0.99 of it is left, of post-norm 2^(-48)") {
  const Tensor x = randn({8, 512}, DType::f64);
  const auto noise = [](const Tensor& in) { return randn(in.shape(), DType::f64); };
  const auto left = [&](const Tensor& y) { return (sum(x * y) / (norm(x) * norm(y))).item(); };
  CHECK(left(one_step<nn::HighwayNorm>(norm_options(512, {.layers = 48}, 96), x, noise)) > 0.97);
  CHECK(std::abs(left(one_step<nn::PostNorm>(norm_options(512, {.layers = 48}, 96), x, noise))) < 0.1);
  // α is the number of sublayers of the whole stack.
  const Tensor one = one_step<nn::HighwayNorm>(norm_options(512, {.layers = 7}, 1), x, [](const Tensor& in) { return in; });
  CHECK(difference(one, x * rsqrt(mean(square(x), -1, true)), 1e-12) == "");
  const Tensor given = randn({8, 512}, DType::f64);
  const Tensor sum_of_both = 7 * x + given;
  CHECK(difference(one_step<nn::HighwayNorm>(norm_options(512, {.layers = 7}, 1), x, [&](const Tensor&) { return given; }),
                   sum_of_both * rsqrt(mean(square(sum_of_both), -1, true)), 1e-12) == "");
}

TEST_CASE("block-mix: the first quarter of the blocks, rounded up, is post-norm to the last bit, the others pre-norm") {
  const Tensor x = draw({2, 3, 6}, 1);
  for (const int64_t layers : {1, 2, 4, 5, 12}) {
    for (int64_t index = 0; index < layers; ++index) {
      const nn::PlacementOptions options = norm_options(6, {.layers = layers, .index = index}, 2);
      const bool post = index < (layers + 3) / 4;
      CHECK(equal(one_step<nn::MixNorm>(options, x, norm_wave),
                  post ? one_step<nn::PostNorm>(options, x, norm_wave) : one_step<nn::PreNorm>(options, x, norm_wave)));
      CHECK(nn::MixNorm(options).describe() == (post ? "MixNorm(post)" : "MixNorm(pre)"));
    }
  }
}

TEST_CASE("block-depth-scaled-norm: block l gives its sublayers 1/√l of the norm, the first as pre-norm does") {
  const Tensor x = draw({2, 3, 6}, 1);
  for (const int64_t index : {0, 1, 8}) {
    const double root = std::sqrt(static_cast<double>(index) + 1);
    const nn::PlacementOptions options = norm_options(6, {.layers = 9, .index = index});
    const auto of_scaled = [root](const Tensor& in) { return norm_wave(in / root); };
    CHECK(difference(one_step<nn::DepthScaledNorm>(options, x, norm_wave), one_step<nn::PreNorm>(options, x, of_scaled), 1e-14) == "");
  }
}

TEST_CASE("block-hybrid: post-norm around attention without a norm, and then a plain residual around the feed-forward layer") {
  const Tensor x = draw({2, 3, 6}, 1);
  const auto with_order = [](nn::SublayerKind kind, int64_t index) {
    nn::PlacementOptions options = norm_options(6, {.layers = 3, .index = index});
    options.sublayers = {kind};
    return options;
  };
  const nn::PlacementOptions attention = with_order(nn::SublayerKind::attention, 1), wide = norm_options(6, {.layers = 3, .index = 1});
  const Tensor u = one_step<nn::HybridNorm>(attention, x, norm_wave);
  CHECK(equal(u, x + norm_wave(x)));
  const Tensor n = one_step<nn::PostNorm>(attention, x, norm_wave);
  CHECK(difference(one_step<nn::HybridNorm>(wide, u, norm_wave), n + norm_wave(n), 1e-14) == "");
}

TEST_CASE("block-hybrid: in HybridNorm* the first block is pre-norm, to the last bit, and the others are as without the star") {
  const Tensor x = draw({2, 3, 6}, 1);
  struct Star : nn::HybridNorm {
    explicit Star(const nn::PlacementOptions& options) : nn::HybridNorm(options, true) {}
  };
  for (const int64_t index : {0, 1, 2}) {
    const nn::PlacementOptions options = norm_options(6, {.layers = 3, .index = index});
    const Tensor plain = one_step<nn::HybridNorm>(options, x, norm_wave), pre = one_step<nn::PreNorm>(options, x, norm_wave);
    CHECK(equal(one_step<Star>(options, x, norm_wave), index == 0 ? pre : plain));
    CHECK(max_difference(plain, pre) > 0.1);
    CHECK(Star(options).describe() == (index == 0 ? "HybridNorm(pre)" : "HybridNorm"));
    CHECK(Star(options).extras().qkv_norm);
  }
}

TEST_CASE("block-hybrid: attention with norms of queries, keys and values does not see how loud a token is") {
  const Tensor x = draw({2, 5, 8}, 1), loud = x * tensor({{1}, {3}, {0.5}, {100}, {7}}, DType::f64);
  const auto attend = [&](std::optional<nn::QKNormChoice> of_scores, std::optional<nn::NormChoice> of_values) {
    manual_seed(3);
    nn::MultiHeadAttention attention({.d_model = 8, .heads = 2, .qk_norm = of_scores, .value_norm = of_values});
    attention.to(DType::f64);
    return Tensors{attention(x), attention(loud)};
  };
  const Tensors blind = attend("rms-noeps", "rms-noeps"), scores_alone = attend("rms-noeps", {}), values_alone = attend({}, "rms-noeps");
  CHECK(difference(blind[1], blind[0], 1e-12) == "");
  CHECK(max_difference(scores_alone[1], scores_alone[0]) > 0.1);
  CHECK(max_difference(values_alone[1], values_alone[0]) > 0.01);
  CHECK(max_difference(blind[0], scores_alone[0]) > 0.01);
}

TEST_CASE("block-hybrid: a block norms queries, keys and values over each head, unless qk_norm says how") {
  const auto text = [](std::optional<nn::QKNormChoice> qk_norm, bool shares_kv = false) {
    return nn::Block({.attention = {.d_model = 8, .heads = 2, .qk_norm = qk_norm, .shares_kv = shares_kv},
                      .feed_forward = {.d_model = 8, .d_ff = 12},
                      .stack = {},
                      .placement = "hybrid"})
        .str();
  };
  const auto has = [](const std::string& in, const char* what) { return in.find(what) != std::string::npos; };
  CHECK(has(text({}), "q_norm: RMSNorm(4"));
  CHECK(has(text({}), "value_norm: RMSNorm(4"));
  CHECK(has(text("cosine"), "CosineQKNorm"));
  CHECK(has(text("cosine"), "value_norm: RMSNorm(4"));
  CHECK(!has(text({}, true), "value_norm"));  // the values are an earlier layer's
}

TEST_CASE("block-hybrid: each norm but the first divides the stream by √3: of 3 blocks 1/√18 is left, of post-norm 1/8") {
  const Tensor x = randn({8, 16384}, DType::f64);
  const auto noise = [](const Tensor& in) { return randn(in.shape(), DType::f64); };
  const auto left = [&](const Tensor& y) { return (sum(x * y) / sum(square(x))).item(); };
  nn::PlacementOptions options = norm_options(16384, {.layers = 3}, 6);
  for (std::size_t i = 0; i < 6; i += 2) options.sublayers[i] = nn::SublayerKind::attention;
  CHECK(left(one_step<nn::HybridNorm>(options, x, noise)) == doctest::Approx(1 / std::sqrt(18.0)).epsilon(0.08));
  CHECK(left(one_step<nn::PostNorm>(options, x, noise)) == doctest::Approx(1.0 / 8).epsilon(0.1));
}

TEST_CASE(
    "convention-hybrid-post: where post-norm is norm(x + g(x)), a block hands on rows of length 1, and the authors' HybridNorm longer "
    "ones") {
  const Tensor x = draw({2, 3, 6}, 1);
  const nn::PlacementOptions options = norm_options(6, {.layers = 3, .index = 1});
  const auto mean_square = [](const Tensor& y) { return mean(square(y), -1); };
  const Tensor usual = one_step<nn::PostNorm>(options, x, norm_wave), hybrid = one_step<nn::HybridNorm>(options, x, norm_wave);
  CHECK(difference(mean_square(usual), ones({2, 3}, DType::f64), 1e-12) == "");
  CHECK(max_difference(mean_square(hybrid), ones({2, 3}, DType::f64)) > 0.1);
  const Tensor n = one_step<nn::PostNorm>(options, x, [](const Tensor& in) { return 0 * in; });
  CHECK(difference(hybrid, n + norm_wave(n), 1e-14) == "");
}
