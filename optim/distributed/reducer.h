// Reducer: the gradients of a step, summed over the micro-batches of all ranks, while the backward pass still runs.
#pragma once

#include <map>
#include <vector>

#include "core/io/named_tensors.h"
#include "core/tensor/observer.h"
#include "optim/distributed/collectives.h"
#include "optim/distributed/messenger.h"
#include "optim/distributed/timeline.h"
#include "optim/distributed/tree_sum.h"

namespace gradus::distributed {

struct ReducerOptions {
  int64_t micro_batches = 1;            // of a step, on all ranks together
  std::size_t bucket_bytes = 1 << 20;   // gradients are sent in buckets of at least this size
  std::string all_reduce = "doubling";  // a row of all_reduces()
  Timeline* timeline = nullptr;         // where walks, messages and waits are recorded
};

// Data parallelism (Li et al., 2020): every rank has the same parameters, its share of a step's micro-batches, and gets the sum of
// all gradients.
//
//   Reducer reducer(link, model.named_parameters(), {.micro_batches = 8});
//   for (int64_t i = reducer.begin(); i < reducer.end(); ++i) {  // 0 … 7 on one rank; 0 … 3 and 4 … 7 on two
//     const Observing micro_batch = reducer.micro_batch();
//     (loss_of(batch(i)) / 8).backward();
//   }
//   reducer.wait();  // each grad() is the sum of all eight
//
// A parameter is a leaf, older than everything the walk meets, and so visited last. But it is complete before: once as many
// contributions have arrived as ops have read it. The Reducer counts both, as an observer; in the last micro-batch a complete
// gradient goes into its bucket, and a full bucket goes on its way while the walk goes on. The buckets' order is that of the
// parameters' creation, the newest first, the same on all ranks.
//
// One seed gives the same bits at 1, 2, 4 … ranks if micro-batches are added in a binary tree: see AllReduce::binary_tree.
class Reducer final : private Observer {
 public:
  // ValueError unless the number of ranks divides that of micro-batches, and on all ranks if their parameters, the order in which
  // they were created, or these options differ. DTypeError for parameters that are neither f32 nor f64.
  Reducer(Link& link, const NamedTensors& parameters, const ReducerOptions& options = {});

  int64_t begin() const { return own_ * link_.rank(); }  // this rank's micro-batches
  int64_t end() const { return begin() + own_; }

  // While it lives, forward and backward are those of the next micro-batch. What is in grad() before the first is dropped.
  // GraphError out of backward() for a parameter that was used before it began.
  Observing micro_batch();
  // After the last: waits for the other ranks, and sets every grad(). A parameter that no micro-batch has reached gets zeros.
  void wait();

  std::size_t buckets() const { return buckets_.size(); }
  std::size_t sent() const { return started_; }  // buckets of this step that are on their way, or back

 private:
  struct Parameter {
    NamedTensor named;
    TreeSum sum;
    std::size_t bucket = 0;
    std::ptrdiff_t offset = 0;  // in bytes
    int64_t uses = 0, arrivals = 0;
    bool complete = false;
  };
  struct Bucket {
    DType dtype;
    std::string first;  // the name of its first parameter
    std::size_t bytes = 0, parameters = 0, complete = 0;
    Tensor gradients = {};  // of all its parameters, flat
  };

  void made(const char* by, const Tensor& y, std::span<const Tensor> inputs, bool on_tape) override;
  void start(const Tensors& outputs, std::uint64_t oldest) override;
  void arriving(int i, const Tensor& x, const Gradient& contribution, const Tensor& before) override;
  void arrived(const Tensor& after) override;
  void finish() override;

  void make_buckets();
  void complete(Parameter& parameter, const Tensor& gradient);
  void send(Bucket& bucket);
  double now() const;
  void record(const char* kind, const std::string& what, double begin) const;

  Link& link_;
  ReducerOptions options_;
  AllReduce all_reduce_;
  int64_t own_, begun_ = 0;                                        // micro-batches of this rank
  std::map<std::uint64_t, Parameter, std::greater<>> parameters_;  // by their numbers
  std::vector<Bucket> buckets_;
  std::size_t started_ = 0;  // buckets
  Parameter* arriving_ = nullptr;
  double walk_begun_ = 0;
  Messenger messenger_;
};

}  // namespace gradus::distributed
