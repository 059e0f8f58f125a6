// Variants of one's own, from outside of the library: a norm, a placement, an encoding, a feed-forward layer.
#include <functional>
#include <map>

#include "core/tensor/random.h"
#include "nn/activation/relu.h"
#include "nn/block/norm_placement.h"
#include "nn/loss/cross_entropy.h"
#include "nn/model/compatibility.h"
#include "nn/model/encoder_decoder.h"
#include "nn/model/language_model.h"
#include "nn/sequential.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// x / (1 + |x|) ⊙ gain: no more than forward and members.
struct Softsign : nn::Layer {
  explicit Softsign(int64_t width) : gain(ones({width})) {}
  Tensor forward(const Tensor& x) override { return x / (1 + abs(x)) * gain; }
  void members(nn::Members& m) override { m.parameter("gain", gain, Role::gain); }
  nn::Parameter gain;
};

struct MeanOverTokens : Softsign {
  using Softsign::Softsign;
  Tensor forward(const Tensor& x) override { return x - mean(x, -2, true); }
  bool mixes_tokens() const override { return true; }
};

struct Loud : Softsign {
  using Softsign::Softsign;
  Tensor forward(const Tensor& x) override { return x * gain; }
  bool removes_scale() const override { return false; }
};

// x ← 2 x + f(norm(x))
struct Doubled : nn::Placement {
  explicit Doubled(const nn::PlacementOptions& options) : Placement(options, 1) {}
  bool relies_on_rescaling() const override { return true; }
  nn::Stream step(std::size_t i, const nn::Stream& s, const nn::Sublayer& f) override { return {2 * s.x + f(norm(i)(s.x))}; }
};

// A row for each position, added to the queries.
struct QueryRows : nn::PositionEncoding {
  explicit QueryRows(const nn::PositionOptions& o) : rows(0.1 * randn({o.max_length, 1, o.head_dim})) {}
  double embedding_scale(int64_t) const override { return 3; }
  Tensor on_queries(const Tensor& q, const Tensor& positions) override { return q + index_select(rows, 0, positions); }
  void members(nn::Members& m) override { m.parameter("rows", rows, Role::table); }
  nn::Parameter rows;
};

const nn::NormChoice own_norm = [](const nn::NormOptions& o) { return std::make_unique<Softsign>(o.width); };
const nn::PlacementChoice own_placement = [](const nn::PlacementOptions& o) { return std::make_unique<Doubled>(o); };
const nn::PositionChoice own_position = [](const nn::PositionOptions& o) { return std::make_shared<QueryRows>(o); };
const nn::FeedForwardChoice own_feed_forward = [](const nn::FeedForwardOptions& o) {
  return std::make_unique<nn::Sequential>(nn::Linear(o.d_model, o.d_ff), nn::act::relu,
                                          nn::Linear(o.d_ff, o.d_model, {.role = Role::writes_stream}));
};

using Change = std::function<void(nn::TransformerOptions&)>;
const std::pair<const char*, Change> kChanges[] = {
    {"norm", [](auto& o) { o.norm = own_norm; }},
    {"qk_norm", [](auto& o) { o.qk_norm = nn::head_norms(own_norm); }},
    {"placement", [](auto& o) { o.placement = own_placement; }},
    {"position", [](auto& o) { o.position = own_position; }},
    {"feed_forward", [](auto& o) { o.feed_forward = own_feed_forward; }},
};

nn::TransformerOptions of_seven_ids() { return {.vocabulary = 7, .context = 6, .d_model = 8, .layers = 2, .heads = 2, .d_ff = 12}; }

Tensor sources() { return tensor({{1, 2, 3, 6}, {0, 4, 4, 5}}, DType::i64); }

// Steps of gradient descent lower the loss, and every parameter gets a gradient.
void check_learns(nn::Module& model, const std::function<Tensor()>& logits) {
  const auto loss = [&] { return nn::cross_entropy(logits(), tensor({{2, 3, 6, 0}, {4, 4, 5, 1}}, DType::i64)); };
  const double before = loss().item();
  for (int step = 0; step < 3; ++step) {
    model.zero_grad();
    loss().backward();
    for (auto& [path, parameter, role] : model.named_parameters()) {
      CAPTURE(path);
      REQUIRE(parameter.grad().defined());
      parameter.assign(parameter.detach() - 0.05 * parameter.grad());
    }
  }
  CHECK(loss().item() < before);
}

}  // namespace

TEST_CASE("Choice: own variants are parts of a language model, learn, and are not the default") {
  for (const auto& [what, change] : kChanges) {
    CAPTURE(what);
    nn::TransformerOptions options = of_seven_ids();
    manual_seed(1);
    nn::LanguageModel usual(options);
    change(options);
    manual_seed(1);
    nn::LanguageModel model(options);
    CHECK(max_difference(model(sources()), usual(sources())) > 1e-6);
    check_learns(model, [&] { return model(sources()); });
  }
}

TEST_CASE("Choice: own variants are parts of an encoder and a decoder, and learn") {
  for (const auto& [what, change] : kChanges) {
    CAPTURE(what);
    nn::EncoderDecoderOptions options{.stacks = of_seven_ids()};
    change(options.stacks);
    manual_seed(2);
    nn::EncoderDecoder model(options);
    check_learns(model, [&] { return model(sources(), sources()); });
  }
}

TEST_CASE("Choice: the parts keep their paths, their names and their roles") {
  nn::TransformerOptions options = of_seven_ids();
  for (const auto& [what, change] : kChanges) change(options);
  nn::LanguageModel model(options);
  const std::string tree = fmt::format("{}", model);
  for (const char* line : {"placement: Doubled\n", "norm1: Softsign\n", "q_norm: Softsign\n", "position: QueryRows\n",
                           "feed_forward: Sequential\n", "2: Linear(12 -> 8)\n"}) {
    CHECK_MESSAGE(tree.find(line) != std::string::npos, line);
  }
  std::map<std::string, Role> roles;
  for (const auto& [path, parameter, role] : model.named_parameters()) roles.emplace(path, role);
  CHECK(roles.at("position.rows") == Role::table);
  CHECK(roles.at("blocks.1.placement.norm2.gain") == Role::gain);
  CHECK(roles.at("blocks.1.feed_forward.0.weight") == Role::weight);
  CHECK(roles.at("blocks.1.feed_forward.2.weight") == Role::writes_stream);
  CHECK(model.options().embedding_scale == 3);
  CHECK(model.options().norm.of(0).name == "own");
}

TEST_CASE("Choice: own matrices of a block start as its placement asks, by their role") {
  nn::TransformerOptions options = of_seven_ids();
  options.d_model = options.d_ff = 64;
  options.feed_forward = own_feed_forward;
  nn::LanguageModel model(options);
  std::map<std::string, double> deviation;
  for (const auto& [path, parameter, role] : model.stack().block(0).named_parameters()) {
    if (parameter.rank() == 2) deviation.emplace(path, stddev(parameter).item());
  }
  CHECK(deviation.at("feed_forward.0.weight") == doctest::Approx(1.0 / 8).epsilon(0.01));   // 1 / √64
  CHECK(deviation.at("feed_forward.2.weight") == doctest::Approx(1.0 / 16).epsilon(0.01));  // 1 / √(4 · 64)
}

TEST_CASE("Choice: an own gated layer says so, and has the width of one") {
  nn::TransformerOptions options{.layers = 1};
  options.feed_forward = own_feed_forward;
  CHECK(nn::LanguageModel(options).options().d_ff == 512);
  options.feed_forward = nn::MakeFeedForward(own_feed_forward.value, {.gated = true});
  CHECK(nn::LanguageModel(options).options().d_ff == 384);
}

TEST_CASE("compatibility: an own variant that says what it does is refused as those of the tables are") {
  nn::TransformerOptions mixing = of_seven_ids(), growing = of_seven_ids();
  mixing.norm = [](const nn::NormOptions& o) { return std::make_unique<MeanOverTokens>(o.width); };
  CHECK(nn::why_not(mixing) == "norm 'own' mixes tokens, so that each would see those it is to predict; take 'layer' or 'rms'");
  CHECK_THROWS_WITH_AS(nn::LanguageModel{mixing}, ("LanguageModel: " + nn::why_not(mixing)).c_str(), ValueError);
  CHECK(nn::why_not(mixing, nn::StackKind::encoder) == "");
  growing.norm = [](const nn::NormOptions& o) { return std::make_unique<Loud>(o.width); };
  CHECK(nn::why_not(growing) == "");
  growing.placement = own_placement;
  CHECK(nn::why_not(growing) ==
        "placement 'own' multiplies the stream in every block, and norm 'own' does not take the scale out, so that it "
        "would grow exponentially with depth; take norm 'layer' or 'rms'");
}

TEST_CASE("Choice: a name is looked up where it is given; a factory that makes nothing is refused") {
  CHECK(nn::NormChoice("layer").name == "layer");
  CHECK(nn::NormChoice("layer") == nn::NormChoice(std::string("layer")));
  CHECK_FALSE(nn::NormChoice("layer") == nn::NormChoice("rms"));
  CHECK_FALSE(own_norm == own_norm);
  CHECK_THROWS_WITH_AS(nn::NormChoice("laier"), "unknown norm 'laier'; did you mean 'layer'?", ValueError);
  nn::TransformerOptions options = of_seven_ids();
  options.norm = [](const nn::NormOptions&) -> nn::LayerPtr { return nullptr; };
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options}, "norm 'own' made nothing", ValueError);
}
