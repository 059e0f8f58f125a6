#include "tests/nn/position/encodings.h"

#include <cmath>

#include "core/tensor/random.h"
#include "nn/attention/attention.h"
#include "nn/position/cope.h"
#include "nn/position/dynamic_bias.h"
#include "nn/position/fire.h"
#include "nn/position/kerple.h"
#include "nn/position/learned.h"
#include "nn/position/recurrent_position.h"
#include "nn/position/shaw.h"
#include "nn/position/t5.h"
#include "nn/position/transformer_xl.h"

namespace gradus::test {

nn::PositionEncodingPtr small_encoding(const std::string& name, const nn::PositionOptions& o) {
  nn::PositionEncodingPtr position;
  if (name == "shaw") position = std::make_unique<nn::ShawPosition>(o, 2);
  if (name == "t5") position = std::make_unique<nn::T5Position>(o, nn::T5Options{.buckets = 4, .max_distance = 8});
  if (name == "fire") position = std::make_unique<nn::FirePosition>(o, nn::FireOptions{.hidden = 3});
  if (name == "dynamic-bias") position = std::make_unique<nn::DynamicPositionBias>(o, nn::DynamicBiasOptions{.hidden = 3});
  if (name == "cope") position = std::make_unique<nn::CoPE>(o, 3);
  if (!position) position = nn::position_encodings().find(name).value(o);
  position->to(DType::f64);
  std::uint64_t seed = 100;
  for (const auto& [path, parameter, role] : position->named_parameters()) {
    Tensor handle = parameter;
    const bool positive = name.rfind("kerple", 0) == 0 || path == "c" || path == "factor";
    handle.assign(positive ? 1 + draw(parameter.shape(), ++seed) / 4 : draw(parameter.shape(), ++seed) / 2);
  }
  return position;
}

std::vector<Tensor*> parameter_fields(nn::PositionEncoding& position) {
  if (auto* p = dynamic_cast<nn::LearnedPosition*>(&position)) return {&p->weight};
  if (auto* p = dynamic_cast<nn::RecurrentPosition*>(&position)) {
    return {&p->rnn.weight_ih, &p->rnn.weight_hh, &p->rnn.bias_ih, &p->rnn.bias_hh};
  }
  if (auto* p = dynamic_cast<nn::ShawPosition*>(&position)) return {&p->key_rows, &p->value_rows};
  if (auto* p = dynamic_cast<nn::TransformerXLPosition*>(&position)) {
    return {&p->content_bias, &p->distance_bias, &p->distance_proj.weight};
  }
  if (auto* p = dynamic_cast<nn::T5Position*>(&position)) return {&p->weight};
  if (auto* p = dynamic_cast<nn::KerplePosition*>(&position)) return {&p->r1, &p->r2};
  if (auto* p = dynamic_cast<nn::FirePosition*>(&position)) {
    return {&p->c, &p->factor, &p->inner.weight, &p->inner.bias, &p->outer.weight, &p->outer.bias};
  }
  if (auto* p = dynamic_cast<nn::DynamicPositionBias*>(&position)) {
    std::vector<Tensor*> fields;
    for (std::size_t i = 0; i < p->norms.size(); ++i) {
      fields.insert(fields.end(), {&p->maps[i].weight, &p->maps[i].bias, &p->norms[i].gain, &p->norms[i].bias});
    }
    fields.insert(fields.end(), {&p->maps.back().weight, &p->maps.back().bias});
    return fields;
  }
  if (auto* p = dynamic_cast<nn::CoPE*>(&position)) return {&p->weight};
  return {};
}

Tensors values_of(const std::vector<Tensor*>& fields) {
  Tensors values;
  for (const Tensor* field : fields) values.push_back(field->detach());
  return values;
}

Tensor attend(nn::PositionEncoding& position, const Tensor& q, const Tensor& k, const Tensor& v, const nn::Positions& positions,
              bool causal) {
  const Tensor placed_q = position.on_queries(q, positions.queries), placed_k = position.on_keys(k, positions.keys);
  const double scale = 1 / std::sqrt(static_cast<double>(q.size(3)));
  const nn::ScaledDotOptions options{.causal = causal, .bias = position.on_scores(placed_q, placed_k, positions, scale)};
  const Tensor y = nn::attention(placed_q, placed_k, v, options);
  if (!position.acts_on_values()) return y;
  return y + position.on_values(nn::attention_probabilities(placed_q, placed_k, options), positions);
}

}  // namespace gradus::test
