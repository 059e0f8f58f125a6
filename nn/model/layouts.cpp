#include "nn/model/layouts.h"

#include <cmath>

namespace gradus::nn {

// #region model-layouts
TransformerOptions gemma2(TransformerOptions o) {
  o.norm_eps = 1e-6;
  o.one_plus_gain = true;
  o.placement = "sandwich";
  o.position = "rope-half";
  o.feed_forward = "geglu-tanh";
  o.window = {{4096}, {0}};
  o.softcap = 50;
  o.logit_softcap = 30;
  o.embedding_scale = std::sqrt(static_cast<double>(o.d_model));
  return o;
}

TransformerOptions gemma3(TransformerOptions o) {
  o = gemma2(std::move(o));
  o.rope_theta = {{10'000, 5}, {1'000'000}};
  o.qk_norm = "rms";
  o.window = {{512, 5}, {0}};
  o.softcap = o.logit_softcap = 0;
  return o;
}

TransformerOptions gpt_oss(TransformerOptions o) {
  o.position = "yarn-half";
  o.rope_theta = 150'000;
  o.rope_factor = 32;
  o.window = {{128}, {0}};
  o.sink = 0;
  o.train_sink = true;
  o.bias = true;
  o.tie_weights = false;
  return o;
}

TransformerOptions qwen3(TransformerOptions o) {
  o.norm_eps = 1e-6;
  o.position = "rope-half";
  o.rope_theta = 1'000'000;
  o.qk_norm = "rms";
  return o;
}

TransformerOptions smollm3(TransformerOptions o) {
  o.norm_eps = 1e-6;
  o.position = {{"rope-half", 3}, {"none"}};
  o.rope_theta = 5'000'000;
  return o;
}
// #endregion model-layouts

const Table<Layout>& layouts() {
  static const Table<Layout> family{
      "layout",
      {
          {"gemma2", "model-layouts", gemma2},
          {"gemma3", "model-layouts", gemma3},
          {"gpt-oss", "model-layouts", gpt_oss},
          {"qwen3", "model-layouts", qwen3},
          {"smollm3", "model-layouts", smollm3},
      },
  };
  return family;
}

}  // namespace gradus::nn
