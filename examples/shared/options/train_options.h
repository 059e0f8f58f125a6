// The options of a training run. command_line.h reads them, train_config.h keeps them in config.json.
#pragma once

#include <optional>
#include <string>

#include "nn/model/language_model.h"
#include "optim/distributed/collectives.h"
#include "optim/distributed/start.h"
#include "optim/optimizer_table.h"
#include "optim/schedule.h"

namespace gradus::examples {

struct TrainOptions {
  std::string data;  // empty: Shakespeare's plays
  nn::LanguageModelOptions model;
  std::string optimizer = "adamw";
  optim::OptimizerConstants constants;
  std::optional<double> min_lr;  // these two as given; see fill_defaults
  std::optional<int64_t> warmup;
  std::string schedule_name = "cosine";
  optim::ScheduleOptions schedule{.max_lr = 2e-3, .min_lr = 2e-4, .warmup = 100, .total = 2000};
  int64_t batch = 12;
  int64_t accumulate = 1;  // micro-batches: parts in which a batch goes through the model, one after the other or on several ranks
  double weight_decay = 0.1;
  bool decay_embeddings = true;
  double clip = 1;        // of the gradient's norm; 0 only measures it
  double clip_value = 0;  // of each of its values; 0: none
  double z_loss = 0;
  double label_smoothing = 0;
  double ema = 0;             // β > 0: validation and sample use a moving average of the weights
  std::string dtype = "f32";  // or f64; bf16: that of the operands of products, where all else is f32
  std::uint64_t seed = 0;
  int threads = 0;                  // 0: all cores
  distributed::StartOptions start;  // of ranks
  std::string all_reduce = "doubling";
  std::string link;      // "1ms,100MB/s": a slow link between ranks, modelled; empty: as it is
  double patience = 60;  // seconds for which a rank waits for another, within a step
  int64_t eval_every = 250;
  int64_t sample_chars = 400;
  std::string prompt;          // what the sample continues; empty: a line break
  nn::SampleOptions sampling;  // `count` is sample_chars
  std::string out;             // empty: runs/<name>
  std::string resume;          // a run to go on with
  std::string layout;          // a model's choices, which the other options change; empty: those of TransformerOptions
  bool own_shape = false;      // were d_model, layers, heads or head_dim given?
  bool own_text = false;       // was data given, now and not by the run that is resumed?
  bool quiet = false;
  bool list = false;

  DType stored_dtype() const { return dtype == "f64" ? DType::f64 : DType::f32; }
};

// What is not given but follows from the rest: the warm-up, a tenth of the steps but at most 100; the rate at the end, a
// tenth of the highest; the usual width of the feed-forward layer. ValueError for an unknown optimizer or schedule, and for a
// size that no machine holds.
void fill_defaults(TrainOptions& options);

// ValueError naming the option for values that no run can have.
void check_options(const TrainOptions& options);

// What `link` says. ValueError unless it is empty, for a link without costs, or a time and a bandwidth: "1ms,100MB/s".
distributed::LinkCost link_cost(const TrainOptions& options);

// "d_model" in config.json is --d-model on the command line.
std::string flag_of(std::string name);

}  // namespace gradus::examples
