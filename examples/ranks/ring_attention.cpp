// ring_attention: each rank has a part of every sequence; keys and values go around, so that each query meets all of them.
#include "core/tape/record.h"
#include "small_gpt.h"

using namespace gradus;
using namespace gradus::ranks;

// y_r = x_(r-1): everybody's x goes to the right; `by` = -1: to the left.
//   dL/dx_r = dL/dy_(r+1): gradients go back the other way
Tensor pass_on(Link& link, const Tensor& x, int by = 1) {
  const int n = link.ranks(), to = (link.rank() + by + n) % n, from = (link.rank() - by + n) % n;
  Tensor y(x.shape(), x.dtype());
  distributed::exchange(link, to, std::span(x.data<double>(), static_cast<std::size_t>(x.numel())), from,
                        std::span(y.mutable_data<double>(), static_cast<std::size_t>(y.numel())));
  return record("pass_on", y, {x}, [&link, by](const Step& step) { return pass_on(link, step.grad, -by); });
}

// #region dist-ring-attention
// softmax(Q Kᵀ / √d) V for this rank's queries, where K and V come in parts. Part j gives a sum of values o_j, weighted by e^score,
// and the logarithm l_j of the sum of those weights. Two parts make one (Milakov and Gimelshein, 2018):
//   l = log(e^l₁ + e^l₂)      o = e^(l₁ - l) o₁ + e^(l₂ - l) o₂        where o_j is divided by e^l_j already
// All parts are passed on n - 1 times, and none is ever whole on one rank (Liu et al., 2023). A rank computes with later keys, too,
// whose weights are e^-10⁹ = 0: if it left them out, the walk would not reach them, and their owner would wait for a gradient.
Tensor ring_attention(Link& link, const Tensor& q, Tensor k, Tensor v) {  // [B, H, T/n, d]  [dist-ring-attention]
  const int n = link.ranks(), r = link.rank();
  const Tensor places = arange(q.size(2)), here = unsqueeze(places, 1) + static_cast<double>(r * q.size(2));
  Tensor out, log_sum;
  for (int step = 0; step < n; ++step) {
    if (step > 0) k = pass_on(link, k), v = pass_on(link, v);
    const Tensor there = places + static_cast<double>((r - step + n) % n * q.size(2));  // these are the keys of rank r - step
    const Tensor scores = matmul(q, k, {.transpose_b = true}) / std::sqrt(static_cast<double>(q.size(3)));
    const Tensor seen = masked_fill(scores, there > here, -1e9);
    const Tensor l = logsumexp(seen, -1, true), o = matmul(exp(seen - l), v);
    const Tensor both = step == 0 ? l : logsumexp(cat({log_sum, l}, -1), -1, true);
    out = step == 0 ? o : exp(log_sum - both) * out + exp(l - both) * o;
    log_sum = both;
  }
  return out;
}
// #endregion dist-ring-attention

Tensor attend_split(Link& link, const Tensor& x, const Block& b) {
  const Tensor h = rms_norm(x);
  const auto heads = [&](const Tensor& w) { return split_heads(matmul(h, w), kHeads); };
  return x + matmul(join_heads(ring_attention(link, heads(b.query), heads(b.key), heads(b.value))), b.out);
}

// All weights on every rank, and a part of each sequence.
Model train(Link& link, bool show) {
  Model model;
  const int64_t own = kContext / link.ranks(), begin = own * link.rank();
  for (int step = 0; step < kSteps; ++step) {
    const Tensor windows = batch(step);
    Tensor x = embed(slice(inputs(windows), 1, begin, begin + own), model.table, slice(model.places, 0, begin, begin + own));
    for (const Block& block : model.blocks) x = feed_forward(attend_split(link, x, block), block);
    Tensor loss = losses(x, model.table, slice(targets(windows), 1, begin, begin + own));
    loss.backward();
    for (const Tensor& p : model.parameters()) {
      Tensor sum = p.grad();
      distributed::tree_all_reduce(link, std::span(sum.mutable_data<double>(), static_cast<std::size_t>(sum.numel())));
    }
    const double tokens = kBatch * kContext, all = distributed::sum_over(link, loss.item());
    if (show && step % 39 == 0) tell(link, "step {:2}: {:.4f} nats\n", step, all / tokens);
    descend(model.parameters(), kRate / tokens);
  }
  return model;
}

int main(int argc, char** argv) {
  return run(argc, argv, [](Link& link) {
    check<ValueError>(kContext % link.ranks() == 0, "--ranks: {} positions cannot be shared equally by {} ranks", kContext, link.ranks());
    const Model model = train(link, true);
    const Model whole = alone(link, [](Link& nobody) { return train(nobody, false); });
    const double apart = largest(link, difference(model.parameters(), whole.parameters()));
    tell(link, "The weights differ from those of one rank by {:.1e}: a softmax in {} parts is rounded otherwise.\n", apart, link.ranks());
    check<ValueError>(apart < 1e-12, "the weights differ from those of one rank by {:.1e}", apart);
  });
}
