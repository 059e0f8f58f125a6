// Attention as it should be, and as it has been published: functions of one signature, so that a model takes any of them.
#pragma once

#include <functional>
#include <string>

#include "core/table.h"
#include "nn/attention/attention.h"

namespace gradus::examples {

// That of nn::attention: q [B, T, H, d], k and v [B, S, H, d] to [B, T, H, d].
using AttentionFunction =
    std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v, const nn::ScaledDotOptions&)>;

struct WrongAttention {
  std::string what;       // it does instead
  std::string published;  // where it was reported, "repository#thread"; empty: made up here
  AttentionFunction function;
};

const Table<WrongAttention>& wrong_attentions();  // by the names of --bug

}  // namespace gradus::examples
