#include "examples/exercises/in_place/seams.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/exercises/in_place/digits_net.h"
#include "examples/exercises/in_place/lstm_model.h"
#include "examples/exercises/in_place/model.h"
#include "examples/exercises/in_place/own_loop.h"
#include "examples/exercises/in_place/put.h"
#include "examples/exercises/in_place/rule_check.h"
#include "examples/exercises/in_place/scalar_net.h"
#include "examples/exercises/in_place/translator.h"
#include "examples/exercises/set/cross_attention.h"
#include "nn/nn.h"

namespace gradus::exercises {
namespace {

constexpr int kWritten = 100;

// Trains with the student's functions and with the library's.
struct Place {
  std::string model;
  std::function<Training(const Functions& mine, int steps, const Tell& tell)> with_mine;
  std::function<Training(int steps)> with_library;
};

// In the language model: `put` puts the student's functions into parts, beside which the library's stand.
Place language_model(void (*put)(Parts&, const Functions&), const Parts& library = library_parts(), const std::string& with = " of two blocks") {
  return {"a language model" + with,
          [=](const Functions& mine, int steps, const Tell& tell) {
            Parts parts = library;
            put(parts, mine);
            return train_language_model(parts, steps, tell);
          },
          [=](int steps) { return train_language_model(library, steps); }};
}

// In a model of its own, in which those of the grader are the library's.
Place own_model(const std::string& id, const std::string& model, const std::function<Training(const Functions&, int, const Tell&)>& train) {
  return {model, train, [=](int steps) { return train(right_functions(id), steps, {}); }};
}

// --- the library's parts, where the usual ones do not do ----------------------------------------------------------------------

Parts with_whole_feed_forward() {
  Parts parts = library_parts();
  parts.feed_forward = [](const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3) {
    return nn::formula::gated_feed_forward(nn::act::silu, x, w1, {}, w2, w3);
  };
  return parts;
}

Parts with_layer_norm() {
  Parts parts = library_parts();
  parts.has_bias = true;
  parts.norm = [](const Tensor& x, const Tensor& gain, const Tensor& bias) {
    return nn::layer_norm(x, {x.size(1)}, flatten(gain), flatten(bias), 1e-5);
  };
  return parts;
}

Parts without_positions() {
  Parts parts = library_parts();
  parts.rope = [](const Tensor& x, const Tensor&) { return x; };
  return parts;
}

Parts with_sinusoids() {
  Parts parts = without_positions();
  parts.embed = [](const Tensor& x, int64_t texts) {
    const int64_t length = x.size(0) / texts, width = x.size(1);
    const Tensor waves = nn::formula::sinusoidal(arange(length), width);
    return std::sqrt(static_cast<double>(width)) * x + cat(Tensors(static_cast<std::size_t>(texts), waves), 0);
  };
  return parts;
}

Parts with_alibi() {
  Parts parts = without_positions();
  parts.attention = [](const Tensor& q, const Tensor& k, const Tensor& v) {
    const int64_t length = q.size(1);
    const Tensor scores = matmul(q, k, {.transpose_b = true}) / std::sqrt(static_cast<double>(q.size(2)));
    const Tensor distance = abs(unsqueeze(cast(arange(length), DType::f64), 1) - cast(arange(length), DType::f64));
    const Tensor biased = scores - reshape(cast(nn::alibi_slopes(q.size(0)), DType::f64), {-1, 1, 1}) * distance;
    return matmul(nn::softmax(biased + triu(full({length, length}, -1e9, DType::f64), 1)), v);
  };
  return parts;
}

Parts with_each_block() {
  Parts parts = library_parts();
  const auto post = [](const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2) {
    const Tensor a = norm1(x + f1(x));
    return norm2(a + f2(a));
  };
  const auto deep = [](const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2) {
    const Tensor a = norm1(kAlpha * x + f1(x));
    return norm2(kAlpha * a + f2(a));
  };
  parts.blocks = {parts.blocks[0], post, deep};
  return parts;
}

Parts writing_afterwards() {
  Parts parts = library_parts();
  parts.written = kWritten;
  return parts;
}

Parts sampling_afterwards() {
  Parts parts = writing_afterwards();
  put::sampling(parts, right_functions("sampling"));
  return parts;
}

// ------------------------------------------------------------------------------------------------------------------------------

std::map<std::string, Place> all_places() {
  const std::string writes = fmt::format(", which then writes {} bytes", kWritten);
  std::map<std::string, Place> all = {
      {"rule-mul", language_model(put::rule_mul)},
      {"rule-broadcast", language_model(put::rule_broadcast)},
      {"rule-matmul", language_model(put::rule_matmul)},
      {"the-walk", own_model("the-walk", "a net of single numbers, which learns what lies within a circle",
                             [](const Functions& f, int steps, const Tell& tell) { return train_scalar_net(f[0], steps, tell); })},
      {"gradcheck", {"a language model, whose rules it judges",
                     [](const Functions& mine, int, const Tell&) { return judge_rules(mine); },
                     [](int) { return right_verdicts(); }}},
      {"softmax", language_model(put::softmax)},
      {"cross-entropy", language_model(put::cross_entropy)},
      {"activations", language_model(put::activations)},
      {"swiglu", language_model(put::swiglu, with_whole_feed_forward())},
      {"rms-norm", language_model(put::rms_norm)},
      {"layer-norm-gradient", language_model(put::layer_norm, with_layer_norm(), " with layer norm")},
      {"batch-norm-running", own_model("batch-norm-running", "a net of digits with batch norm", train_digits_net)},
      {"sinusoids", language_model(put::sinusoids, with_sinusoids(), " with sinusoids")},
      {"rope", language_model(put::rope)},
      {"alibi", language_model(put::alibi, with_alibi(), " with ALiBi")},
      {"attention", language_model(put::attention)},
      {"attention-gradient", language_model(put::attention_gradient)},
      {"heads", language_model(put::heads)},
      {"kv-cache", language_model(put::kv_cache, writing_afterwards(), writes)},
      {"block", language_model(put::block, with_each_block(), " of three blocks: pre-norm, post-norm, DeepNorm")},
      {"cross-attention", {"an encoder and decoder, which turn words round",
                           [](const Functions& mine, int steps, const Tell& tell) {
                             return train_translator(own<set::CrossAttention>(mine[0]), steps, tell);
                           },
                           [](int steps) { return train_translator(library_cross_attention(), steps); }}},
      {"lstm-step", own_model("lstm-step", "a language model of an LSTM", train_lstm_model)},
      {"adamw", language_model(put::adamw)},
      {"clip-and-schedule", language_model(put::clip_and_schedule)},
      {"training-loop", {"a language model of two blocks, where each loss is of text held out",
                         [](const Functions& mine, int steps, const Tell& tell) {
                           Training training = train_by(own<set::Train>(mine[0]), steps);
                           for (int t = 1; tell && t <= steps; ++t) tell(t, training.losses[static_cast<std::size_t>(t - 1)]);
                           return training;
                         },
                         train_by_library}},
      {"sampling", language_model(put::sampling, sampling_afterwards(), writes)},
  };
  return all;
}

const std::map<std::string, Place>& places() {
  static const std::map<std::string, Place> all = all_places();
  return all;
}

const Place& place(const std::string& id) {
  check<ValueError>(has_place(id), "'{}' has no place in a model", id);
  return places().at(id);
}

// What has happened, in its order.
Seen all_of(const Training& training) {
  Seen all = training.begun;
  for (std::size_t t = 0; t < training.losses.size(); ++t) {
    all.emplace_back(fmt::format("the loss of step {}", t + 1), full({}, training.losses[t], DType::f64));
  }
  all.insert(all.end(), training.ended.begin(), training.ended.end());
  return all;
}

}  // namespace

bool has_place(const std::string& id) { return places().count(id) == 1; }

const std::string& place_of(const std::string& id) { return place(id).model; }

InPlace in_place(const std::string& id, const Functions& mine, int steps, const Tell& tell) {
  InPlace result;
  result.library = place(id).with_library(steps);
  result.mine = place(id).with_mine(mine, steps, tell);
  result.first = first_difference(all_of(result.mine), all_of(result.library));
  result.same = result.first.empty();
  return result;
}

}  // namespace gradus::exercises
