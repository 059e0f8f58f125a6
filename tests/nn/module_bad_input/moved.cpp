#include "tests/nn/bad_input/tables.h"
#include "tests/nn/block/function_layer.h"

namespace gradus::test {
namespace {

// A call of a module, whose error says that it was moved from, or `instead`: what a part or a tensor that is gone says.
template <typename M> struct Call {
  std::string name;
  std::function<void(M&)> f;
  std::string instead = "";
};
#define CALL(...) {#__VA_ARGS__, [=](auto& m) { __VA_ARGS__; }}
#define CALL_OF_PART(part, call) {#call, [=](auto& m) { call; }, part ": nullptr was called as one"}
#define CALL_OF_TENSOR(call) {#call, [=](auto& m) { call; }, "this tensor is undefined"}

// Each of these calls, and those that all modules have, of what `make` made and another module took.
template <typename M>
BadCalls moved(const std::string& who, const std::function<M()>& make, std::vector<Call<M>> calls = {}) {
  calls.insert(calls.begin(), {CALL(m.parameters()), CALL(m.state_dict()), CALL(m.eval()), CALL(m.to(DType::f64)), CALL(m.str())});
  if constexpr (std::is_base_of_v<Layer, M>) calls.push_back(CALL(m(f32({1, 3, 8}))));
  BadCalls rows;
  for (const Call<M>& call : calls) {
    const auto of_moved = [=] {
      M first = make();
      const M second = std::move(first);
      call.f(first);
    };
    const std::string moved_from = ": this module was moved from; use the one that it was moved into";
    rows += of(call.name, {REFUSED(graph, of_moved(), call.instead.empty() ? who + moved_from : call.instead)});
  }
  return rows;
}

template <typename P> BadCalls moved_placement(const std::string& who) {
  const auto same = [](const Tensor& x) { return x; };
  return moved<P>(
      who, [] { return P(two_sublayers()); },
      { CALL(FunctionLayer f(same); m({.x = f32({1, 3, 8})}, {f, f})), CALL(m({.x = f32({1, 3, 8})}, {})) });
}

BadCalls moved_models() {
  BadCalls rows;
  const Tensor ids = i64({1, 3}), x = f32({1, 3, 8});
  rows += moved<LanguageModel>(
      "LanguageModel", [] { return LanguageModel(narrow_model()); },
      {
        CALL(GenerationCache past; m(ids, past)), CALL(m.embed(ids)), CALL(m.stack()), CALL(m.logits(x)), CALL(m.condition(i64({1}))),
            CALL(sample(m, {1}, {}, default_generator()))
      });
  rows += moved<Encoder>("Encoder", [] { return Encoder(narrow_model()); }, {CALL(m(x))});
  rows += moved<Decoder>("Decoder", [] { return Decoder(narrow_model()); }, {CALL(m(x, x))});
  rows += moved<EncoderDecoder>("EncoderDecoder", [] { return EncoderDecoder({.stacks = narrow_model()}); }, {CALL(m(ids, ids))});
  return rows;
}

BadCalls moved_blocks() {
  BadCalls rows;
  const Tensor x = f32({1, 3, 8}), q = f32({1, 3, 2, 4});
  rows += moved<Stack>("Stack", [] { return Stack(narrow_block()); }, {CALL(m(x)), CALL(m.initialize()), CALL(m.block(0))});
  rows += moved<Block>("Block", [] { return Block(narrow_block()); },
                       {CALL(m({.x = x})), CALL(m.initialize()), CALL_OF_PART("Placement", m.placement())});
  rows += moved<MultiHeadAttention>("MultiHeadAttention", [] { return MultiHeadAttention({.d_model = 8, .heads = 2, .qk_norm = "rms"}); },
                                    {CALL(m(x, {}))});
  rows += moved<HeadNorms>("HeadNorms", [] { return HeadNorms(4); }, {CALL(m(q, q)), CALL_OF_PART("Layer", m.mixes_tokens())});
  rows += moved<HyperConnection>("HyperConnection", [] { return HyperConnection(two_sublayers(), {}, 0); }, {CALL(m(f32({1, 3, 4, 8})))});
  rows +=
      moved<ManifoldConnection>("ManifoldConnection", [] { return ManifoldConnection(two_sublayers(), {}); }, {CALL(m(f32({1, 3, 4, 8})))});
  return {rows,
          moved_placement<PreNorm>("PreNorm"),
          moved_placement<Parallel>("Parallel"),
          moved_placement<ResiDual>("ResiDual"),
          moved_placement<NormFormer>("NormFormer"),
          moved_placement<AdaptivePlacement>("AdaptivePlacement"),
          moved_placement<HyperConnections>("HyperConnections"),
          moved_placement<LayerScale>("LayerScale")};
}

// Those that would go on without what they have lost, were it not for the door.
BadCalls moved_layers() {
  BadCalls rows;
  const FeedForwardOptions narrow{.d_model = 8, .d_ff = 12};
  const Tensor at = arange(3), x = f32({1, 3, 8});
  rows += moved<Linear>("Linear", [] { return Linear(8, 8); }, {CALL_OF_TENSOR(m.describe())});
  rows += moved<RoPE>("RoPE", [] { return RoPE(kSmall); }, {CALL_OF_TENSOR(m.on_queries(f32({1, 3, 2, 4}), at))});
  rows += moved<LearnedPosition>("LearnedPosition", [] { return LearnedPosition(kSmall); },
                                 {CALL_OF_TENSOR(m.on_embedding(x, at)), CALL_OF_TENSOR(m.extend(2)), CALL_OF_TENSOR(m.describe())});
  rows += moved<GRU>("GRU", [] { return GRU(8, 8); }, {CALL(m(x, {})), CALL(m.cell(0))});
  rows += moved<LSTM>("LSTM", [] { return LSTM(8, 8, {.layers = 2}); }, {CALL(m.cell(1))});
  rows += moved<LayerNorm>("LayerNorm", [] { return LayerNorm(8); });
  rows += moved<RMSNorm>("RMSNorm", [] { return RMSNorm(8); });
  rows += moved<GroupNorm>("GroupNorm", [] { return GroupNorm(1, 3); });
  rows += moved<BatchNorm1d>("BatchNorm1d", [] { return BatchNorm1d(3); });
  rows +=
      moved<PerToken>("PerToken", [] { return PerToken(std::make_unique<BatchNorm1d>(8)); }, {CALL_OF_PART("Layer", m.removes_scale())});
  rows += moved<FeedForward>("UngatedFeedForward<gradus::nn::Linear>", [=] { return FeedForward(act::relu, narrow); },
                             {CALL_OF_PART("Layer", m.describe())});
  rows += moved<GatedFeedForward>("GatedFeedForward", [=] { return GatedFeedForward({"own", act::silu}, narrow); });
  rows += moved<Sequential>("Sequential", [] { return Sequential{Linear{8, 8}, act::relu}; }, {CALL(m.add(act::relu)), CALL(m[0])});
  return rows;
}

}  // namespace

BadCalls moved_calls() {
  const auto made_of_one_moved_from = [] {
    Linear first(2, 2);
    const Linear second = std::move(first);
    Linear third = std::move(first);  // NOLINT: on purpose
    third.parameters();
  };
  const auto added_twice = [] {
    Linear layer(8, 8);
    Sequential both;
    both.add(std::move(layer));
    both.add(std::move(layer));  // NOLINT: on purpose
    both(f32({1, 8}));
  };
  return {moved_models(), moved_blocks(), moved_layers(), REFUSED(graph, made_of_one_moved_from(), "Linear: this module was moved from"),
          REFUSED(graph, added_twice(), "Linear: this module was moved from")};
}

}  // namespace gradus::test
