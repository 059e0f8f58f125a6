#include "tests/nn/module_bad_input/tables.h"

namespace gradus::test {
namespace {

// Another parameter, of this shape, in the place of the layer's own.
void put(nn::Parameter& parameter, const Shape& shape) { parameter.share(nn::Parameter(ones(shape))); }

BadCalls of_gru() {
  const auto run = [](const std::function<void(nn::GRU&)>& change) {
    return [change] {
      nn::GRU gru(8, 4);
      change(gru);
      gru(f32({1, 3, 8}));
    };
  };
  return {
      {"GRU with another weight_ih", run([](auto& m) { put(m.weight_ih, {5, 7}); }), Raises::shape,
       "GRU: weight_ih must have shape [12, 8], got [5, 7]"},
      {"GRU with another weight_hh", run([](auto& m) { put(m.weight_hh, {12, 5}); }), Raises::shape,
       "GRU: weight_hh must have shape [12, 4], got [12, 5]"},
      {"GRU with another bias_ih", run([](auto& m) { put(m.bias_ih, {4}); }), Raises::shape, "GRU: bias_ih must have shape [12], got [4]"},
      {"GRU with a bias_hh that would broadcast", run([](auto& m) { put(m.bias_hh, {1}); }), Raises::shape,
       "GRU: bias_hh must have shape [12], got [1]"},
      {"GRU without bias_hh", run([](auto& m) { m.bias_hh.share({}); }), Raises::graph, "GRU: bias_hh is undefined"},
      {"GRU of two dtypes", run([](auto& m) { m.weight_hh.share(nn::Parameter(ones({12, 4}, DType::f64))); }), Raises::dtype,
       "GRU: x is f32, but weight_hh is f64"},
  };
}

BadCalls of_attention() {
  const auto attend = [](const std::function<void(nn::MultiHeadAttention&)>& change) {
    return [change] {
      nn::MultiHeadAttention m({.d_model = 8, .heads = 2, .kv_heads = 1, .sink = 0, .train_sink = true, .value_residual = true,
                                .head_gain = true});
      change(m);
      m(f32({1, 3, 8}));
    };
  };
  const std::string who = "MultiHeadAttention: ";
  return {
      {"attention with another q_proj", attend([](auto& m) { put(m.q_proj.weight, {4, 8}); }), Raises::shape,
       who + "q_proj.weight must have shape [8, 8], got [4, 8]"},
      {"attention with another k_proj", attend([](auto& m) { put(m.k_proj.weight, {8, 8}); }), Raises::shape,
       who + "k_proj.weight must have shape [4, 8], got [8, 8]"},
      {"attention with another v_proj", attend([](auto& m) { put(m.v_proj.weight, {4, 7}); }), Raises::shape,
       who + "v_proj.weight must have shape [4, 8], got [4, 7]"},
      {"attention with another out_proj", attend([](auto& m) { put(m.out_proj.weight, {3, 8}); }), Raises::shape,
       who + "out_proj.weight must have shape [8, 8], got [3, 8]"},
      {"attention with one gain for two heads", attend([](auto& m) { put(m.head_gain, {1}); }), Raises::shape,
       who + "head_gain must have shape [2], got [1]"},
      {"attention with three sinks for two heads", attend([](auto& m) { put(m.sink, {3}); }), Raises::shape,
       who + "sink must have shape [2], got [3]"},
      {"attention with another value_mix", attend([](auto& m) { put(m.value_mix, {1}); }), Raises::shape,
       who + "value_mix must have shape [2], got [1]"},
  };
}

// on_scores of an encoding whose parameter was changed.
template <typename Encoding> BadCall scores(const std::string& what, const std::function<void(Encoding&)>& change, const std::string& said) {
  return {what,
          [change] {
            Encoding encoding(few_positions());
            change(encoding);
            const Tensor q = f32({1, 3, 2, 4});
            encoding.on_scores(q, q, {arange(3), arange(3)}, 1);
          },
          Raises::shape, said};
}

BadCalls of_positions() {
  using nn::CoPE, nn::FirePosition, nn::KerplePosition, nn::ShawPosition, nn::T5Position, nn::TransformerXLPosition;
  return {
      scores<KerplePosition>("KERPLE with one r₁", [](auto& m) { put(m.r1, {1}); }, "KerplePosition: r1 must have shape [2], got [1]"),
      scores<KerplePosition>("KERPLE with one r₂", [](auto& m) { put(m.r2, {1}); }, "KerplePosition: r2 must have shape [2], got [1]"),
      scores<FirePosition>("FIRE with three c", [](auto& m) { put(m.c, {3}); }, "FirePosition: c must have shape [], got [3]"),
      scores<FirePosition>("FIRE with a factor that would broadcast", [](auto& m) { put(m.factor, {1}); },
                           "FirePosition: factor must have shape [], got [1]"),
      scores<FirePosition>("FIRE for one head", [](auto& m) { put(m.outer.weight, {1, 32}); },
                           "FirePosition: outer.weight must have shape [2, 32], got [1, 32]"),
      scores<T5Position>("T5 with one bucket", [](auto& m) { put(m.weight, {1, 2}); }, "T5Position: weight must have shape [32, 2]"),
      scores<ShawPosition>("Shaw with other rows", [](auto& m) { put(m.key_rows, {3, 4}); }, "ShawPosition: key_rows must have shape [33, 4]"),
      scores<TransformerXLPosition>("Transformer-XL with one u", [](auto& m) { put(m.content_bias, {1, 4}); },
                                    "TransformerXLPosition: content_bias must have shape [2, 4], got [1, 4]"),
      scores<CoPE>("CoPE of another width", [](auto& m) { put(m.weight, {64, 3}); }, "CoPE: weight must have shape [positions, 4]"),
  };
}

}  // namespace

BadCalls parameter_calls() {
  BadCalls rows = joined({of_gru(), of_attention(), of_positions()});
  const auto streams = [](const Shape& alpha, const Shape& h) {
    return [=] {
      nn::HyperConnection connection(two_sublayers(), {}, 0);
      put(connection.alpha, alpha);
      connection(f32(h));
    };
  };
  rows += {
      {"HyperConnection with an alpha that would broadcast", streams({1}, {1, 3, 4, 8}), Raises::shape,
       "HyperConnection: alpha must have shape [4, 5], got [1]"},
      {"HyperConnection of five streams", streams({4, 5}, {1, 3, 5, 8}), Raises::shape,
       "HyperConnection: alpha must have shape [5, 6], got [4, 5]"},
      {"HyperConnection of a vector", streams({4, 5}, {8}), Raises::shape, "HyperConnection: expected streams [..., n, C], got [8]"},
      {"Embedding without its weight",
       [] {
         nn::Embedding embedding(4, 2);
         embedding.weight.share({});
         embedding(i64({1}));
       },
       Raises::graph, "Embedding: weight is undefined"},
      {"PReLU with a slope of no axis",
       [] {
         nn::PReLU prelu;
         put(prelu.slope, {});
         prelu(f32({2}));
       },
       Raises::shape, "PReLU: slope must have one axis, got shape []"},
      {"DynamicPositionBias without its maps",
       [] {
         nn::DynamicPositionBias bias(few_positions());
         bias.maps.clear();
         const Tensor q = f32({1, 3, 2, 4});
         bias.on_scores(q, q, {arange(3), arange(3)}, 1);
       },
       Raises::value, "DynamicPositionBias: 2 norms need one map more, got 0"},
  };
  return rows;
}

}  // namespace gradus::test
