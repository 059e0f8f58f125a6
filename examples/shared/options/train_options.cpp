#include "examples/shared/options/train_options.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/machine/threads.h"
#include "examples/shared/data/memory.h"
#include "nn/model/transformer_options.h"
#include "optim/optimizer_table.h"

namespace gradus::examples {

std::string flag_of(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

namespace {

// The largest are far above what a machine of today holds, and low enough that no product of them overflows.
void check_sizes(const TrainOptions& o) {
  constexpr int64_t thousand = 1000, million = thousand * thousand;
  const std::tuple<const char*, int64_t, int64_t> positive[] = {{"--steps", o.schedule.total, million * million},
                                                                {"--batch", o.batch, million},
                                                                {"--context", o.model.context, million},
                                                                {"--d-model", o.model.d_model, million},
                                                                {"--heads", o.model.heads, million},
                                                                {"--vocabulary", o.model.vocabulary, 10 * million},
                                                                {"--layers", o.model.layers, 10 * thousand},
                                                                {"--cycles", o.schedule.cycles, 10 * thousand}};
  const std::tuple<const char*, int64_t, int64_t> or_zero[] = {
      {"--d-ff", o.model.d_ff, 10 * million},    {"--head-dim", o.model.head_dim, million},
      {"--kv-heads", o.model.kv_heads, million}, {"--per-layer-width", o.model.per_layer_width, million},
      {"--threads", o.threads, most_threads()},  {"--sample-chars", o.sample_chars, thousand * million}};
  for (const auto& [name, value, most] : positive) {
    check<ValueError>(value > 0, "{} must be positive, got {}", name, value);
    check<ValueError>(value <= most, "{} must be at most {}, got {}", name, most, value);
  }
  for (const auto& [name, value, most] : or_zero) {
    check<ValueError>(value >= 0, "{} must not be negative, got {}", name, value);
    check<ValueError>(value <= most, "{} must be at most {}, got {}", name, most, value);
  }
}

void check_heads(const nn::LanguageModelOptions& o) {
  check<ValueError>(o.head_dim > 0 || o.d_model % o.heads == 0, "--heads: {} heads do not divide --d-model {}", o.heads, o.d_model);
  check<ValueError>(o.kv_heads == 0 || o.heads % o.kv_heads == 0, "--kv-heads: {} heads of keys and values do not divide --heads {}",
                    o.kv_heads, o.heads);
}

}  // namespace

distributed::LinkCost link_cost(const TrainOptions& o) {
  if (o.link.empty()) return {};
  double time = 0, speed = 0;
  char time_unit[3] = {}, speed_unit[5] = {};
  int read = 0;
  const int found = std::sscanf(o.link.c_str(), "%lf%2[a-z],%lf%4[A-Z/s]%n", &time, time_unit, &speed, speed_unit, &read);
  const std::map<std::string, double> seconds{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}}, bytes{{"KB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}};
  const bool fits = found == 4 && read == static_cast<int>(o.link.size()) && seconds.count(time_unit) > 0 && bytes.count(speed_unit) > 0;
  check<ValueError>(
      fits && time >= 0 && speed > 0 && time * seconds.at(time_unit) <= 10,
      "--link: expected a latency up to 10 s and a bandwidth, such as 1ms,100MB/s (s, ms or us; KB/s, MB/s or GB/s), got '{}'", o.link);
  return {.latency = time * seconds.at(time_unit), .byte_time = 1 / (speed * bytes.at(speed_unit))};
}

void fill_defaults(TrainOptions& o) {
  check_sizes(o);
  o.optimizer = optim::optimizers().find(o.optimizer).name;  // as the table spells them
  o.schedule_name = optim::schedules().find(o.schedule_name).name;
  if (o.resume.empty()) {  // a run that is resumed has them from its configuration
    o.schedule.warmup = std::clamp<int64_t>(o.schedule.total / 10, 0, 100);
    o.schedule.min_lr = o.schedule.max_lr / 10;
  }
  if (o.warmup) o.schedule.warmup = *o.warmup;
  if (o.min_lr) o.schedule.min_lr = *o.min_lr;
  o.all_reduce = distributed::all_reduces().find(o.all_reduce).name;
  if (o.accumulate == 1 && o.resume.empty()) o.accumulate = std::max(1, o.start.ranks);
  if (o.model.d_ff == 0) o.model.d_ff = nn::feed_forward_width(o.model.feed_forward, o.model.d_model);
}

namespace {

// An optimizer with these constants over one number: does it have them, and are they in their range?
void check_constants(const TrainOptions& o) {
  const auto& optimizer = optim::optimizers().find(o.optimizer);
  try {
    const Tensor any = ones({1}, o.stored_dtype()).set_requires_grad();
    optimizer.value(optim::ParameterGroups{{{{"of the model", any}}}}, o.constants);
  } catch (const ValueError& error) {
    throw ValueError(fmt::format("--optimizer {}: {}", o.optimizer, error.what()));
  }
}

// As check_schedule of the options' names, and for cycles that are seen.
void check_rate(const TrainOptions& o) {
  const optim::ScheduleOptions& s = o.schedule;
  check<ValueError>(s.max_lr >= 0, "--lr must not be negative, got {}", s.max_lr);
  check<ValueError>(o.min_lr || s.min_lr <= s.max_lr, "--lr: {} is below the run's --min-lr, {}; give that anew, too", s.max_lr, s.min_lr);
  check<ValueError>(s.min_lr <= s.max_lr, "--min-lr: must be at most --lr, {}, got {}", s.max_lr, s.min_lr);
  check<ValueError>(o.warmup || s.warmup <= s.total, "--steps must be at least the warm-up's, {}, got {}", s.warmup, s.total);
  check<ValueError>(s.warmup <= s.total, "--warmup: must not be longer than the run of {} steps, got {}", s.total, s.warmup);
  optim::check_schedule(s);
  const bool restarts = o.schedule_name == "cosine-restarts";
  check<ValueError>(!restarts || std::isfinite(std::pow(s.cycle_growth, s.cycles)),
                    "--cycles: of {}, each {} times as "
                    "long as the one before, the first has no length",
                    s.cycles, s.cycle_growth);
}

void check_ranks(const TrainOptions& o) {
  const int ranks = o.start.ranks;
  check<ValueError>(ranks > 0 && ranks <= 1024, "--ranks must be from 1 to 1024, got {}", ranks);
  check<ValueError>(o.accumulate % ranks == 0, "--ranks: {} micro-batches (--accumulate) cannot be shared equally by {} ranks",
                    o.accumulate, ranks);
  check<ValueError>(distributed::all_reduces().find(o.all_reduce).name != "mpi" || ranks == 1 || !o.start.threads,
                    "--reduce mpi: needs ranks that are processes");
  const bool any_number = o.all_reduce != "doubling" && o.all_reduce != "halving";
  check<ValueError>(any_number || (ranks & (ranks - 1)) == 0, "--ranks: {} needs 1, 2, 4, 8 … ranks, got {}; take --reduce tree",
                    o.all_reduce, ranks);
  check<ValueError>(o.all_reduce != "mpi" || o.link.empty(), "--link: MPI's own sum cannot be slowed; take another --reduce");
  check<ValueError>(o.start.hosts.empty() || std::filesystem::exists(o.start.hosts), "--hosts: there is no file {}", o.start.hosts);
  check<ValueError>(o.patience > 0 && o.patience <= 1e6, "--patience must be from 0 to 10⁶ seconds, got {}", o.patience);
  link_cost(o);
}

// What no machine holds is refused before any of it is built: the weights, their gradients, and what a step's backward pass reads.
void check_memory(const TrainOptions& o) {
  const nn::LanguageModelOptions& m = o.model;
  const auto width = static_cast<double>(m.d_model), inner = static_cast<double>(m.d_ff), layers = static_cast<double>(m.layers);
  double experts = 0;  // of all layers; a layer that is no mixture is one
  for (int64_t layer = 0; layer < m.layers; ++layer) {
    experts += m.feed_forward.of(layer).name == "moe" ? static_cast<double>(m.experts.count) : 1;
  }
  const auto ids = static_cast<double>(m.vocabulary), bytes_read = static_cast<double>(o.batch / o.accumulate * m.context);
  const double weights = width * (2 * width * layers + 2 * inner * experts + ids), kept = bytes_read * (layers * (4 * width + inner) + ids);
  const double gigabytes = (2 * weights + kept) * static_cast<double>(size_of(o.stored_dtype())) / 1e9;
  check<ValueError>(gigabytes <= memory_bytes() / 1e9,
                    "training takes at least {:.2g} GB of memory, and there are {:.2g}; a smaller --d-model, --d-ff, --layers, "
                    "--vocabulary, --batch or --context needs less",
                    gigabytes, memory_bytes() / 1e9);
}

bool is_utf8(const std::string& text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

}  // namespace

void check_options(const TrainOptions& o) {
  for (const auto& [name, text] : {std::pair{"--data", o.data}, {"--prompt", o.prompt}}) {
    check<ValueError>(is_utf8(text), "{}: not UTF-8, which config.json is written in", name);
  }
  check_sizes(o);
  check_heads(o.model);
  check<ValueError>(o.eval_every > 0, "--eval-every must be positive, got {}", o.eval_every);
  check<ValueError>(o.resume.empty() || o.layout.empty(), "--layout: a run that is resumed keeps its own model");
  check<ValueError>(o.resume.empty() || o.out.empty(), "--out: a run that is resumed stays in its directory {}", o.resume);
  check<ValueError>(o.weight_decay >= 0, "--weight-decay must not be negative, got {}", o.weight_decay);
  check<ValueError>(o.clip >= 0, "--clip must not be negative, got {}", o.clip);
  check<ValueError>(o.clip_value >= 0, "--clip-value must not be negative, got {}", o.clip_value);
  check<ValueError>(o.z_loss >= 0, "--z-loss must not be negative, got {}", o.z_loss);
  check<ValueError>(o.label_smoothing >= 0 && o.label_smoothing <= 1, "--label-smoothing must be in [0, 1], got {}", o.label_smoothing);
  check<ValueError>(o.ema >= 0 && o.ema < 1, "--ema must be in [0, 1), got {}", o.ema);
  check<ValueError>(o.model.vocabulary >= 256, "--vocabulary: bytes need at least 256 ids, got {}", o.model.vocabulary);
  check<ValueError>(o.dtype == "f32" || o.dtype == "f64" || o.dtype == "bf16", "--dtype: trains in f32, f64 or bf16, got '{}'", o.dtype);
  check<ValueError>(o.accumulate > 0 && o.batch % o.accumulate == 0, "--accumulate: a batch of {} cannot be cut into {} parts", o.batch,
                    o.accumulate);
  check_ranks(o);
  check_rate(o);
  check_constants(o);
  nn::check_options(o.sampling);
  check_memory(o);
  nn::checked(o.model, nn::StackKind::decoder, "LanguageModel");
}

}  // namespace gradus::examples
