// What every parameter is to its layer, as initialisation and weight decay go by it.
#include <map>

#include "nn/nn.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

std::string roles(nn::Module& module, const std::string& below = "") {
  static const std::map<Role, const char*> names{{Role::weight, "weight"}, {Role::scores, "scores"}, {Role::writes_stream, "writes_stream"},
                                                 {Role::head, "head"},     {Role::table, "table"},   {Role::gain, "gain"},
                                                 {Role::bias, "bias"},     {Role::other, "other"}};
  std::string text;
  for (const auto& [path, tensor, role] : module.state_dict()) {
    if (path.rfind(below, 0) == 0) text += fmt::format("{} {}\n", path.substr(below.size()), names.at(role));
  }
  return text;
}

nn::PositionEncodingPtr encoding(const char* name) {
  return nn::position_encodings().find(name).value({.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 8});
}

}  // namespace

TEST_CASE("roles: of a language model, its biases and an own head too") {
  nn::LanguageModel model({.d_model = 8, .layers = 1, .heads = 2, .qk_norm = "layer", .bias = true, .tie_weights = false});
  CHECK(roles(model) ==
        "embedding.weight table\n"
        "blocks.0.placement.norm1.gain gain\n"
        "blocks.0.placement.norm2.gain gain\n"
        "blocks.0.attention.q_proj.weight scores\n"
        "blocks.0.attention.q_proj.bias bias\n"
        "blocks.0.attention.k_proj.weight scores\n"
        "blocks.0.attention.k_proj.bias bias\n"
        "blocks.0.attention.v_proj.weight weight\n"
        "blocks.0.attention.v_proj.bias bias\n"
        "blocks.0.attention.out_proj.weight writes_stream\n"
        "blocks.0.attention.out_proj.bias bias\n"
        "blocks.0.attention.qk_norm.q_norm.gain gain\n"
        "blocks.0.attention.qk_norm.q_norm.bias bias\n"
        "blocks.0.attention.qk_norm.k_norm.gain gain\n"
        "blocks.0.attention.qk_norm.k_norm.bias bias\n"
        "blocks.0.feed_forward.w1.weight weight\n"
        "blocks.0.feed_forward.w1.bias bias\n"
        "blocks.0.feed_forward.w2.weight writes_stream\n"
        "blocks.0.feed_forward.w2.bias bias\n"
        "blocks.0.feed_forward.w3.weight weight\n"
        "blocks.0.feed_forward.w3.bias bias\n"
        "final_norm.gain gain\n"
        "head.weight head\n");
}

TEST_CASE("roles: what a placement learns multiplies") {
  for (const char* placement : {"rezero", "layerscale"}) {
    nn::LanguageModel model({.d_model = 8, .layers = 1, .heads = 2, .placement = placement});
    CHECK(roles(model, "blocks.0.placement.") == "scale1 gain\nscale2 gain\n");
  }
  nn::LanguageModel model({.d_model = 8, .layers = 1, .heads = 2, .placement = "normformer"});
  CHECK(roles(model, "blocks.0.attention.head") == "_gain gain\n");
}

TEST_CASE("roles: of position encodings") {
  const std::pair<const char*, const char*> expected[] = {
      {"learned", "weight table\n"},
      {"shaw", "key_rows table\nvalue_rows table\n"},
      {"t5", "weight table\n"},
      {"cope", "weight table\n"},
      {"kerple", "r1 other\nr2 other\n"},
      {"fire", "c other\nfactor other\ninner.weight weight\ninner.bias bias\nouter.weight weight\nouter.bias bias\n"},
      {"dynamic-bias",
       "maps.0.weight weight\nmaps.0.bias bias\nnorms.0.gain gain\nnorms.0.bias bias\n"
       "maps.1.weight weight\nmaps.1.bias bias\nnorms.1.gain gain\nnorms.1.bias bias\n"
       "maps.2.weight weight\nmaps.2.bias bias\n"},
      {"xl", "content_bias bias\ndistance_bias bias\ndistance_proj.weight weight\n"},
      {"rnn", "rnn.weight_ih_l0 weight\nrnn.weight_hh_l0 weight\nrnn.bias_ih_l0 bias\nrnn.bias_hh_l0 bias\n"},
      {"rope", ""},
      {"alibi", ""}};
  for (const auto& [name, text] : expected) CHECK(roles(*encoding(name)) == text);
}

TEST_CASE("roles: of norms; running statistics are not trained, and are other") {
  const auto of = [](const char* name) { return roles(*nn::norms().find(name).value({.width = 4})); };
  CHECK(of("layer") == "gain gain\nbias bias\n");
  nn::LayerNorm image({3, 4, 5});
  CHECK(roles(image) == "gain gain\nbias bias\n");  // of three axes, and yet no matrices
  CHECK(of("scale") == "radius gain\n");
  CHECK(of("dyt") == "slope other\ngain gain\nbias bias\n");
  CHECK(of("derf") == "slope other\nshift other\ngain gain\nbias bias\n");
  CHECK(of("group") == "norm.gain gain\nnorm.bias bias\n");
  CHECK(of("batch").find("norm.gain gain\nnorm.bias bias\n") == 0);
  CHECK(of("batch").find("norm.running_mean other\n") != std::string::npos);
  nn::WeightNormLinear layer(3, 4);
  CHECK(roles(layer) == "direction weight\nlength gain\nbias bias\n");
  nn::WeightStandardLinear standard(3, 4);
  CHECK(roles(standard) == "weight weight\ngain gain\nbias bias\n");
}
