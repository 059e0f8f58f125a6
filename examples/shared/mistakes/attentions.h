// Attention as it should be, and as it has been published: functions of one signature, so that a model takes any of them.
#pragma once

#include <functional>
#include <vector>

#include "examples/shared/report/published.h"
#include "nn/attention/attention.h"

namespace gradus::examples {

// That of nn::attention: q [B, T, H, d], k and v [B, S, H, d] to [B, T, H, d].
using AttentionFunction = std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v, const nn::ScaledDotOptions&)>;

struct PublishedAttention : Published {  // without a source: made up here
  AttentionFunction function;
};

PublishedAttention right_attention();
const std::vector<PublishedAttention>& wrong_attentions();

// What an attention must do, asked of its outputs:
//   values   greatest difference from nn::attention, causal, as many heads of keys as of queries
//   padded   greatest change of what words say when the numbers of padding before them change: 0
//   grouped  greatest difference from nn::attention when four heads of queries share two of keys and values
std::vector<Probe> probes_of(const PublishedAttention& attention, std::uint64_t seed);

}  // namespace gradus::examples
