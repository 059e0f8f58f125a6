// A deep stack of narrow blocks, what it does to the stream and to its gradient, and its first steps of training.
#pragma once

#include "examples/widgets/small_block.h"
#include "nn/block/deep_norm.h"
#include "nn/linear.h"
#include "optim/adam.h"

namespace gradus::widgets {

// What such a training depends on.
struct DeepStackOptions {
  std::string placement;  // one of stack_placements()
  std::int64_t depth;
  double gain;         // what all matrices are multiplied by at the start
  double alpha, beta;  // of DeepNorm; 0: as published
  double learning_rate;
  std::int64_t warmup;  // steps
  std::uint64_t seed;
  bool operator==(const DeepStackOptions&) const = default;
};

// "pre", "post", …: the names in the library's table.
std::vector<std::string> stack_placements();

// The constants of its DeepNorm.
nn::DeepNormScale scale_of(const DeepStackOptions& options);

// Blocks of width 16 under one placement, and a head for 16 classes, in f64.
struct DeepStack : nn::Module {
  explicit DeepStack(const DeepStackOptions& options);

  // The scores [B, T, 16] for x [B, T, 16]; the stream before the first block and after each is appended to `trace`.
  Tensor operator()(const Tensor& x, Tensors& trace);
  void members(nn::Members& m) override;

  std::vector<std::unique_ptr<SmallBlock>> blocks;
  nn::LayerPtr final_norm;  // null where the placement needs none
  nn::Linear head;
};

// Adam on one batch of random rows and classes, some of which are likelier than others, as bytes are.
class DeepTraining {
 public:
  explicit DeepTraining(const DeepStackOptions& options);

  void take_step();
  const DeepStackOptions& options() const { return options_; }
  std::int64_t step() const { return static_cast<std::int64_t>(losses_.size()) - 1; }
  const std::vector<double>& losses() const { return losses_; }  // [s]: before step s + 1
  std::vector<double> variances() const;                         // [l]: of all numbers of the stream after l blocks
  std::vector<double> gradients() const;                         // [l]: ‖dL/dx‖ there

 private:
  void forward();  // the next entry of losses()

  DeepStackOptions options_;
  DeepStack stack_;
  optim::Adam optimizer_;
  Tensor rows_, classes_, loss_;
  Tensors trace_, gradients_;  // the stream, and its gradients; those of the weights are computed once a first step is taken
  std::vector<double> losses_;
};

// Theory, before training: the variance of the stream after 0, 1, … blocks, if what sublayers add is not correlated with the
// stream. A sublayer gives a variance of ½ for rows of variance 1, times the gain for each of its two matrices squared.
std::vector<double> variances_in_theory(const DeepStackOptions& options);

}  // namespace gradus::widgets
