#include <algorithm>

#include "nn/position/alibi.h"
#include "nn/position/cope.h"
#include "nn/position/dynamic_bias.h"
#include "nn/position/fire.h"
#include "nn/position/kerple.h"
#include "nn/position/learned.h"
#include "nn/position/none.h"
#include "nn/position/recurrent_position.h"
#include "nn/position/rope.h"
#include "nn/position/shaw.h"
#include "nn/position/sinusoidal.h"
#include "nn/position/t5.h"
#include "nn/position/transformer_xl.h"
#include "nn/position/xpos.h"

namespace gradus::nn {
namespace {

using Options = PositionOptions;

template <typename Encoding> PositionEncodingPtr make(const Options& o) { return std::make_shared<Encoding>(o); }

// RoPE with these options; `partly`: only the even width nearest below half of the head's turns, but one pair at least.
MakePositionEncoding rope(const RopeOptions& of_row, bool partly = false) {
  return {[=](const Options& o) {
            RopeOptions options = of_row;
            if (partly) options.width = std::max<int64_t>(o.head_dim / 4 * 2, 2);
            options.theta = o.theta.value_or(options.theta);
            options.factor = o.factor.value_or(options.factor);
            return std::make_shared<RoPE>(o, options);
          },
          {.theta = true, .factor = of_row.scaling != RopeScaling::none}};
}

}  // namespace

// The ways to longer contexts stand here as of a model whose training length was half of max_length.
const Table<MakePositionEncoding>& position_encodings() {
  static const Table<MakePositionEncoding> family{
      "position",
      {
          {"none", "pos-none", [](const Options&) { return std::make_shared<NoPosition>(); }},
          {"sinusoidal", "pos-sinusoidal", make<SinusoidalPosition>},
          {"learned", "pos-learned", make<LearnedPosition>},
          {"rnn", "pos-rnn", make<RecurrentPosition>},
          {"shaw", "pos-relative-shaw", make<ShawPosition>},
          {"xl", "pos-relative-xl", make<TransformerXLPosition>},
          {"t5", "pos-t5", make<T5Position>},
          {"rope", "pos-rope", rope({})},
          {"rope-half", "pos-rope-half", rope({.layout = RopeLayout::halves})},
          {"rope-partial", "pos-rope-partial", rope({}, true)},
          {"rope-interpolation", "pos-rope-interpolation", rope({.scaling = RopeScaling::interpolation, .factor = 2})},
          {"rope-ntk", "pos-rope-ntk", rope({.scaling = RopeScaling::ntk, .factor = 2})},
          {"rope-bands", "pos-rope-bands", rope({.scaling = RopeScaling::bands, .factor = 2})},
          {"yarn", "pos-yarn", rope({.scaling = RopeScaling::yarn, .factor = 2})},
          {"yarn-half", "pos-yarn",
           rope({.layout = RopeLayout::halves, .scaling = RopeScaling::yarn, .factor = 2, .ramp = YarnRamp::exact_pairs})},
          {"xpos", "pos-xpos", make<XPos>},
          {"alibi", "pos-alibi", make<ALiBi>},
          {"kerple", "pos-kerple", make<KerplePosition>},
          {"kerple-power", "pos-kerple", [](const Options& o) { return std::make_shared<KerplePosition>(o, KerpleForm::power); }},
          {"fire", "pos-fire", make<FirePosition>},
          {"dynamic-bias", "pos-dynamic-bias", make<DynamicPositionBias>},
          {"cope", "pos-cope", make<CoPE>},
      },
  };
  return family;
}

}  // namespace gradus::nn
