// attention: the next byte depends on more than the last one. Each position looks back for what it needs.
#include <fmt/core.h>

#include <cmath>

#include "core/core.h"
#include "text.h"

using namespace gradus;

constexpr int64_t kBatch = 12, kContext = 64, kWidth = 64, kHeads = 4;

// [256, 256]: in row i, the share of each byte among those that follow byte i.
Tensor count_pairs(const Tensor& pairs) {
  Tensor counts = reshape(index_add(zeros({256 * 256}), 0, pairs, ones(pairs.shape())), {256, 256});
  return counts / maximum(sum(counts, 1, true), 1);
}

Tensors parameters;
Tensor parameter(const Tensor& start) { return parameters.emplace_back(start).set_requires_grad(); }
Tensor weight(int64_t in, int64_t out) {  // [init-xavier-normal]
  return parameter(std::sqrt(2.0 / double(in + out)) * randn({in, out}));
}

Tensor softmax(const Tensor& x) { return exp(x - logsumexp(x, -1, true)); }  // [act-softmax]

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

struct Model {
  Tensor table = parameter(randn({256, kWidth}));
  Tensor query = weight(kWidth, kWidth), key = weight(kWidth, kWidth);
  Tensor value = weight(kWidth, kWidth), out = weight(kWidth, 256);

  Tensor attend(const Tensor& x) const {  // [attn-multi-head]
    const auto heads = [&](const Tensor& y) { return reshape(y, {x.size(0), x.size(1), kHeads, kWidth / kHeads}); };
    Tensor q = rope(heads(matmul(x, query))), k = rope(heads(matmul(x, key))), v = heads(matmul(x, value));
    Tensor y = attention(transpose(q, 1, 2), transpose(k, 1, 2), transpose(v, 1, 2));
    return matmul(reshape(transpose(y, 1, 2), x.shape()), out);
  }
  Tensor operator()(const Tensor& bytes) const {  // [B, T] to the scores of each next byte [B, T, 256]
    return attend(reshape(index_select(table, 0, flatten(bytes)), {-1, bytes.size(1), kWidth}));  // [model-embedding]
  }
  Tensor loss(const Tensor& text) const { return cross_entropy((*this)(slice(text, 1, 0, -1)), slice(text, 1, 1)); }
};

int main(int argc, char** argv) {
  Tensor text = first::read_text(argc, argv);
  Tensor pairs = 256 * slice(text, 0, 0, -1) + slice(text, 0, 1);  // each byte with the next, as one number
  fmt::print("counting pairs: {:.3f}\n", -mean(log(take(count_pairs(pairs), pairs))));

  Model model;
  Tensor probe = first::windows(text, 64, kContext + 1);
  for (int step = 0; step <= 2000; ++step) {
    Tensor loss = model.loss(first::windows(text, kBatch, kContext + 1));
    loss.backward();

    NoGrad off;
    for (Tensor& p : parameters) {
      p -= 1.0 * p.grad();
      p.zero_grad();
    }
    if (step % 500 == 0) fmt::print("step {:4}: {:.3f}\n", step, model.loss(probe));
  }
}
