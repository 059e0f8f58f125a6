#include <algorithm>

#include "nn/position/alibi.h"
#include "nn/position/cope.h"
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

PositionEncodingPtr make_rope(const Options& o, const RopeOptions& rope) { return std::make_shared<RoPE>(o, rope); }

// The even width nearest below half of the head's, but one pair at least.
int64_t half_width(const Options& o) { return std::max<int64_t>(o.head_dim / 4 * 2, 2); }

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
          {"rope", "pos-rope", make<RoPE>},
          {"rope-half", "pos-rope-half", [](const Options& o) { return make_rope(o, {.layout = RopeLayout::halves}); }},
          {"rope-partial", "pos-rope-partial", [](const Options& o) { return make_rope(o, {.width = half_width(o)}); }},
          {"rope-interpolation", "pos-rope-interpolation",
           [](const Options& o) { return make_rope(o, {.scaling = RopeScaling::interpolation, .factor = 2}); }},
          {"rope-ntk", "pos-rope-ntk",
           [](const Options& o) { return make_rope(o, {.scaling = RopeScaling::ntk, .factor = 2}); }},
          {"yarn", "pos-yarn", [](const Options& o) { return make_rope(o, {.scaling = RopeScaling::yarn, .factor = 2}); }},
          {"xpos", "pos-xpos", make<XPos>},
          {"alibi", "pos-alibi", make<ALiBi>},
          {"kerple", "pos-kerple", make<KerplePosition>},
          {"kerple-power", "pos-kerple",
           [](const Options& o) { return std::make_shared<KerplePosition>(o, KerpleForm::power); }},
          {"fire", "pos-fire", make<FirePosition>},
          {"cope", "pos-cope", make<CoPE>},
      }};
  return family;
}

}  // namespace gradus::nn
