#include "nn/block/qk_norm.h"

#include "nn/norm/rms_norm.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor single(const Tensor& x) { return cast(x, DType::f32); }

}  // namespace

TEST_CASE("norm-qk: normalises every head's q and k, which bounds every score by √d") {
  nn::QKNorm norm(8);
  const Tensor q = single(100 * draw({2, 5, 3, 8})), k = single(100 * draw({2, 7, 3, 8}, 4));
  const auto [q_hat, k_hat] = norm.forward(q, k);
  CHECK(equal(q_hat, nn::rms_norm(q, ones({8}))));
  CHECK(k_hat.shape() == k.shape());
  const Tensor scores =
      matmul(permute(q_hat, {0, 2, 1, 3}), permute(k_hat, {0, 2, 1, 3}), {.transpose_b = true}) / std::sqrt(8.0);
  CHECK(max(abs(scores)).item() <= std::sqrt(8.0) * (1 + 1e-5));  // Cauchy and Schwarz: √d √d / √d
  CHECK(norm.parameter_count() == 16);
  CHECK(nn::QKNorm(8, "layer").parameter_count() == 32);
  CHECK_THROWS_WITH_AS(nn::QKNorm(8, "laier"), "unknown norm 'laier'; did you mean 'layer'?", ValueError);
}

TEST_CASE("norm-qk: q and k have a norm each, with gradients of their own") {
  nn::QKNorm norm(4);
  const nn::NamedTensors gains = norm.named_parameters();
  for (std::size_t i = 0; i < gains.size(); ++i) Tensor(gains[i].tensor).fill(2 + static_cast<double>(i));
  const Tensor q = single(draw({1, 2, 2, 4})).set_requires_grad(), k = single(draw({1, 3, 2, 4}, 4)).set_requires_grad();
  const auto [q_hat, k_hat] = norm.forward(q, k);
  CHECK(equal(q_hat, nn::rms_norm(q, full({4}, 2))));
  CHECK(equal(k_hat, nn::rms_norm(k, full({4}, 3))));
  const Tensor along_q = single(draw(q.shape(), 5)), along_k = single(draw(k.shape(), 6));
  const Tensors found = grad({q_hat, k_hat}, {q, k, gains[0].tensor, gains[1].tensor}, {.seeds = {along_q, along_k}});
  CHECK(equal(found[0], grad({nn::rms_norm(q, full({4}, 2))}, {q}, {.seeds = {along_q}})[0]));
  CHECK(equal(found[1], grad({nn::rms_norm(k, full({4}, 3))}, {k}, {.seeds = {along_k}})[0]));
  CHECK(difference(found[2], sum(along_q * nn::rms_norm(q.detach()), {0, 1, 2}), 1e-5) == "");
  CHECK(difference(found[3], sum(along_k * nn::rms_norm(k.detach()), {0, 1, 2}), 1e-5) == "");
}
