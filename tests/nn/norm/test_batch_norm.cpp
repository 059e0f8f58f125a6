#include "core/inspect/compare.h"
#include "nn/norm/batch_norm.h"

#include "nn/norm/instance_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/per_token.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::test;

namespace {

const TensorFunction fast_batch = [](const Tensors& in) { return nn::batch_norm(in[0], argument(in, 1), argument(in, 2)); };
const TensorFunction batch_formula = [](const Tensors& in) {
  return nn::formula::batch_norm(in[0], argument(in, 1), argument(in, 2), 1e-5);
};

// Trains `norm` on the fixture's ten batches; compares its statistics, and then what it makes of them.
void check_running(const std::string& name, nn::ChannelNorm& norm) {
  CAPTURE(name);
  auto tensors = read_fixture("norm.safetensors").tensors;
  norm.to(DType::f64);
  for (const Tensor batch : tensors.at(name + "/batches")) norm(batch);
  CHECK(norm.running->batches.item() == 10);
  CHECK(difference(norm.running->mean, tensors.at(name + "/mean"), 1e-14) == "");
  CHECK(difference(norm.running->variance, tensors.at(name + "/variance"), 1e-14) == "");
  norm.eval();
  CHECK(difference(norm(tensors.at(name + "/last")), tensors.at(name + "/eval"), 1e-14) == "");
  CHECK(norm.running->batches.item() == 10);
}

}  // namespace

TEST_CASE("norm-batch: values and gradients equal PyTorch's") {
  for (const char* name : {"1d", "1d_length", "2d", "plain"}) {
    CHECK(norm_against_pytorch(fmt::format("batch_norm/{}", name), fast_batch) == "");
  }
}

TEST_CASE("norm-batch: the fast path is the formula") {
  for (const Shape& shape : {Shape{5, 3}, Shape{2, 3, 4}, Shape{2, 3, 2, 2}}) {
    const std::string name = fmt::format("batch_norm {}", shape);
    CHECK(check_fused(name, fast_batch, batch_formula, {draw(shape, 3), draw({3}, 4), draw({3}, 5)}) == "");
    CHECK(check_fused(name + ", plain", fast_batch, batch_formula, {draw(shape, 3)}) == "");
  }
}

TEST_CASE("norm-batch, norm-instance: running statistics equal PyTorch's after ten steps, and so does eval") {
  nn::BatchNorm1d one(3), with_length(3);
  nn::BatchNorm2d two(3, {.running = {.momentum = 0.3}});
  nn::InstanceNorm instance(3, {.affine = false, .track = true});
  check_running("running/1d", one);
  check_running("running/1d_length", with_length);
  check_running("running/2d", two);
  check_running("running/instance", instance);
}

TEST_CASE("norm-batch: in f16 a variance beyond 65504 is stored as ∞, and eval gives the bias") {
  nn::BatchNorm1d norm(2);
  norm.to(DType::f16);
  norm.bias.fill(3);
  const Tensor x = tensor({{60'000, 1}, {-60'000, 2}}, DType::f16);
  norm(x);
  CHECK(std::isinf(norm.running->variance.at({0})));
  CHECK(std::isfinite(norm.running->variance.at({1})));
  norm.eval();
  CHECK(to_vector(slice(norm(x), 1, 0, 1)) == Values{3, 3});
}

TEST_CASE("norm-batch: the module collects and evaluates by the formula") {
  nn::BatchNorm2d norm(3);
  norm.to(DType::f64);
  const Tensor gain = draw({3}, 4), bias = draw({3}, 5);
  norm.gain.assign(gain);
  norm.bias.assign(bias);
  nn::formula::RunningValues running{constant({3}, 0), constant({3}, 1)};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Tensor x = draw({4, 3, 2, 2}, seed);
    CHECK(difference(norm(x), nn::formula::batch_norm(x, gain, bias, 1e-5), 1e-14) == "");
    running = nn::formula::batch_norm_running(running, x, 0.1);
  }
  norm.eval();
  const Tensor x = draw({4, 3, 2, 2}, 9);
  CHECK(difference(norm.running->mean, running.mean, 1e-15) == "");
  CHECK(difference(norm.running->variance, running.variance, 1e-15) == "");
  CHECK(difference(norm(x), nn::formula::batch_norm_eval(x, running, gain, bias, 1e-5), 1e-14) == "");
}

TEST_CASE("norm-batch: derivatives in eval, where the statistics are constants") {
  const Tensor mean = draw({3}, 6), variance = draw({3}, 7) + 3;
  CHECK(check_derivatives([=](const Tensors& in) { return nn::normalize_by(in[0], mean, variance, in[1], in[2], 1e-5); },
                          {draw({2, 3, 2}, 3), draw({3}, 4), draw({3}, 5)}) == "");
}

TEST_CASE("norm-batch: in training a channel's mean is 0 and its variance 1; in eval that is true of no one batch") {
  nn::BatchNorm2d norm(3);
  norm.to(DType::f64);
  const Tensor x = 2 * draw({4, 3, 5, 5}, 3) + 1;
  const Tensor trained = norm(x);
  CHECK(difference(mean(trained, {0, 2, 3}), constant({3}, 0), 1e-14) == "");
  CHECK(difference(var(trained, {0, 2, 3}, 0), constant({3}, 1), 1e-4) == "");  // ε / σ²
  norm.eval();
  const Tensor used = norm(x);
  CHECK(max_difference(used, trained) > 0.5);
  for (int i = 0; i < 200; ++i) {
    norm.train();
    norm(x);
  }
  norm.eval();  // 0.9²⁰⁰ = 7e-10 of the start is left; the variances differ by n / (n - 1) = 100 / 99
  CHECK(difference(norm(x), trained, 0.01) == "");
}

TEST_CASE("norm-batch: mixes samples, forward and backward; norm-layer does not") {
  const Tensor x = draw({4, 3}, 3), g = draw({4, 3}, 8);
  const Tensor bump = cat({constant({1, 3}, 0.5) * tensor({1, -2, 3}, DType::f64), constant({3, 3}, 0)}, 0);
  const auto others_move = [&](const std::function<Tensor(const Tensor&)>& norm) {
    const auto others = [](const Tensor& all) { return slice(all, 0, 1); };
    const auto run = [&](const Tensor& in) {
      const Tensor leaf = in.detached_copy().set_requires_grad(), y = norm(leaf);
      return std::pair{y.detach(), gradient(y, leaf, g)};
    };
    const auto before = run(x), after = run(x + bump);
    return std::pair{max_difference(others(before.first), others(after.first)),
                     max_difference(others(before.second), others(after.second))};
  };
  const auto batch = others_move([](const Tensor& in) { return nn::batch_norm(in); });
  const auto layer = others_move([](const Tensor& in) { return nn::layer_norm(in, {3}); });
  CHECK(batch.first > 0.1);
  CHECK(batch.second > 0.1);
  CHECK(layer.first == 0);
  CHECK(layer.second == 0);
}

TEST_CASE("norm-batch: is norm-layer of the transposed matrix") {
  const Tensor x = draw({5, 7}, 3);
  CHECK(difference(nn::batch_norm(x), transpose(nn::layer_norm(transpose(x), {5})), 1e-14) == "");
}

// Layer norm: two samples become equal, their features do not. Batch norm: two features become equal, the samples do not.
TEST_CASE("norm-layer, norm-batch: of two samples of two features one keeps which feature is larger, the other which sample") {
  const Tensor x = tensor({{0, 4}, {10, 30}}, DType::f64);
  CHECK(difference(nn::layer_norm(x, {2}, {}, {}, 0), tensor({{-1, 1}, {-1, 1}}, DType::f64), 1e-15) == "");
  CHECK(difference(nn::batch_norm(x, {}, {}, 0), tensor({{-1, -1}, {1, 1}}, DType::f64), 1e-15) == "");
}

TEST_CASE("norm-batch: the running statistics are saved and loaded") {
  nn::BatchNorm1d one(3), other(3);
  for (std::uint64_t seed = 0; seed < 3; ++seed) one(cast(draw({4, 3}, seed), DType::f32));
  std::string names;
  for (const auto& [name, tensor, role] : one.state_dict()) names += name + " ";
  CHECK(names == "gain bias running_mean running_variance num_batches ");
  other.load_state_dict(one.state_dict());
  one.eval();
  other.eval();
  const Tensor x = cast(draw({4, 3}, 9), DType::f32);
  CHECK(equal(one(x), other(x)));
  CHECK(other.running->batches.item() == 3);
}

TEST_CASE("norm-batch: without tracking eval is as training; without affine there are no parameters") {
  nn::BatchNorm1d norm(3, {.affine = false, .track = false});
  CHECK(norm.state_dict().empty());
  const Tensor x = cast(draw({4, 3}, 3), DType::f32);
  const Tensor trained = norm(x);
  norm.eval();
  CHECK(equal(norm(x), trained));
  CHECK(norm.describe() == "BatchNorm1d(3, eps 1e-05)");
  CHECK(nn::BatchNorm2d(3).describe() == "BatchNorm2d(3, eps 1e-05, running statistics)");
}

TEST_CASE("norm-batch: PerToken pools all tokens of a batch") {
  nn::PerToken norm(std::make_unique<nn::BatchNorm1d>(4));
  const Tensor x = cast(draw({2, 3, 4}, 3), DType::f32);
  CHECK(equal(norm(x), reshape(nn::batch_norm(reshape(x, {6, 4}), ones({4}), zeros({4})), {2, 3, 4})));
}

TEST_CASE("norm-batch: samples of one place each are enough, and places of one sample") {
  const Tensor x = cast(draw({4, 3}, 3), DType::f32), expected = nn::batch_norm(x);
  nn::BatchNorm1d norm(3);
  CHECK(equal(norm(reshape(x, {4, 3, 1})), reshape(expected, {4, 3, 1})));
  CHECK(equal(norm(unsqueeze(transpose(x), 0)), unsqueeze(transpose(expected), 0)));
}

TEST_CASE("norm-batch: f16 is collected in f32") {
  nn::BatchNorm1d norm(2);
  norm.to(DType::f16);
  norm(full({100, 2}, 1000, DType::f16));  // the sum, 100000, is beyond f16
  CHECK(difference(norm.running->mean, full({2}, 100, DType::f64), 1e-3) == "");
}

TEST_CASE("norm-batch: a call that fails leaves the running statistics as they were") {
  nn::BatchNorm1d layer(2);
  layer.bias.share(zeros({2}, DType::f64));
  CHECK_THROWS_AS(layer(randn({4, 2})), DTypeError);
  CHECK(equal(layer.running->mean, zeros({2})));
  CHECK(layer.running->batches.item() == 0);
}

TEST_CASE("BatchNorm: errors") {
  CHECK_THROWS_WITH_AS(nn::BatchNorm1d(0), "BatchNorm1d: the number of channels must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::BatchNorm1d(2, {.eps = -1}), "BatchNorm1d: eps must be finite and not negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(nn::BatchNorm2d(2, {.running = {.momentum = 2}}), "BatchNorm2d: momentum must be in [0, 1], got 2", ValueError);
  nn::BatchNorm1d one(3);
  nn::BatchNorm2d two(3);
  CHECK_THROWS_WITH_AS(one(zeros({2, 4})),
                       "BatchNorm1d(3, eps 1e-05, running statistics): expected [N, C] or [N, C, L] with C = 3, got [2, 4]", ShapeError);
  CHECK_THROWS_WITH_AS(two(zeros({2, 3})), "BatchNorm2d(3, eps 1e-05, running statistics): expected [N, C, H, W] with C = 3, got [2, 3]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(one(zeros({1, 3})),
                       "BatchNorm1d(3, eps 1e-05, running statistics): one value has no variance: got shape [1, 3]; give it more to "
                       "average over, or use eval()",
                       ValueError);
  CHECK_THROWS_AS(two(zeros({1, 3, 1, 1})), ValueError);
  CHECK(one.running->batches.item() == 0);
  one.eval();
  CHECK(one(zeros({1, 3})).shape() == Shape{1, 3});
  CHECK_THROWS_WITH_AS(nn::batch_norm(zeros({2, 3}), ones({2})), "batch_norm: x has shape [2, 3], so the gain must have shape [3], got [2]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::batch_norm(zeros({3})), "batch_norm: expected [N, C, ...], none of them 0, got [3]", ShapeError);
}
