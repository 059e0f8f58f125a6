// tensor_parallel: every layer is split over the ranks: each has some heads, and some columns of the feed-forward.
#include "optim/distributed/parallel_ops.h"
#include "small_gpt.h"

using namespace gradus;
using namespace gradus::ranks;
using distributed::copy_to_ranks;
using distributed::sum_over_ranks;

// This rank's columns, or rows, of a weight: a parameter of their own.
Tensor columns(Link& link, const Tensor& weight) {
  const int64_t own = weight.size(1) / link.ranks();
  return slice(weight.detach(), 1, own * link.rank(), own * (link.rank() + 1)).detached_copy().set_requires_grad();
}
Tensor rows(Link& link, const Tensor& weight) {
  const int64_t own = weight.size(0) / link.ranks();
  return slice(weight.detach(), 0, own * link.rank(), own * (link.rank() + 1)).detached_copy().set_requires_grad();
}

// Keeps its part of each block's weights, and all of the two tables.
Model split(Link& link, Model model) {
  for (auto& [query, key, value, out, up, down] : model.blocks) {
    query = columns(link, query), key = columns(link, key), value = columns(link, value), out = rows(link, out);
    up = columns(link, up), down = rows(link, down);
  }
  return model;
}

// A column split, then a row split: y = Σ_r f(x W_r) V_r. Nothing is sent in between, since each head, and each hidden unit, is
// one rank's business alone. All ranks have x and y whole, so x is copied to the ranks, whose gradients add up, and y is their
// sum, whose gradient every rank has.  [dist-tensor-parallel]
Tensor attend_split(Link& link, const Tensor& x, const Block& b) {
  const Tensor h = copy_to_ranks(link, rms_norm(x));
  const auto heads = [&](const Tensor& w) { return split_heads(matmul(h, w), kHeads / link.ranks()); };
  return x + sum_over_ranks(link, matmul(join_heads(attention(heads(b.query), heads(b.key), heads(b.value))), b.out));
}
Tensor feed_forward_split(Link& link, const Tensor& x, const Block& b) {
  return x + sum_over_ranks(link, matmul(relu(matmul(copy_to_ranks(link, rms_norm(x)), b.up)), b.down));
}

// The whole batch on every rank: only the work inside the layers is split.
Model train(Link& link, bool show) {
  Model model = split(link, Model());
  for (int step = 0; step < kSteps; ++step) {
    const Tensor windows = batch(step);
    Tensor x = embed(inputs(windows), model.table, model.places);
    for (const Block& block : model.blocks) x = feed_forward_split(link, attend_split(link, x, block), block);
    const Tensor loss = losses(x, model.table, targets(windows));
    loss.backward();
    const double tokens = kBatch * kContext;
    if (show && step % 39 == 0) tell(link, "step {:2}: {:.4f} nats\n", step, loss.item() / tokens);
    descend(model.parameters(), kRate / tokens);
  }
  return model;
}

int main(int argc, char** argv) {
  return run(argc, argv, [](Link& link) {
    check<ValueError>(kHeads % link.ranks() == 0, "--ranks: {} heads cannot be shared equally by {} ranks", kHeads, link.ranks());
    const Model model = train(link, true);
    // Those of one rank's weights that this rank has.
    const Model whole = split(link, alone(link, [](Link& nobody) { return train(nobody, false); }));
    const double apart = largest(link, difference(model.parameters(), whole.parameters()));
    tell(link, "The weights differ from those of one rank by {:.1e}: a sum over heads is made in {} parts.\n", apart, link.ranks());
    check<ValueError>(apart < 1e-12, "the weights differ from those of one rank by {:.1e}", apart);
  });
}
