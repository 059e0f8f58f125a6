// pipeline: each rank has some of the blocks; micro-batches flow through the ranks, and their gradients back.
#include "optim/distributed/parallel_ops.h"
#include "small_gpt.h"

using namespace gradus;
using namespace gradus::ranks;
using distributed::message_of;

// What a rank does, forward or backward, each time with the next micro-batch.
using Schedule = std::string (*)(int rank, int ranks);
std::string all_forward(int, int) { return std::string(kBatch, 'F') + std::string(kBatch, 'B'); }  // GPipe (Huang et al., 2019)
std::string one_by_one(int rank, int ranks) {  // 1F1B (Narayanan et al., 2019): as many F first as ranks lie ahead
  const int ahead = std::min<int>(ranks - 1 - rank, kBatch);
  std::string work(static_cast<std::size_t>(ahead), 'F');
  for (int i = ahead; i < kBatch; ++i) work += "FB";
  return work + std::string(static_cast<std::size_t>(ahead), 'B');
}

std::vector<Block> blocks_of(const Link& link, const Model& model) {
  const int64_t own = kBlocks / link.ranks();
  return {model.blocks.begin() + own * link.rank(), model.blocks.begin() + own * (link.rank() + 1)};
}

// What a rank trains.
Tensors parameters_of(const Link& link, const Model& model) {
  Tensors own = {model.table};
  if (link.rank() == 0) own.push_back(model.places);
  for (const Block& block : blocks_of(link, model)) {
    for (const Tensor& p : block.parameters()) own.push_back(p);
  }
  return own;
}

// One rank's blocks at work. A forward and a backward each take a unit of time, and with a result comes the time at which it is there: so
// the diaries show who waits for whom, however fast the machine is.
class Stage {
 public:
  explicit Stage(Link& link) : link_(link), first_(link.rank() == 0), last_(link.rank() + 1 == link.ranks()) {
    blocks_ = blocks_of(link, model);
  }

  void forward(const Tensor& window) {
    Tensor x = first_ ? embed(inputs(window), model.table, model.places) : receive(link_.rank() - 1).set_requires_grad();
    Tensor y = x;
    for (const Block& block : blocks_) y = feed_forward(attend(y, block), block);
    if (last_) y = losses(y, model.table, targets(window));
    if (last_) loss += y.item();
    waiting_.push_back({x, y});
    most_waiting = std::max(most_waiting, waiting_.size());
    diary += 'F';
    if (!last_) send(link_.rank() + 1, y);
  }

  void backward() {
    const auto [x, y] = waiting_.front();
    waiting_.erase(waiting_.begin());
    last_ ? y.backward() : y.backward(receive(link_.rank() + 1));
    diary += 'B';
    if (!first_) send(link_.rank() - 1, x.grad());
  }

  // The first rank reads the table, the last one scores with it: its gradient has two parts, which every copy needs.  [dist-tied]
  void sum_table() {
    Tensor sum = model.table.grad().defined() ? model.table.grad() : zeros_like(model.table);
    distributed::all_reduce(link_, sum);
    model.table.set_grad(sum);
  }

  Model model;
  double loss = 0;
  std::string diary;             // a letter for each unit of time, '.' where the rank waits
  std::size_t most_waiting = 0;  // micro-batches whose tape is kept

 private:
  void send(int to, const Tensor& x) {
    double there = static_cast<double>(diary.size());
    distributed::send(link_, to, std::span(&there, 1));
    link_.send(to, message_of(x.detach()));
  }
  Tensor receive(int from) {
    double there = 0;
    Tensor x({1, kContext, kWidth}, DType::f64);
    distributed::receive(link_, from, std::span(&there, 1));
    link_.receive(from, message_of(x));
    diary.resize(std::max(diary.size(), static_cast<std::size_t>(there)), '.');
    return x;
  }

  Link& link_;
  bool first_, last_;
  std::vector<Block> blocks_;
  std::vector<std::pair<Tensor, Tensor>> waiting_;  // for their backward: input and output of each micro-batch
};

// What each rank did in the last step, and how much of it was waiting.
void show(Link& link, const char* name, Stage& stage) {
  const std::size_t p = static_cast<std::size_t>(link.ranks()), units = 2 * (kBatch + p - 1);
  stage.diary.resize(units, '.');
  const auto waits = static_cast<std::size_t>(std::count(stage.diary.begin(), stage.diary.end(), '.'));
  check<ValueError>(waits * (kBatch + p - 1) == (p - 1) * units, "rank {} waits {} of {} units, not (p - 1)/(m + p - 1) of them",
                    link.rank(), waits, units);
  std::string line = fmt::format("{}  {} tapes  {:.4f} nats", stage.diary, stage.most_waiting, stage.loss / (kBatch * kContext));
  if (link.rank() > 0) return distributed::send(link, 0, std::span(line));
  fmt::print("{}: {} of {} units are waiting, a bubble of {:.3f}\n", name, waits, units,
             static_cast<double>(waits) / static_cast<double>(units));
  for (int rank = 0; rank < link.ranks(); ++rank) {
    if (rank > 0) distributed::receive(link, rank, std::span(line));
    fmt::print("  rank {}: {}\n", rank, line);
  }
}

Model train(Link& link, const char* name, Schedule schedule) {
  Stage stage(link);
  for (int step = 0; step < kSteps; ++step) {
    stage.loss = 0;
    stage.diary.clear();
    int64_t i = 0;
    for (const char what : schedule(link.rank(), link.ranks())) {
      what == 'F' ? stage.forward(slice(batch(step), 0, i, i + 1)) : stage.backward();
      i += what == 'F' ? 1 : 0;
    }
    stage.sum_table();
    descend(parameters_of(link, stage.model), kRate / (kBatch * kContext));
  }
  if (link.ranks() > 1) show(link, name, stage);
  return stage.model;
}

int main(int argc, char** argv) {
  return run(argc, argv, [](Link& link) {
    check<ValueError>(kBlocks % link.ranks() == 0, "--ranks: {} blocks cannot be shared equally by {} ranks", kBlocks, link.ranks());
    distributed::Alone alone;
    struct Named {
      const char* name;
      Schedule schedule;
    };
    for (const auto& [name, schedule] : {Named{"all F, all B", all_forward}, Named{"1F1B", one_by_one}}) {
      const Model model = train(link, name, schedule);
      const Tensors whole = parameters_of(link, train(alone, name, schedule));
      const double apart = largest(link, difference(parameters_of(link, model), whole));
      tell(link, "The weights are those of one rank, but for {:.1e}: the table's gradient is summed in two parts.\n", apart);
      check<ValueError>(apart < 1e-12, "the weights differ from those of one rank by {:.1e}", apart);
    }
  });
}
