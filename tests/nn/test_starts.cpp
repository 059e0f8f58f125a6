// What parameters are before training: by the rule that the options name, by the placement, by an encoding of its own.
#include <cmath>
#include <map>

#include "nn/block/scaled_residual.h"
#include "nn/model/encoder_decoder.h"
#include "nn/model/language_model.h"
#include "nn/position/kerple.h"
#include "nn/position/shaw.h"
#include "nn/position/t5.h"
#include "nn/position/transformer_xl.h"
#include "tests/nn/drawn_weights.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kWidth = 96;  // nine thousand numbers and more know their deviation to 1/√18000
constexpr double kNear = 0.035;

double deviation(const Tensor& x) { return stddev(x).item(); }

nn::BlockOptions block_options(const std::string& placement, const nn::InitChoice& init, int64_t layers) {
  return {.attention = {.d_model = kWidth, .heads = 2},
          .feed_forward = {.d_model = kWidth, .d_ff = 2 * kWidth},
          .stack = {.layers = layers},
          .placement = placement,
          .init = init};
}

// The deviations of a block's matrices, by path.
using Deviations = std::map<std::string, double>;
Deviations started(const nn::BlockOptions& options) {
  manual_seed(1);
  nn::Block block(options);
  block.initialize();
  Deviations result;
  for (const auto& [path, parameter, role] : block.named_parameters()) {
    if (parameter.rank() == 2) result[path] = deviation(parameter);
  }
  return result;
}

bool writes_stream(const std::string& path) { return path.find("out_proj") != std::string::npos || path.find("w2") != std::string::npos; }

}  // namespace

TEST_CASE(
    "init-gpt2: N(0, 0.02²), divided by the root of the sublayers that add to one stream in the matrices that write into "
    "it; not where each is followed by a norm, or scaled already") {
  const std::map<std::string, double> added{{"pre", 10},       {"residual", 10},      {"parallel", 10},          {"macaron", 15},
                                            {"resi-dual", 10}, {"residual-scale", 1}, {"residual-scale-pre", 1}, {"post", 1}};
  for (const auto& [placement, sublayers] : added) {
    CAPTURE(placement);
    for (const auto& [path, std] : started(block_options(placement, "gpt2", 5))) {
      CAPTURE(path);
      CHECK(near(std, writes_stream(path) ? 0.02 / std::sqrt(sublayers) : 0.02, kNear));
    }
  }
}

TEST_CASE("init-depth-scaled: N(0, 1/fan_in), divided by the root of the sublayers that add to one stream, as gpt2 is") {
  for (const auto& [placement, sublayers] : {std::pair{"pre", 10}, {"post", 1}, {"residual-scale", 1}}) {
    CAPTURE(placement);
    for (const auto& [path, std] : started(block_options(placement, "depth-scaled", 5))) {
      CAPTURE(path);
      const double fan_in = path.find("w2") != std::string::npos ? 2 * kWidth : kWidth;
      CHECK(near(std, 1 / std::sqrt(writes_stream(path) ? sublayers * fan_in : fan_in), kNear));
    }
  }
}

TEST_CASE("init-*: an embedding starts with rows of length 1, N(0, 0.02²) by gpt2 and by BERT's truncated normal") {
  for (const auto& row : nn::inits().variants) {
    CAPTURE(row.name);
    const double std = row.name == "gpt2" ? 0.02 : row.name == "trunc-normal" ? 0.8796 * 0.02 : 1 / std::sqrt(1.0 * kWidth);
    manual_seed(1);
    nn::LanguageModel model({.d_model = kWidth, .layers = 1, .heads = 2, .init = row.name, .tie_weights = false});
    CHECK(near(deviation(model.named_parameters()[0].tensor), std, kNear));
    CHECK(near(deviation(model.named_parameters().back().tensor), 0.02, kNear));  // the head
    nn::EncoderDecoder pair({.stacks = {.d_model = kWidth, .layers = 1, .heads = 2, .init = row.name}});
    CHECK(near(deviation(pair.named_parameters()[0].tensor), std, kNear));
    CHECK(near(deviation(pair.named_parameters()[1].tensor), std, kNear));
  }
}

TEST_CASE("init-*: each rule draws every matrix of a block from its shape alone, [out, in]") {
  // 96 -> 96 in attention, 96 -> 192 in w1 and w3, 192 -> 96 in w2.
  const auto of_fans = [](const std::string& path, auto&& rule) {
    if (path.find("attention") != std::string::npos) return rule(96.0, 96.0);
    return path.find("w2") != std::string::npos ? rule(192.0, 96.0) : rule(96.0, 192.0);
  };
  const auto xavier = [](double in, double out) { return std::sqrt(2 / (in + out)); };
  const std::map<std::string, std::function<double(double in, double out)>> rules{
      {"xavier-normal", xavier},
      {"xavier-uniform", xavier},
      {"kaiming", [](double in, double) { return std::sqrt(2 / in); }},
      {"lecun", [](double in, double) { return std::sqrt(1 / in); }},
      {"trunc-normal", [](double, double) { return 0.8796 * 0.02; }},  // of a normal value within ±2
      {"orthogonal", [](double in, double out) { return 1 / std::sqrt(std::max(in, out)); }}};
  CHECK(rules.size() + 2 == nn::inits().variants.size());  // all but gpt2 and depth-scaled
  for (const auto& [init, rule] : rules) {
    CAPTURE(init);
    for (const auto& [path, std] : started(block_options("pre", init, 5))) {
      CAPTURE(path);
      CHECK(near(std, of_fans(path, rule), kNear));
    }
  }
}

TEST_CASE("init-*: a rule of one's own sees the role of each matrix; head and norms keep their start") {
  const nn::InitChoice by_role = [](const nn::InitOptions& o) {
    return [o](Tensor& weight, Role role) {
      const std::map<Role, double> values{
          {Role::writes_stream, static_cast<double>(o.added_sublayers)}, {Role::scores, -1}, {Role::weight, -2}, {Role::table, -3}};
      weight.fill(values.at(role));
    };
  };
  manual_seed(1);
  nn::LanguageModel model({.d_model = kWidth, .layers = 3, .heads = 2, .init = by_role, .tie_weights = false});
  for (const auto& [path, parameter, role] : model.named_parameters()) {
    CAPTURE(path);
    if (path == "embedding.weight") {
      CHECK(equal(parameter, full(parameter.shape(), -3)));
    } else if (path == "head.weight") {
      CHECK(near(deviation(parameter), 0.02, kNear));
    } else if (parameter.rank() == 1) {
      CHECK(equal(parameter, ones(parameter.shape())));
    } else {
      const bool scores = path.find("q_proj") != std::string::npos || path.find("k_proj") != std::string::npos;
      CHECK(equal(parameter, full(parameter.shape(), writes_stream(path) ? 6 : scores ? -1 : -2)));
    }
  }
}

TEST_CASE("init-*: encoder and decoder start by the rule that their options name") {
  const nn::InitChoice threes = [](const nn::InitOptions&) { return [](Tensor& weight, Role) { weight.fill(3); }; };
  nn::TransformerOptions options = nn::original_transformer();
  options.d_model = 8;
  options.heads = 2;
  options.layers = 1;
  options.init = threes;
  nn::EncoderDecoder model({.stacks = options});
  for (const auto& [path, parameter, role] : model.named_parameters()) {
    if (parameter.rank() == 2) CHECK_MESSAGE(equal(parameter, full(parameter.shape(), 3)), path);
  }
}

TEST_CASE("block-deepnorm: q_proj and k_proj start with gain 1 in cross-attention too, whatever rule the options name") {
  for (const nn::InitChoice& init : {nn::InitChoice("gpt2"), nn::InitChoice("kaiming")}) {
    nn::BlockOptions options = block_options("deepnorm", init, 32);  // β = (8 · 32)^-¼ = ¼
    options.cross_attention = true;
    const Deviations std = started(options);
    const double xavier = 1 / std::sqrt(static_cast<double>(kWidth));
    for (const std::string attention : {"attention", "cross_attention"}) {
      CAPTURE(attention);
      for (const char* loud : {"q_proj", "k_proj"}) {
        CHECK(near(std.at(attention + "." + loud + ".weight"), xavier, kNear));
      }
      for (const char* quiet : {"v_proj", "out_proj"}) {
        CHECK(near(std.at(attention + "." + quiet + ".weight"), xavier / 4, kNear));
      }
    }
  }
}

TEST_CASE("block-layerscale: the scales of a block start at layer_scale_start of its stack's depth") {
  for (const auto& [layers, start] : {std::pair<int64_t, double>{12, 0.1}, {24, 1e-5}, {36, 1e-6}}) {
    for (const char* placement : {"layerscale", "layerscale-pre"}) {
      nn::Block block(block_options(placement, "gpt2", layers));
      int scales = 0;
      for (const auto& [path, parameter, role] : block.named_parameters()) {
        if (path.find("placement.scale") == std::string::npos) continue;
        CHECK(equal(parameter, full({kWidth}, start)));
        ++scales;
      }
      CHECK(scales == 2);
    }
  }
}

TEST_CASE("pos-kerple: r₁ and r₂ start uniform, [0, 2) and [0, 1) of the logarithm, [0, 1) and [0, 2) of the power") {
  const nn::PositionOptions many{.d_model = 20000, .heads = 20000, .head_dim = 1, .max_length = 4};
  const auto check_uniform = [](const Tensor& r, double highest) {
    CHECK(min(r).item() >= 0);
    CHECK(max(r).item() < highest);
    CHECK(max(r).item() > 0.999 * highest);
    CHECK(mean(r).item() == doctest::Approx(highest / 2).epsilon(0.02));
    CHECK(deviation(r) == doctest::Approx(highest / std::sqrt(12.0)).epsilon(0.02));
  };
  manual_seed(1);
  const nn::KerplePosition logarithmic(many), power(many, nn::KerpleForm::power);
  check_uniform(logarithmic.r1, 2);
  check_uniform(logarithmic.r2, 1);
  check_uniform(power.r1, 1);
  check_uniform(power.r2, 2);
}

TEST_CASE("pos-t5, pos-relative-shaw: tables start N(0, 0.02²)") {
  manual_seed(1);
  const nn::PositionOptions o{.d_model = 1024, .heads = 256, .head_dim = 512, .max_length = 4};
  CHECK(near(deviation(nn::T5Position(o).weight), 0.02, kNear));
  CHECK(near(deviation(nn::ShawPosition(o).key_rows), 0.02, kNear));
  CHECK(near(deviation(nn::ShawPosition(o).value_rows), 0.02, kNear));
}

TEST_CASE("pos-relative-xl: u and v start at 0, W_R Xavier uniform, whatever rule the options name") {
  manual_seed(1);
  nn::LanguageModel model({.d_model = kWidth, .layers = 2, .heads = 2, .position = "xl", .init = "gpt2"});
  const double xavier = 1 / std::sqrt(static_cast<double>(kWidth));
  int seen = 0;
  for (const auto& [path, parameter, role] : model.named_parameters()) {
    if (path.find("position") == std::string::npos) continue;
    CAPTURE(path);
    ++seen;
    if (path.find("_bias") != std::string::npos) {
      CHECK(equal(parameter, zeros({2, kWidth / 2})));
    } else {
      CHECK(near(deviation(parameter), xavier, kNear));
      CHECK(max(abs(parameter)).item() <= std::sqrt(3.0) * xavier);
    }
  }
  CHECK(seen == 6);  // u, v and W_R of each layer
}
