#include "examples/shared/study/tapes.h"

#include <cmath>

#include "core/core.h"
#include "nn/nn.h"

namespace gradus::examples {
namespace {

Tensor leaf(Tensor values) { return values.detach().set_requires_grad(); }

// A model's loss with the calls of its modules; all parameters in f64.
inspect::Trace of_model(nn::Module& model, const std::string& title, const std::function<Tensor()>& loss) {
  model.to(DType::f64);
  const FormulaOnly op_by_op;
  const inspect::CallLog log;
  return inspect::trace(loss(), {.title = title});
}

}  // namespace

inspect::Trace softmax_tape() {
  const FormulaOnly op_by_op;
  const Tensor x = leaf(tensor({0, std::log(2), std::log(3)}, DType::f64));
  const Tensor loss = nn::cross_entropy(unsqueeze(x, 0), tensor({2}, DType::i64));
  return inspect::trace(loss, {.title = "cross-entropy of 0, ln 2, ln 3", .names = {{"x", x}, {"L", loss}}, .naive = true});
}

inspect::Trace dead_unit_tape() {
  const Tensor w = leaf(tensor({{1, 0.5}, {-1, 0.5}}, DType::f64)), x = tensor({{1}, {1}}, DType::f64),
               v = leaf(tensor({{0.5, 1}}, DType::f64));
  const FormulaOnly op_by_op;
  const Tensor h = matmul(w, x), y = matmul(v, nn::act::relu(h)), loss = sum(square(y - 1.0));
  return inspect::trace(
      loss, {.title = "(v · relu(W x) − 1)²", .names = {{"W", w}, {"x", x}, {"h", h}, {"v", v}, {"y", y}, {"L", loss}}, .naive = true});
}

inspect::Trace swiglu_tape() {
  const Tensor a = leaf(tensor({-1, 0, 1, 2}, DType::f64)), b = leaf(tensor({1, 2, 3, 4}, DType::f64));
  const FormulaOnly op_by_op;
  const Tensor y = nn::gate(nn::act::silu, a, b), loss = sum(y);
  return inspect::trace(loss, {.title = "Σ silu(a) ⊙ b", .names = {{"a", a}, {"b", b}, {"y", y}, {"L", loss}}, .naive = true});
}

inspect::Trace rms_norm_tape() {
  const Tensor x = leaf(tensor({1, 2, 2, 4}, DType::f64)), gain = leaf(tensor({1, 1, 2, 1}, DType::f64)),
               g = tensor({1, 0, 1, -1}, DType::f64);
  const FormulaOnly op_by_op;
  const Tensor y = nn::rms_norm(x, gain, 0), loss = sum(g * y);
  return inspect::trace(loss,
                        {.title = "Σ g ⊙ RMSNorm(x)", .names = {{"x", x}, {"γ", gain}, {"g", g}, {"y", y}, {"L", loss}}, .naive = true});
}

inspect::Trace learned_positions_tape() {
  const Tensor words = leaf(tensor({{1, 0}, {0, 1}, {1, 1}}, DType::f64)),
               places = leaf(tensor({{0.1, 0}, {0.2, 0}, {0.3, 0}, {0.4, 0}}, DType::f64));
  const Tensor x = index_select(words, 0, tensor({2, 0, 2}, DType::i64)) + slice(places, 0, 0, 3), loss = sum(square(x));
  return inspect::trace(loss, {.title = "Σ (words[2, 0, 2] + places[0, 1, 2])²",
                               .names = {{"words", words}, {"places", places}, {"x", x}, {"L", loss}},
                               .naive = true});
}

inspect::Trace rope_tape() {
  const Tensor q = leaf(reshape(tensor({1, 0}, DType::f64), {1, 1, 1, 2})), k = leaf(reshape(tensor({0.6, 0.8}, DType::f64), {1, 1, 1, 2}));
  const auto turned = [](const Tensor& x, double position) {
    const Tensor angle = full({1, 1}, position, DType::f64);
    return nn::formula::rope(x, cos(angle), sin(angle));
  };
  const Tensor q_turned = turned(q, 2), k_turned = turned(k, 1), loss = sum(q_turned * k_turned);
  return inspect::trace(
      loss, {.title = "R(2) q · R(1) k", .names = {{"q", q}, {"k", k}, {"R q", q_turned}, {"R k", k_turned}, {"L", loss}}, .naive = true});
}

inspect::Trace attention_tape() {
  const auto heads = [](const Tensor& values) { return leaf(reshape(values, {1, 3, 1, 1})); };
  const Tensor q = heads(ones({3}, DType::f64)), k = heads(tensor({0, std::log(2), std::log(3)}, DType::f64)),
               v = heads(tensor({6, 12, 18}, DType::f64));
  const FormulaOnly op_by_op;
  const Tensor y = nn::attention(q, k, v, {.causal = true}), loss = sum(y);
  return inspect::trace(loss, {.title = "Σ attention(q, k, v), causal",
                               .names = {{"q", q}, {"k", k}, {"v", v}, {"y", y}, {"L", loss}},
                               .dimensions = {{"T", 3}},
                               .naive = true});
}

inspect::Trace placement_tape() {
  const FormulaOnly op_by_op;
  const auto norm = [](const Tensor& t) { return nn::layer_norm(t, {2}, {}, {}, 0); };
  const Tensor x = leaf(tensor({3, 1}, DType::f64)), once = x + 2 * norm(x), twice = once + 2 * norm(once), loss = select(twice, 0, 0);
  return inspect::trace(loss, {.title = "pre-norm, twice: x + 2 norm(x)",
                               .names = {{"x", x}, {"after block 1", once}, {"after block 2", twice}, {"L", loss}},
                               .naive = true});
}

inspect::Trace encoder_decoder_tape() {
  manual_seed(0);
  nn::EncoderDecoderOptions options;
  options.stacks.vocabulary = 5, options.stacks.context = 4, options.stacks.d_model = 4;
  options.stacks.layers = 1, options.stacks.heads = 1, options.stacks.d_ff = 4;
  nn::EncoderDecoder model(options);
  model.eval();
  const Tensor source = tensor({{2, 3, 4}}, DType::i64), target = tensor({{1, 4, 3}}, DType::i64);
  return of_model(model, "encoder and decoder, d 4",
                  [&] { return nn::cross_entropy(model(source, target), tensor({{4, 3, 2}}, DType::i64)); });
}

inspect::Trace banana_tape() {
  const Tensor x = leaf(tensor(-1.2, DType::f64)), y = leaf(tensor(1, DType::f64));
  const Tensor f = square(1.0 - x) + 100.0 * square(y - square(x));
  return inspect::trace(f, {.title = "f = (1 − x)² + 100 (y − x²)²", .names = {{"x", x}, {"y", y}, {"f", f}}, .naive = true});
}

inspect::Trace language_model_tape() {
  manual_seed(0);
  nn::LanguageModel model({.vocabulary = 5, .context = 4, .d_model = 4, .layers = 1, .heads = 1, .d_ff = 4, .tie_weights = true});
  const Tensor ids = tensor({{1, 2, 3}}, DType::i64);
  return of_model(model, "a language model, d 4", [&] { return nn::cross_entropy(model(ids), tensor({{2, 3, 4}}, DType::i64)); });
}

}  // namespace gradus::examples
