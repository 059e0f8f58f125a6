#include "nn/feed_forward/experts.h"

#include <cmath>
#include <set>

#include "core/core.h"
#include "core/inspect/gradcheck.h"
#include "nn/nn.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;
using nn::ExpertsOptions;
using nn::MixtureOfExperts;

namespace {

constexpr int64_t kWidth = 6, kHidden = 4, kLatent = 3, kExperts = 5, kChosen = 2;

MixtureOfExperts mixture(const ExpertsOptions& experts) {
  return MixtureOfExperts({.d_model = kWidth, .d_ff = kHidden, .experts = experts});
}

// The layer of these options as a function of x and of its weights in the order of transformers' modules: the router; W₁, W₃ and W₂
// of each expert and of the shared one; the projections down and up.
TensorFunction layer(const ExpertsOptions& o, const Tensor& ids = {}, const NamedTensors& buffers = {}) {
  return [=](const Tensors& in) {
    MixtureOfExperts made = mixture(o);
    made.to(in[0].dtype());
    for (const auto& [name, value, role] : buffers) {
      for (const auto& [own, tensor, its_role] : made.state_dict()) {
        if (own == name) Tensor(tensor).assign(cast(value, tensor.dtype()));
      }
    }
    const std::vector<nn::Parameter*> fields = made.parameter_fields();  // w1, w2, w3 of each
    const auto count = static_cast<std::size_t>(o.count + (o.shared > 0));
    fields[0]->share(in[1]);
    for (std::size_t e = 0; e < count; ++e) {
      for (const auto& [own, theirs] : {std::pair{1u, 2u}, {3u, 3u}, {2u, 4u}}) fields[3 * e + own]->share(in[3 * e + theirs]);
    }
    for (std::size_t i = 3 * count + 1; i < fields.size(); ++i) fields[i]->share(in[i + 1]);
    return ids.defined() ? made(in[0], ids) : made(in[0]);
  };
}

std::string against_transformers(const std::string& row, const ExpertsOptions& o) {
  const io::SafeTensors file = read_fixture("experts.safetensors");
  NamedTensors buffers;
  Tensor ids;
  for (const char* name : {"bias", "experts_of_id"}) {
    if (file.tensors.count(row + "/" + name) > 0) buffers.emplace_back(name, file.tensors.at(row + "/" + name));
  }
  if (file.tensors.count(row + "/ids") > 0) ids = file.tensors.at(row + "/ids");
  return against_pytorch(row, layer(o, ids, buffers), "experts.safetensors");
}

// Weights as layer() takes them, after x.
Tensors weights_of(const ExpertsOptions& o, std::uint64_t seed = 1) {
  Tensors all{draw({o.count, kWidth}, -1, 1, seed)};
  const int64_t width = o.latent > 0 ? o.latent : kWidth;
  for (int64_t e = 0; e < o.count; ++e) {
    for (const Shape& shape : {Shape{kHidden, width}, Shape{kHidden, width}, Shape{width, kHidden}}) {
      all.push_back(draw(shape, -1, 1, ++seed));
    }
  }
  return all;
}

Tensors with(const Tensor& x, Tensors weights) {
  weights.insert(weights.begin(), x);
  return weights;
}

// Σ_e w_e W₂ᵉ (silu(W₁ᵉ x) ⊙ W₃ᵉ x), all experts on all tokens, with weights [tokens, experts].
Tensor every_expert(const Tensors& in, const Tensor& weights) {
  Tensor y = zeros_like(in[0]);
  for (int64_t e = 0; e < weights.size(1); ++e) {
    const auto i = static_cast<std::size_t>(2 + 3 * e);
    const Tensor own = nn::formula::gated_feed_forward(nn::act::silu, in[0], in[i], {}, in[i + 2], in[i + 1]);
    y = y + slice(weights, 1, e, e + 1) * own;
  }
  return y;
}

std::string checked_twice(const TensorFunction& f, const Tensors& at) {
  const GradcheckReport first = gradcheck(f, at), second = gradgradcheck(f, at);
  return (first.passed ? "" : first.text) + (second.passed ? "" : second.text);
}

Tensor tokens(int64_t count, std::uint64_t seed = 50) { return draw({count, kWidth}, -1, 1, seed); }

const char* const kRouters[] = {"softmax-chosen", "softmax", "sigmoid", "sqrt-softplus"};

}  // namespace

TEST_CASE("ffn-moe: values and gradients are those of Mixtral and of Qwen 3 in transformers") {
  CHECK(against_transformers("mixtral", {.count = kExperts}) == "");
  CHECK(against_transformers("qwen3", {.count = kExperts}) == "");
}

TEST_CASE("ffn-moe: with its shared expert, biases and scale it is DeepSeek-V3's layer in transformers") {
  const ExpertsOptions o{.count = kExperts, .shared = 2, .router = "sigmoid", .scale = 2.5, .balance_bias = 1e-3};
  CHECK(against_transformers("deepseek_v3", o) == "");
  ExpertsOptions other = o;
  other.scale = 1;
  CHECK(against_transformers("deepseek_v3", other) != "");
  other = o;
  other.router = "sqrt-softplus";
  CHECK(against_transformers("deepseek_v3", other) != "");
  other = o;
  other.balance_bias = 0;
  CHECK(against_transformers("deepseek_v3", other) != "");
}

TEST_CASE("ffn-moe: every expert on every token, with weight 0 for those that were not chosen, is the same") {
  for (const char* router : kRouters) {
    CAPTURE(router);
    const ExpertsOptions o{.count = kExperts, .router = router};
    const Tensors in = with(tokens(7), weights_of(o));
    const Tensor scores = o.router.value(matmul(in[0], in[1], {.transpose_b = true}));
    const Tensor chosen = nn::formula::chosen_experts(scores, {}, kChosen);
    const Tensor weights = nn::formula::expert_weights(scores, chosen, o.router.value.traits.normalized);
    const Tensor dense = scatter_add(zeros_like(scores), 1, chosen, weights);
    CHECK(difference(layer(o)(in), every_expert(in, dense), 1e-13) == "");
  }
}

TEST_CASE("ffn-moe: first and second derivatives, of every router") {
  for (const char* router : kRouters) {
    CAPTURE(router);
    const ExpertsOptions o{.count = 3, .router = router};
    CHECK(checked_twice(layer(o), with(tokens(3), weights_of(o))) == "");
  }
}

TEST_CASE("ffn-moe: equal experts, all chosen or not, are one dense layer where the weights sum to 1") {
  for (const char* router : {"softmax-chosen", "sigmoid", "sqrt-softplus"}) {
    for (const int64_t k : {int64_t{1}, kChosen, kExperts}) {
      const ExpertsOptions o{.count = kExperts, .per_token = k, .router = router};
      Tensors in = with(tokens(6), weights_of(o));
      for (std::size_t i = 5; i < in.size(); ++i) in[i] = in[2 + (i - 2) % 3];
      const Tensor dense = nn::formula::gated_feed_forward(nn::act::silu, in[0], in[2], {}, in[4], in[3]);
      CHECK(difference(layer(o)(in), dense, 1e-13) == "");
    }
  }
}

TEST_CASE("ffn-moe: tokens in another order have the same results in that order") {
  const ExpertsOptions o{.count = kExperts};
  Tensors in = with(tokens(9), weights_of(o));
  const Tensor y = layer(o)(in), order = tensor({4, 0, 8, 2, 6, 1, 7, 3, 5}, DType::i64);
  in[0] = index_select(in[0], 0, order);
  CHECK(difference(layer(o)(in), index_select(y, 0, order), 1e-14) == "");
}

TEST_CASE("ffn-moe: biases of the experts, an inner norm and dropout are where the dense layer has them") {
  const nn::FeedForwardOptions o{
      .d_model = kWidth, .d_ff = kHidden, .bias = nn::FeedForwardBias::all, .experts = {.count = 1, .per_token = 1}};
  MixtureOfExperts one(o);
  nn::GatedFeedForward dense({"SwiGLU", nn::act::silu}, o);
  const std::vector<nn::Parameter*> own = one.parameter_fields(), its = dense.parameter_fields();
  REQUIRE(own.size() == its.size() + 1);
  for (std::size_t i = 0; i < its.size(); ++i) {
    its[i]->assign(uniform(its[i]->shape(), -1, 1));
    own[i + 1]->assign(*its[i]);
  }
  const Tensor x = cast(tokens(4), DType::f32);
  CHECK(difference(one(x), dense(x), 1e-6) == "");
}

TEST_CASE("ffn-moe-grouped: an expert without tokens gets gradients, of 0") {
  const ExpertsOptions o{.count = kExperts, .per_token = 1, .router = "softmax"};
  Tensors in = with(tokens(3), weights_of(o));
  in[1] = zeros({kExperts, kWidth}, DType::f64);  // equal scores: the first is chosen
  for (Tensor& x : in) x = x.detached_copy().set_requires_grad();
  const Tensors g = grad({sum(layer(o)(in))}, in);
  for (std::size_t i = 5; i < in.size(); ++i) CHECK(sum(abs(g[i])).item() == 0);
  CHECK(sum(abs(g[2])).item() > 0);
}

TEST_CASE("ffn-moe-router: the weights are positive, largest first, and sum to 1 where they are divided by their sum") {
  for (const auto& router : nn::routers().variants) {
    CAPTURE(router.name);
    const Tensor s = router.value(draw({8, kExperts}, -3, 3, 4));
    const Tensor chosen = nn::formula::chosen_experts(s, {}, 3);
    const Tensor w = nn::formula::expert_weights(s, chosen, router.value.traits.normalized);
    CHECK(min(w).item() > 0);
    CHECK(min(slice(w, 1, 0, 2) - slice(w, 1, 1, 3)).item() >= 0);
    if (router.value.traits.normalized) CHECK(difference(sum(w, 1), ones({8}, DType::f64), 1e-15) == "");
    if (router.name == "softmax") CHECK(max(sum(w, 1)).item() < 1);
  }
}

TEST_CASE("convention-moe-weights: divided by their sum, softmax before the choice is softmax after it; undivided it is less by Σ p") {
  const Tensor z = draw({20, kExperts}, -3, 3, 5), p = nn::softmax(z);
  const Tensor chosen = nn::formula::chosen_experts(p, {}, kChosen);
  const Tensor after = nn::softmax(gather(z, -1, chosen));
  CHECK(difference(nn::formula::expert_weights(p, chosen, true), after, 1e-14) == "");
  const Tensor undivided = nn::formula::expert_weights(p, chosen, false);
  CHECK(difference(undivided, after * sum(gather(p, -1, chosen), 1, true), 1e-14) == "");
  CHECK(against_transformers("qwen3_undivided", {.count = kExperts, .router = "softmax"}) == "");
  CHECK(against_transformers("qwen3_undivided", {.count = kExperts}) != "");
  CHECK(against_transformers("deepseek_v4", {.count = kExperts, .shared = 1, .router = "sqrt-softplus", .scale = 2.5, .balance_bias = 1}) ==
        "");
}

TEST_CASE("convention-moe-weights: of one expert alone, a weight that is divided by itself is 1 and teaches the router nothing") {
  for (const bool normalized : {true, false}) {
    const Tensor z = draw({4, kExperts}, -1, 1, 6).set_requires_grad(), s = nn::softmax(z);
    const Tensor w = nn::formula::expert_weights(s, nn::formula::chosen_experts(s, {}, 1), normalized);
    const double gradient = max(abs(grad({sum(square(w))}, {z})[0])).item();
    CHECK((gradient < 1e-15) == normalized);
  }
}

TEST_CASE("ffn-moe-balance: value and gradient are Mixtral's in transformers, which are k times as large") {
  const auto theirs = [](const Tensors& in) {
    const Tensor p = nn::softmax(in[0]);
    return kChosen * nn::formula::balance_loss(p, nn::formula::chosen_experts(p, {}, kChosen));
  };
  CHECK(against_pytorch("balance", theirs, "experts.safetensors") == "");
}

TEST_CASE("convention-moe-balance: the loss is 1 where all experts have equal shares of the choices, or of the probability") {
  const Tensor cycle = tensor({{0, 1}, {2, 3}, {3, 2}, {1, 0}}, DType::i64), all_first = zeros({4, 2}, DType::i64);
  const Tensor uneven = nn::softmax(draw({4, 4}, -2, 2, 7)), even = full({4, 4}, 0.3, DType::f64);
  CHECK(nn::formula::balance_loss(uneven, cycle).item() == doctest::Approx(1).epsilon(1e-14));
  CHECK(nn::formula::balance_loss(even, all_first).item() == doctest::Approx(1).epsilon(1e-14));
  CHECK(nn::formula::balance_loss(uneven, all_first).item() != doctest::Approx(1).epsilon(1e-3));
}

TEST_CASE("ffn-moe-balance: at least 1 where the experts are ordered alike by choices and by probability, which is not always so") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor p = nn::softmax(draw({1, 6}, -2, 2, seed));
    const Tensor same = repeat(p, {8, 1});  // all tokens choose alike: the order is one
    CHECK(nn::formula::balance_loss(same, nn::formula::chosen_experts(same, {}, 2)).item() >= 1);
  }
  // Six of ten tokens choose expert 0 by a little, four choose expert 1 by much: f = (0.6, 0.4), P = (0.31, 0.69).
  const Tensor p = tensor({{0.51, 0.49},
                           {0.51, 0.49},
                           {0.51, 0.49},
                           {0.51, 0.49},
                           {0.51, 0.49},
                           {0.51, 0.49},
                           {0.01, 0.99},
                           {0.01, 0.99},
                           {0.01, 0.99},
                           {0.01, 0.99}},
                          DType::f64);
  CHECK(nn::formula::balance_loss(p, nn::formula::chosen_experts(p, {}, 1)).item() == doctest::Approx(0.924).epsilon(1e-12));
}

TEST_CASE("ffn-moe-balance, ffn-moe-router: scores however small are divided by their sum, so that no router escapes the loss") {
  for (const DType dtype : {DType::f32, DType::f64}) {
    const Tensor s = cast(tensor({{3, 1, 2}, {2, 3, 1}}), dtype), small = s * 1e-30;
    const Tensor chosen = nn::formula::chosen_experts(s, {}, 2);
    CHECK(difference(nn::formula::balance_loss(small, chosen), nn::formula::balance_loss(s, chosen), 1e-6) == "");
    CHECK(difference(nn::formula::expert_weights(small, chosen, true), nn::formula::expert_weights(s, chosen, true), 1e-6) == "");
    const Tensor none = zeros({2, 3}, dtype);
    CHECK(nn::formula::balance_loss(none, chosen).item() == 0);
    CHECK(sum(nn::formula::expert_weights(none, chosen, true)).item() == 0);
  }
}

TEST_CASE("ffn-moe-balance: going down its gradient alone, the shares of the choices become equal") {
  Tensor z = (draw({64, 4}, -1, 1, 8) + tensor({1.5, 0.5, 0, -1}, DType::f64)).detached_copy().set_requires_grad();
  const auto fullest = [&] {
    const Tensor chosen = nn::formula::chosen_experts(z, {}, 1);
    return max(sum(one_hot(flatten(chosen), 4, DType::f64), 0)).item();
  };
  CHECK(fullest() > 40);
  for (int i = 0; i < 300; ++i) {
    const Tensor p = nn::softmax(z);
    const Tensor g = grad({nn::formula::balance_loss(p, nn::formula::chosen_experts(p, {}, 1))}, {z})[0];
    z = (z.detach() - 10 * g).detached_copy().set_requires_grad();
  }
  CHECK(fullest() <= 20);
}

TEST_CASE("ffn-moe-balance: a model's loss has it for each layer in training alone, and it reaches the router") {
  nn::LanguageModelOptions o{.vocabulary = 11, .context = 8, .d_model = 8, .layers = 2, .heads = 2, .d_ff = 8, .feed_forward = "moe"};
  o.experts = {.count = 4, .per_token = 1};  // of one expert the task's loss does not reach the router
  nn::LanguageModel model(o);
  const Tensor ids = tensor({{1, 2, 3, 4, 5, 6, 7, 8}}, DType::i64);
  const Tensor loss = nn::cross_entropy(model(ids), ids), whole = model.with_auxiliary_losses(loss);
  CHECK(whole.item() > loss.item() + 0.015);  // twice 0.01, or so
  const auto largest = [&](const Tensor& of) {
    double most = 0;
    for (const auto& [path, tensor, role] : model.named_parameters()) {
      if (path.find("router") == std::string::npos) continue;
      most = std::max(most, max(abs(grad({of}, {tensor}, {.retain_graph = true})[0])).item());
    }
    return most;
  };
  CHECK(largest(loss) < 1e-9);
  CHECK(largest(whole) > 1e-5);
  model.eval();
  CHECK(model.with_auxiliary_losses(nn::cross_entropy(model(ids), ids)).item() == nn::cross_entropy(model(ids), ids).item());
  o.experts.balance_loss = 0;
  nn::LanguageModel without(o);
  const Tensor plain = nn::cross_entropy(without(ids), ids);
  CHECK(without.with_auxiliary_losses(plain).same_as(plain));
}

TEST_CASE("ffn-moe-bias: it decides the choice and not the weight") {
  const Tensor s = tensor({{0.6, 0.5, 0.1}}, DType::f64), b = tensor({-0.2, 0, 0.45}, DType::f64);
  const Tensor chosen = nn::formula::chosen_experts(s, b, 2);
  CHECK(to_vector(chosen) == Values{2, 1});
  CHECK(difference(nn::formula::expert_weights(s, chosen, true), tensor({{0.1, 0.5}}, DType::f64) / 0.6, 1e-15) == "");
}

TEST_CASE("ffn-moe-bias: after a step it has moved by u towards those with less than the mean load, counted since the last step") {
  MixtureOfExperts moe = mixture({.count = 4, .per_token = 1, .balance_bias = 0.25});
  CHECK(to_vector(moe.bias()) == Values{0, 0, 0, 0});
  moe.load_state_dict({{"router.weight", zeros({4, kWidth})}}, {.strict = false});  // equal scores: all choose expert 0
  moe(ones({8, kWidth}));
  CHECK(to_vector(moe.bias()) == Values{0, 0, 0, 0});
  moe.after_step();
  CHECK(to_vector(moe.bias()) == Values{-0.25, 0.25, 0.25, 0.25});
  moe(ones({8, kWidth}));  // now expert 1
  moe.eval();
  moe(ones({80, kWidth}));  // is not counted
  moe.after_step([](std::vector<double>& load) {
    CHECK(load == Values{0, 8, 0, 0});
    load[2] += 100;  // on another rank
  });
  CHECK(to_vector(moe.bias()) == Values{0, 0.5, 0, 0.5});
  moe.after_step();
  CHECK(to_vector(moe.bias()) == Values{0, 0.5, 0, 0.5});  // nothing was counted: all have the mean
}

TEST_CASE("ffn-moe-bias: no gradient reaches it, and it is saved") {
  MixtureOfExperts moe = mixture({.count = 4, .balance_bias = 0.25});
  CHECK_FALSE(moe.bias().requires_grad());
  std::set<std::string> saved, trained;
  for (const auto& [path, tensor, role] : moe.state_dict()) saved.insert(path);
  for (const auto& [path, tensor, role] : moe.named_parameters()) trained.insert(path);
  CHECK(saved.count("bias") == 1);
  CHECK(trained.count("bias") == 0);
}

TEST_CASE("ffn-moe-bias: by it alone, the loads become equal; without it they do not") {
  const auto spread = [](double u) {
    manual_seed(3);
    MixtureOfExperts moe = mixture({.count = 4, .per_token = 1, .router = "sigmoid", .balance_loss = 0, .balance_bias = u});
    double most = 0;
    for (int step = 0; step < 300; ++step) {
      moe(randn({64, kWidth}) + 3);  // tokens that lie to one side
      std::vector<double> load(4);
      for (const double e : to_vector(moe.chosen())) ++load[static_cast<std::size_t>(e)];
      if (step >= 200) most += *std::max_element(load.begin(), load.end()) / 100;
      moe.after_step();
    }
    return most / 16;  // the largest load over the mean
  };
  CHECK(spread(0) > 1.8);
  CHECK(spread(0.01) < 1.5);
}

TEST_CASE("ffn-moe-capacity: an expert takes its first choices, in the order of the tokens, and drops the rest") {
  const Tensor chosen = tensor({{0, 1}, {0, 2}, {0, 1}, {2, 0}}, DType::i64);
  const nn::ExpertRows all = nn::rows_by_expert(chosen, 3, 8), two = nn::rows_by_expert(chosen, 3, 2);
  CHECK(to_vector(all.tokens) == Values{0, 1, 2, 3, 0, 2, 1, 3});
  CHECK(to_vector(all.choices) == Values{0, 2, 4, 7, 1, 5, 3, 6});
  CHECK(to_vector(all.ends) == Values{4, 6, 8});
  CHECK(to_vector(two.tokens) == Values{0, 1, 0, 2, 1, 3});
  CHECK(to_vector(two.choices) == Values{0, 2, 1, 5, 3, 6});
  CHECK(to_vector(two.ends) == Values{2, 4, 6});
}

TEST_CASE("ffn-moe-capacity: in training alone, and of E/k mean loads, which is all tokens, none is dropped") {
  const auto results = [](double capacity, bool training) {
    manual_seed(4);
    MixtureOfExperts moe = mixture({.count = kExperts, .capacity = capacity});
    moe.train(training);
    return moe(cast(tokens(12), DType::f32));
  };
  const Tensor whole = results(0, true);
  CHECK(equal(results(static_cast<double>(kExperts) / kChosen, true), whole));
  CHECK(equal(results(0.1, false), whole));
  const Tensor dropped = results(0.1, true);  // one row for each expert: ⌈0.1 · 4.8⌉
  CHECK(sum(any(dropped != zeros_like(dropped), -1)).item() <= 5);
  CHECK(difference(dropped[0], whole[0], 1e-6) == "");  // the first token comes first
}

TEST_CASE("ffn-moe-capacity: what is dropped depends on no later token") {
  manual_seed(5);
  MixtureOfExperts moe = mixture({.count = kExperts, .capacity = 0.7});
  const Tensor x = randn({1, 12, kWidth}), y = moe(x);
  const Tensor other = cat({slice(x, 1, 0, 8), randn({1, 4, kWidth})}, 1);
  CHECK(difference(slice(moe(other), 1, 0, 8), slice(y, 1, 0, 8), 1e-6) == "");
}

TEST_CASE("ffn-moe-hash: values and gradients are those of DeepSeek-V4's hash router in transformers") {
  const ExpertsOptions o{.count = kExperts, .shared = 1, .router = "hash", .scale = 2.5, .vocabulary = 7};
  CHECK(against_transformers("deepseek_v4_hash", o) == "");
}

TEST_CASE("ffn-moe-hash: an id always has the same k experts, and each expert equally many ids") {
  manual_seed(6);
  MixtureOfExperts moe = mixture({.count = 4, .router = "hash", .vocabulary = 40});
  const auto state = moe.state_dict();
  for (const auto& [path, table, role] : state) {
    if (path != "experts_of_id") continue;
    CHECK(table.shape() == Shape{40, 2});
    for (int64_t e = 0; e < 4; ++e) CHECK(sum(table == Tensor(from_vector(std::vector<int64_t>{e}, {}))).item() == 20);
    CHECK(sum(eq(slice(table, 1, 0, 1), slice(table, 1, 1, 2))).item() == 0);
  }
  const Tensor ids = tensor({{3, 3, 5, 3}}, DType::i64);
  moe(randn({1, 4, kWidth}), ids);
  const Tensor chosen = moe.chosen();
  CHECK(equal(chosen[0], chosen[1]));
  CHECK(equal(chosen[0], chosen[3]));
  CHECK_THROWS_WITH_AS(moe(zeros({1, 4, kWidth})),
                       "MixtureOfExperts: the router is a hash of the tokens' ids, and none were given; a LanguageModel hands them on",
                       GraphError);
  CHECK_THROWS_WITH_AS(moe(zeros({1, 4, kWidth}), tensor({0, 1, 2, 3}, DType::i64)),
                       doctest::Contains("so ids must have shape [1, 4], got [4]"), ShapeError);
}

TEST_CASE("ffn-moe-hash: with one expert for each id the layer is that expert, by weight 1 (Roller et al., 2021)") {
  const ExpertsOptions o{.count = 3, .per_token = 1, .router = "hash", .vocabulary = 3};
  const Tensors in = with(tokens(3), weights_of(o));
  const Tensor ids = arange(3);
  const Tensor y = layer(o, ids, {{"experts_of_id", tensor({{2}, {0}, {1}}, DType::i64)}})(in);
  const Tensor own = tensor({{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, DType::f64);
  CHECK(difference(y, every_expert(in, own), 1e-13) == "");
}

TEST_CASE("ffn-moe-latent: values and gradients are those of Nemotron 3's layer in transformers, with SwiGLU in its experts") {
  const ExpertsOptions o{.count = kExperts, .shared = 2, .latent = kLatent, .router = "sigmoid", .scale = 2.5, .balance_bias = 1};
  CHECK(against_transformers("latent", o) == "");
}

TEST_CASE("ffn-moe: a model with experts writes id by id, from its cache, what it scores at once, and by every router") {
  for (const auto& router : nn::routers().variants) {
    CAPTURE(router.name);
    nn::LanguageModelOptions o{.vocabulary = 11, .context = 8, .d_model = 8, .layers = 2, .heads = 2, .d_ff = 8, .feed_forward = "moe"};
    o.experts = {.count = 4, .shared = 1, .router = router.name, .capacity = 0.5};
    nn::LanguageModel model(o);
    model.eval();
    const Tensor ids = tensor({{1, 2, 3, 4, 5}}, DType::i64), whole = model(ids);
    nn::GenerationCache past;
    const Tensor first = model(slice(ids, 1, 0, 3), past), rest = model(slice(ids, 1, 3), past);
    CHECK(difference(cat({first, rest}, 1), whole, 1e-5) == "");
  }
}

TEST_CASE("ffn-moe: errors") {
  const auto made = [](const ExpertsOptions& o) { mixture(o); };
  CHECK_THROWS_WITH_AS(made({.count = 0}), "MixtureOfExperts: experts must be from 1 to 65536, got 0", ValueError);
  CHECK_THROWS_WITH_AS(made({.count = 2, .per_token = 3}), "MixtureOfExperts: experts per token must be from 1 to the 2 experts, got 3",
                       ValueError);
  CHECK_THROWS_WITH_AS(made({.shared = -1}), "MixtureOfExperts: shared experts must be from 0 to 65536, got -1", ValueError);
  CHECK_THROWS_AS(made({.latent = -1}), ValueError);
  CHECK_THROWS_AS(made({.capacity = -1}), ValueError);
  CHECK_THROWS_AS(made({.balance_loss = -1}), ValueError);
  CHECK_THROWS_AS(made({.balance_bias = std::nan("")}), ValueError);
  CHECK_THROWS_WITH_AS(nn::routers().find("softmx"), "unknown router 'softmx'; did you mean 'softmax'?", ValueError);
}
