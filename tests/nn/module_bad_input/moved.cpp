#include "tests/nn/block/function_layer.h"
#include "tests/nn/module_bad_input/tables.h"

namespace gradus::test {
namespace {

using nn::AdaptivePlacement;
using nn::NormFormer;
using nn::Parallel;
using nn::PreNorm;
using nn::ResiDual;

// A call of a module, with what its error begins with if that is not the module's class.
template <typename M> struct Call {
  Call(std::string its_name, std::function<void(M&)> its_f, std::string its_said = "")
      : name(std::move(its_name)), f(std::move(its_f)), said(std::move(its_said)) {}
  std::string name;
  std::function<void(M&)> f;
  std::string said;
};

// Each of these calls, and those that all modules have, of what `make` made and another module took.
template <typename M>
BadCalls moved(const std::string& who, const std::function<M()>& make, std::vector<Call<M>> calls = {}) {
  calls.insert(calls.begin(), {{"parameters", [](M& m) { m.parameters(); }},
                               {"state_dict", [](M& m) { m.state_dict(); }},
                               {"eval", [](M& m) { m.eval(); }},
                               {"to", [](M& m) { m.to(DType::f64); }},
                               {"str", [](M& m) { m.str(); }}});
  if constexpr (std::is_base_of_v<nn::Layer, M>) {
    calls.push_back({"its call", [](M& m) { m(f32({1, 3, 8})); }});
  }
  BadCalls rows;
  for (const Call<M>& call : calls) {
    rows += {who + " moved from: " + call.name,
             [=] {
               M first = make();
               const M second = std::move(first);
               call.f(first);
             },
             Raises::graph, call.said.empty() ? who + ": this module was moved from; use the one that it was moved into" : call.said};
  }
  return rows;
}

template <typename P> BadCalls moved_placement(const std::string& who) {
  return moved<P>(who, [] { return P(two_sublayers()); },
                  {{"its call",
                    [](P& m) {
                      FunctionLayer same([](const Tensor& x) { return x; });
                      m({.x = f32({1, 3, 8})}, {same, same});
                    }},
                   {"its call of none", [](P& m) { m({.x = f32({1, 3, 8})}, {}); }}});
}

BadCalls moved_models() {
  using nn::Decoder, nn::Encoder, nn::EncoderDecoder, nn::LanguageModel;
  BadCalls rows;
  const Tensor ids = i64({1, 3}), x = f32({1, 3, 8});
  rows += moved<LanguageModel>("LanguageModel", [] { return LanguageModel(narrow_model()); },
                               {{"its next call",
                                 [=](auto& m) {
                                   nn::GenerationCache past;
                                   m(ids, past);
                                 }},
                                {"embed", [=](auto& m) { m.embed(ids); }},
                                {"stack", [](auto& m) { m.stack(); }},
                                {"logits", [=](auto& m) { m.logits(x); }},
                                {"condition", [](auto& m) { m.condition(i64({1})); }},
                                {"sample", [](auto& m) { sample(m, {1}, {}, default_generator()); }}});
  rows += moved<Encoder>("Encoder", [] { return Encoder(narrow_model()); }, {{"its call", [=](auto& m) { m(x); }}});
  rows += moved<Decoder>("Decoder", [] { return Decoder(narrow_model()); }, {{"its call", [=](auto& m) { m(x, x); }}});
  rows += moved<EncoderDecoder>("EncoderDecoder", [] { return EncoderDecoder({.stacks = narrow_model()}); },
                                {{"its call", [=](auto& m) { m(ids, ids); }}});
  return rows;
}

BadCalls moved_blocks() {
  using nn::Block, nn::HeadNorms, nn::HyperConnection, nn::Stack;
  BadCalls rows;
  const Tensor x = f32({1, 3, 8}), q = f32({1, 3, 2, 4});
  rows += moved<Stack>("Stack", [] { return Stack(narrow_block()); },
                       {{"its call", [=](auto& m) { m(x); }},
                        {"initialize", [](auto& m) { m.initialize(); }},
                        {"block", [](auto& m) { m.block(0); }}});
  rows += moved<Block>("Block", [] { return Block(narrow_block()); },
                       {{"its call", [=](auto& m) { m({.x = x}); }},
                        {"initialize", [](auto& m) { m.initialize(); }},
                        {"placement", [](auto& m) { m.placement(); }, "Placement: nullptr was called as one"}});
  rows += moved<nn::MultiHeadAttention>("MultiHeadAttention",
                                        [] { return nn::MultiHeadAttention({.d_model = 8, .heads = 2, .qk_norm = "rms"}); },
                                        {{"its call with inputs", [=](auto& m) { m(x, {}); }}});
  rows += moved<HeadNorms>("HeadNorms", [] { return HeadNorms(4); },
                           {{"its call", [=](auto& m) { m(q, q); }},
                            {"mixes_tokens", [](auto& m) { m.mixes_tokens(); }, "Layer: nullptr was called as one"}});
  rows += moved<HyperConnection>("HyperConnection", [] { return HyperConnection(two_sublayers(), {}, 0); },
                                 {{"its call", [](auto& m) { m(f32({1, 3, 4, 8})); }}});
  rows += moved_placement<PreNorm>("PreNorm");
  rows += moved_placement<Parallel>("Parallel");
  rows += moved_placement<ResiDual>("ResiDual");
  rows += moved_placement<NormFormer>("NormFormer");
  rows += moved_placement<AdaptivePlacement>("AdaptivePlacement");
  rows += moved_placement<nn::HyperConnections>("HyperConnections");
  rows += moved_placement<nn::LayerScale>("LayerScale");
  return rows;
}

nn::PositionOptions narrow_positions() { return {.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 16}; }

// Those that would go on without what they have lost, were it not for the door.
BadCalls moved_layers() {
  BadCalls rows;
  const nn::FeedForwardOptions narrow{.d_model = 8, .d_ff = 12};
  rows += moved<nn::Linear>("Linear", [] { return nn::Linear(8, 8); },
                            {{"describe", [](auto& m) { m.describe(); }}});
  const auto positions = [] { return from_vector(std::vector<int64_t>{0, 1, 2}, {3}); };
  rows += moved<nn::RoPE>("RoPE", [] { return nn::RoPE(narrow_positions()); },
                          {{"on_queries", [=](auto& m) { m.on_queries(f32({1, 3, 2, 4}), positions()); }}});
  rows += moved<nn::LearnedPosition>("LearnedPosition", [] { return nn::LearnedPosition(narrow_positions()); },
                                     {{"on_embedding", [=](auto& m) { m.on_embedding(f32({1, 3, 8}), positions()); }},
                                      {"extend", [](auto& m) { m.extend(2); }},
                                      {"describe", [](auto& m) { m.describe(); }}});
  rows += moved<nn::GRU>("GRU", [] { return nn::GRU(8, 8); }, {{"its call with a state", [](auto& m) { m(f32({1, 3, 8}), {}); }},
                                                                   {"its first cell", [](auto& m) { m.cell(0); }}});
  rows += moved<nn::LSTM>("LSTM", [] { return nn::LSTM(8, 8, {.layers = 2}); },
                          {{"its last cell", [](auto& m) { m.cell(1); }}});
  rows += moved<nn::LayerNorm>("LayerNorm", [] { return nn::LayerNorm(8); });
  rows += moved<nn::RMSNorm>("RMSNorm", [] { return nn::RMSNorm(8); });
  rows += moved<nn::GroupNorm>("GroupNorm", [] { return nn::GroupNorm(1, 3); });
  rows += moved<nn::BatchNorm1d>("BatchNorm1d", [] { return nn::BatchNorm1d(3); });
  rows += moved<nn::PerToken>("PerToken", [] { return nn::PerToken(std::make_unique<nn::BatchNorm1d>(8)); },
                              {{"removes_scale", [](auto& m) { m.removes_scale(); }, "Layer: nullptr was called as one"}});
  rows += moved<nn::FeedForward>("UngatedFeedForward<gradus::nn::Linear>", [=] { return nn::FeedForward(nn::act::relu, narrow); },
                                 {{"describe", [](auto& m) { m.describe(); }, "Layer: nullptr was called as one"}});
  rows += moved<nn::GatedFeedForward>("GatedFeedForward",
                                      [=] { return nn::GatedFeedForward({"own", nn::act::silu}, narrow); });
  rows += moved<nn::Sequential>("Sequential", [] { return nn::Sequential{nn::Linear{8, 8}, nn::act::relu}; },
                                {{"add", [](auto& m) { m.add(nn::act::relu); }},
                                 {"[0]", [](auto& m) { m[0]; }}});
  return rows;
}

}  // namespace

BadCalls moved_calls() {
  BadCalls rows = joined({moved_models(), moved_blocks(), moved_layers()});
  rows += {"a module that was made of one moved from",
           [] {
             nn::Linear first(2, 2);
             const nn::Linear second = std::move(first);
             nn::Linear third = std::move(first);  // NOLINT: on purpose
             third.parameters();
           },
           Raises::graph, "Linear: this module was moved from"};
  rows += {"a layer that is added to a Sequential twice",
           [] {
             nn::Linear layer(8, 8);
             nn::Sequential both;
             both.add(std::move(layer));
             both.add(std::move(layer));  // NOLINT: on purpose
             both(f32({1, 8}));
           },
           Raises::graph, "Linear: this module was moved from"};
  return rows;
}

}  // namespace gradus::test
