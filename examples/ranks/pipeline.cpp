// pipeline: each rank has some of the blocks; micro-batches flow through the ranks, and their gradients back.
#include "optim/distributed/parallel_ops.h"
#include "small_gpt.h"

using namespace gradus;
using namespace gradus::ranks;

// What a rank does, forward or backward, each time with the next micro-batch.
std::string all_forward(int, int) { return std::string(kBatch, 'F') + std::string(kBatch, 'B'); }  // GPipe (Huang et al., 2019)
std::string one_by_one(int rank, int ranks) {  // 1F1B (Narayanan et al., 2019): as many F first as ranks lie ahead
  const int ahead = std::min<int>(ranks - 1 - rank, kBatch);
  std::string work(static_cast<std::size_t>(ahead), 'F');
  for (int i = ahead; i < kBatch; ++i) work += "FB";
  return work + std::string(static_cast<std::size_t>(ahead), 'B');
}

// One rank's blocks. A forward and a backward each take a unit of time, and with a result comes the time at which it is there: so
// the diaries show who waits for whom, however fast the machine is.
struct Stage {
  Link& link;
  Model model = {};
  bool first = link.rank() == 0, last = link.rank() + 1 == link.ranks();
  std::vector<std::pair<Tensor, Tensor>> waiting = {};  // for their backward: input and output of each micro-batch
  std::size_t most_waiting = 0;
  double loss = 0;
  std::string diary = {};  // a letter for each unit of time, '.' where the rank waits

  std::span<const Block> blocks(const Model& of) const {
    const std::size_t own = of.blocks.size() / static_cast<std::size_t>(link.ranks());
    return std::span(of.blocks).subspan(own * static_cast<std::size_t>(link.rank()), own);
  }
  Tensors parameters(const Model& of) const {  // those that this rank trains
    Tensors own = {of.table};
    if (first) own.push_back(of.places);
    for (const Block& block : blocks(of)) {
      for (const Tensor& p : block.parameters()) own.push_back(p);
    }
    return own;
  }

  void forward(const Tensor& window) {
    Tensor x = first ? embed(inputs(window), model.table, model.places) : receive(link.rank() - 1).set_requires_grad();
    Tensor y = x;
    for (const Block& block : blocks(model)) y = feed_forward(attend(y, block), block);
    if (last) y = losses(y, model.table, targets(window));
    loss += last ? y.item() : 0;
    waiting.emplace_back(x, y);
    most_waiting = std::max(most_waiting, waiting.size());
    diary += 'F';
    if (!last) send(link.rank() + 1, y);
  }
  void backward() {
    const auto [x, y] = waiting.front();
    waiting.erase(waiting.begin());
    last ? y.backward() : y.backward(receive(link.rank() + 1));
    diary += 'B';
    if (!first) send(link.rank() - 1, x.grad());
  }

  void send(int to, const Tensor& x) const {
    double there = static_cast<double>(diary.size());
    distributed::send(link, to, std::span(&there, 1));
    link.send(to, distributed::message_of(x.detach()));
  }
  Tensor receive(int from) {
    double there = 0;
    Tensor x({1, kContext, kWidth}, DType::f64);
    distributed::receive(link, from, std::span(&there, 1));
    link.receive(from, distributed::message_of(x));
    diary.resize(std::max(diary.size(), static_cast<std::size_t>(there)), '.');
    return x;
  }
};

Stage train(Link& link, std::string (*schedule)(int rank, int ranks)) {
  Stage stage{link};
  for (int step = 0; step < kSteps; ++step) {
    stage.loss = 0;
    stage.diary.clear();
    int64_t i = 0;  // the next window
    for (const char what : schedule(link.rank(), link.ranks())) {
      what == 'F' ? stage.forward(slice(batch(step), 0, i, i + 1)) : stage.backward();
      i += what == 'F' ? 1 : 0;
    }
    // The first rank reads the table, the last one scores with it: its gradient has two parts, which every copy needs.  [dist-pipeline]
    const Tensor& table = stage.model.table;
    Tensor sum = table.grad().defined() ? table.grad() : zeros_like(table);
    distributed::all_reduce(link, sum);
    table.set_grad(sum);
    descend(stage.parameters(stage.model), kRate / (kBatch * kContext));
  }
  return stage;
}

void show(Link& link, const char* name, const Stage& stage) {
  const std::size_t p = static_cast<std::size_t>(link.ranks()), units = 2 * (kBatch + p - 1);
  const auto works = static_cast<std::size_t>(std::count_if(stage.diary.begin(), stage.diary.end(), [](char c) { return c != '.'; }));
  check<ValueError>((units - works) * (kBatch + p - 1) == (p - 1) * units, "a rank waits {} of {} units, not (p - 1)/(m + p - 1) of them",
                    units - works, units);
  const auto lines = distributed::gather_texts(link, fmt::format("{:.<{}}  {} tapes at most", stage.diary, units, stage.most_waiting));
  tell(link, "{}: {} of {} units are waiting, a bubble of (p - 1)/(m + p - 1)\n", name, units - works, units);
  for (std::size_t rank = 0; rank < lines.size(); ++rank) fmt::print("  rank {}: {}\n", rank, lines[rank]);
}

int main(int argc, char** argv) {
  return run(argc, argv, [](Link& link) {
    check<ValueError>(kBlocks % link.ranks() == 0, "--ranks: {} blocks cannot be shared equally by {} ranks", kBlocks, link.ranks());
    const Model whole = alone(link, [](Link& nobody) { return train(nobody, one_by_one).model; });
    for (const auto& [name, schedule] : {std::pair("all F, all B", &all_forward), std::pair("1F1B", &one_by_one)}) {
      const Stage stage = train(link, schedule);
      show(link, name, stage);
      const double loss = distributed::sum_over(link, stage.loss) / (kBatch * kContext);
      const double apart = largest(link, difference(stage.parameters(stage.model), stage.parameters(whole)));
      tell(link, "loss {:.4f} nats\nThe weights differ from those of one rank by {:.1e}: the table's gradient is summed in two parts.\n",
           loss, apart);
      check<ValueError>(apart < 1e-12, "the weights differ from those of one rank by {:.1e}", apart);
    }
  });
}
