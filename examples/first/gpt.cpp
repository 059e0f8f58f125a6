// gpt: a language model learns from Shakespeare's text, and writes. Every formula is in sight.
#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "core/core.h"
#include "text.h"

using namespace gradus;

constexpr int64_t kBatch = 12, kContext = 64, kBlocks = 4, kWidth = 64, kHeads = 4, kHidden = 192, kSteps = 1000;

struct Parameter {
  Tensor value, m, v;  // running means: m of its gradient, v of the gradient's square
};
std::vector<Parameter> parameters;
Tensor parameter(const Tensor& start) {
  return parameters.emplace_back(Parameter{start, zeros_like(start), zeros_like(start)}).value.set_requires_grad();
}
Tensor weight(int64_t in, int64_t out) {  // [init-xavier-normal]
  return parameter(std::sqrt(2.0 / double(in + out)) * randn({in, out}));
}

Tensor softmax(const Tensor& x) { return exp(x - logsumexp(x, -1, true)); }  // [act-softmax]
Tensor silu(const Tensor& x) { return x * sigmoid(x); }                      // [act-silu]
Tensor rms_norm(const Tensor& x, const Tensor& gain) {                       // [norm-rms]
  return x / sqrt(mean(x * x, -1, true) + 1e-5) * gain;
}

// -log of the probability that softmax(scores) gives to the target, averaged.  [loss-cross-entropy]
Tensor cross_entropy(const Tensor& scores, const Tensor& target) {
  return mean(logsumexp(scores, -1, true) - gather(scores, -1, unsqueeze(target, -1)));
}

// Turns pair i of the numbers of a head, at position t, by the angle t · 10000^(-2i/d).  [pos-rope]
Tensor rope(const Tensor& x) {  // [B, T, H, d]
  Tensor speed = exp(-std::log(10000.0) * 2 / double(x.size(3)) * cast(arange(x.size(3) / 2), x.dtype()));
  Tensor angle = unsqueeze(outer(cast(arange(x.size(1)), x.dtype()), speed), 1);  // [T, 1, d/2]
  Tensor a = slice(x, 3, 0, kToEnd, 2), b = slice(x, 3, 1, kToEnd, 2);             // the even and the odd numbers
  return reshape(stack({a * cos(angle) - b * sin(angle), a * sin(angle) + b * cos(angle)}, 4), x.shape());
}

// For each position, the mean of the values up to there, weighted by how well their keys fit its query.
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v) {  // [B, H, T, d]
  Tensor scores = matmul(q, k, {.transpose_b = true}) / std::sqrt(q.size(3));  // [attn-scaled-dot]
  Tensor later = triu(ones({q.size(2), q.size(2)}), 1) == 1;
  return matmul(softmax(masked_fill(scores, later, -INFINITY)), v);  // [attn-causal-mask]
}

struct Block {
  Tensor gain1 = parameter(ones({kWidth})), gain2 = parameter(ones({kWidth}));
  Tensor query = weight(kWidth, kWidth), key = weight(kWidth, kWidth);
  Tensor value = weight(kWidth, kWidth), out = weight(kWidth, kWidth);
  Tensor gate = weight(kWidth, kHidden), up = weight(kWidth, kHidden), down = weight(kHidden, kWidth);

  Tensor attend(const Tensor& x) const {  // [attn-multi-head]
    const auto heads = [&](const Tensor& y) { return reshape(y, {x.size(0), x.size(1), kHeads, kWidth / kHeads}); };
    Tensor q = rope(heads(matmul(x, query))), k = rope(heads(matmul(x, key))), v = heads(matmul(x, value));
    Tensor y = attention(transpose(q, 1, 2), transpose(k, 1, 2), transpose(v, 1, 2));
    return matmul(reshape(transpose(y, 1, 2), x.shape()), out);
  }
  Tensor operator()(const Tensor& x) const {    // [block-pre]
    Tensor y = x + attend(rms_norm(x, gain1));  // [block-residual]
    Tensor h = rms_norm(y, gain2);
    return y + matmul(silu(matmul(h, gate)) * matmul(h, up), down);  // [ffn-swiglu]
  }
};

struct Gpt {
  Tensor table = parameter(0.02 * randn({256, kWidth})), gain = parameter(ones({kWidth}));
  std::vector<Block> blocks = std::vector<Block>(kBlocks);  // each draws its own weights

  Tensor operator()(const Tensor& bytes) const {  // [B, T] to the scores of each next byte [B, T, 256]  [model-lm]
    Tensor x = reshape(index_select(table, 0, flatten(bytes)), {-1, bytes.size(1), kWidth});  // [model-embedding]
    for (const Block& block : blocks) x = block(x);
    return matmul(rms_norm(x, gain), table, {.transpose_b = true});  // [model-tying]
  }
  Tensor loss(const Tensor& text) const { return cross_entropy((*this)(slice(text, 1, 0, -1)), slice(text, 1, 1)); }
};

// Up in a line for 100 steps, then down to a tenth along half a cosine.  [schedule-cosine]
double rate(int step) {
  const double done = (step - 100.0) / (kSteps - 100.0);
  return 3e-3 * (step < 100 ? step / 100.0 : 0.55 + 0.45 * std::cos(std::numbers::pi * done));
}

void adamw(double lr, int t) {  // [optim-adam]
  NoGrad off;
  for (auto& [p, m, v] : parameters) {
    m = 0.9 * m + 0.1 * p.grad();
    v = 0.95 * v + 0.05 * square(p.grad());
    if (p.rank() == 2) p -= lr * 0.1 * p;  // [optim-weight-decay]
    p -= lr * (m / (1 - std::pow(0.9, t))) / (sqrt(v / (1 - std::pow(0.95, t))) + 1e-8);
    p.zero_grad();
  }
}

// A draw from softmax(scores): that of the largest sum of a score and Gumbel's noise (Gumbel, 1954).
Tensor draw(const Tensor& scores) { return argmax(scores - log(-log(1 - uniform(scores.shape()))), -1, true); }

int main(int argc, char** argv) {
  Tensor text = first::read_text(argc, argv);
  Tensors parts = split(text, text.size(0) * 9 / 10 + 1);  // the last tenth is not learned from
  Tensor known = first::windows(parts[0], 64, kContext + 1), held_out = first::windows(parts[1], 64, kContext + 1);
  Gpt model;
  for (int step = 1; step <= kSteps; ++step) {
    Tensor loss = model.loss(first::windows(parts[0], kBatch, kContext + 1));
    loss.backward();
    adamw(rate(step), step);
    if (NoGrad off; step == 1 || step % (kSteps / 5) == 0)  // off: what is only looked at needs no tape
      fmt::print("step {:4}: {:.3f}, on held-out text {:.3f}\n", step, model.loss(known), model.loss(held_out));
  }
  Tensor written = full({1, 1}, '\n', DType::i64);
  for (int i = 0; i < 500; ++i) {
    fmt::print("{}", char(int(written[0][-1].item())));
    written = cat({written, draw(select(model(slice(written, 1, -kContext)), 1, -1))}, 1);
  }
  fmt::print("\n");
}
