// ring: all ranks sum their gradients by a ring, which sends each number twice, however many ranks there are.
#include "small_gpt.h"

using namespace gradus;
using namespace gradus::ranks;

// Part i of n of x: they differ in length by one number at most.
std::span<double> part(std::span<double> x, int i, int n) {
  const auto count = static_cast<std::size_t>(n);
  const auto begin = [&](int j) { return (x.size() * static_cast<std::size_t>(j) + count - 1) / count; };
  i = (i + 2 * n) % n;
  return x.subspan(begin(i), begin(i + 1) - begin(i));
}

// x_r = Σ_s x_s. In each step every rank sends one part to the right while another comes from the left.  [dist-ring]
void ring_all_reduce(Link& link, std::span<double> x, bool show = false) {
  const int n = link.ranks(), r = link.rank(), left = (r + n - 1) % n, right = (r + 1) % n;
  std::vector<double> came(part(x, 0, n).size());
  const auto look = [&](const char* phase, int step) {
    if (show && r == 0) fmt::print("  {} {}: {}\n", phase, step, fmt::join(x, " "));
  };
  look("begin", 0);
  for (int step = 1; step < n; ++step) {  // a part picks up what each rank has of it; after n - 1 steps rank r has all of part r
    const std::span<double> mine = part(x, r - step - 1, n), room = std::span(came).first(mine.size());
    distributed::exchange(link, right, part(x, r - step, n), left, room);
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i] += room[i];
    look("sum  ", step);
  }
  for (int step = 1; step < n; ++step) {  // the sums go around once more, and are kept as they are
    distributed::exchange(link, right, part(x, r - step + 1, n), left, part(x, r - step, n));
    look("tell ", step);
  }
}

// Each rank learns from its windows of the batch.
Model train(Link& link, bool show) {
  Model model;
  const int64_t own = kBatch / link.ranks(), begin = own * link.rank();
  for (int step = 0; step < kSteps; ++step) {
    const Tensor windows = slice(batch(step), 0, begin, begin + own);
    Tensor x = embed(inputs(windows), model.table, model.places);
    for (const Block& block : model.blocks) x = feed_forward(attend(x, block), block);
    Tensor loss = losses(x, model.table, targets(windows));
    loss.backward();

    std::vector<double> all = {loss.item()};  // one message for the loss and all gradients
    for (const Tensor& p : model.parameters()) all.insert(all.end(), p.grad().data<double>(), p.grad().data<double>() + p.numel());
    ring_all_reduce(link, all);
    const double* from = all.data() + 1;
    for (const Tensor& p : model.parameters()) {
      Tensor sum = p.grad();
      std::copy_n(from, p.numel(), sum.mutable_data<double>());
      from += p.numel();
    }
    const double tokens = kBatch * kContext;
    if (show && step % 39 == 0) tell(link, "step {:2}: {:.4f} nats\n", step, all[0] / tokens);
    descend(model.parameters(), kRate / tokens);
  }
  return model;
}

int main(int argc, char** argv) {
  return run(argc, argv, [](Link& link) {
    check<ValueError>(kBatch % link.ranks() == 0, "--ranks: {} windows cannot be shared equally by {} ranks", kBatch, link.ranks());
    std::vector<double> small(static_cast<std::size_t>(link.ranks()), std::pow(10, link.rank()));
    tell(link, "What rank 0 of {} has, where rank r began with 10^r in each part:\n", link.ranks());
    ring_all_reduce(link, small, true);
    const Model model = train(link, true);
    const Model whole = alone(link, [](Link& nobody) { return train(nobody, false); });
    const double apart = largest(link, difference(model.parameters(), whole.parameters()));
    tell(link, "The weights differ from those of one rank by {:.1e}: a ring adds in another order on each part.\n", apart);
    check<ValueError>(apart < 1e-12, "the weights differ from those of one rank by {:.1e}", apart);
  });
}
