// data_parallel: every rank has the whole model and a share of the batch, and gradients travel while the walk still runs.
#include "optim/distributed/reducer.h"
#include "small_gpt.h"

using namespace gradus;
using namespace gradus::ranks;

NamedTensors named(const Model& model) {
  NamedTensors all = {{"table", model.table}, {"places", model.places}};
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    const char* const names[] = {"query", "key", "value", "out", "up", "down"};
    const Tensors parameters = model.blocks[i].parameters();
    for (std::size_t j = 0; j < parameters.size(); ++j) all.emplace_back(fmt::format("{}.{}", i, names[j]), parameters[j]);
  }
  return all;
}

// Each window is a micro-batch, and each is of another length. Losses are summed, not averaged, and so are the numbers of their
// tokens: a mean of means would count the tokens of a short window more than those of a long one.  [dist-mean]
Model train(Link& link, bool show) {
  Model model;
  distributed::Reducer reducer(link, named(model), {.micro_batches = kBatch, .bucket_bytes = 1 << 13});
  for (int step = 0; step < kSteps; ++step) {
    double loss = 0, tokens = 0;
    for (int64_t i = reducer.begin(); i < reducer.end(); ++i) {
      const Tensor window = slice(slice(batch(step), 0, i, i + 1), 1, 0, kContext + 1 - i);
      const Observing micro_batch = reducer.micro_batch();  // counts how often each parameter is used: when is its gradient complete?
      Tensor x = embed(inputs(window), model.table, model.places);
      for (const Block& block : model.blocks) x = feed_forward(attend(x, block), block);
      const Tensor sum = losses(x, model.table, targets(window));
      sum.backward();
      loss += sum.item();
      tokens += static_cast<double>(targets(window).numel());
    }
    if (show && step == 0) tell(link, "{} of {} messages were sent before the walk had ended\n", reducer.sent(), reducer.buckets());
    reducer.wait();  // now each p.grad() is the sum over all windows of all ranks, the same bits everywhere
    loss = distributed::sum_over(link, loss);
    tokens = distributed::sum_over(link, tokens);
    if (show && step % 39 == 0) tell(link, "step {:2}: {:.4f} nats\n", step, loss / tokens);
    descend(model.parameters(), kRate / tokens);
  }
  return model;
}

int main(int argc, char** argv) {
  return run(argc, argv, [](Link& link) {
    const Model model = train(link, true);
    const Model whole = alone(link, [](Link& nobody) { return train(nobody, false); });
    const double apart = largest(link, difference(model.parameters(), whole.parameters()));
    tell(link, "The weights are those of one rank, to the bit: they differ by {}.\n", apart);
    check<ValueError>(apart == 0, "the weights differ from those of one rank by {:.1e}", apart);
  });
}
