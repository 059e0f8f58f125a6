#include "examples/shared/training/trainer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/inspect/anomaly.h"
#include "core/inspect/severed.h"
#include "core/io/safetensors.h"
#include "examples/shared/options/train_config.h"
#include "nn/nn.h"
#include "optim/optim.h"

namespace gradus::examples {
namespace {

// Starts the default generator before the model's weights are drawn from it.
const nn::LanguageModelOptions& seeded(const TrainOptions& options) {
  manual_seed(options.seed);
  return options.model;
}

// The averaged weights in place of the last, for a while and if there is an average.
class Averaged {
 public:
  explicit Averaged(std::optional<optim::MovingAverage>& average) : average_(average) {
    if (average_) average_->swap();
  }
  ~Averaged() {
    if (average_) average_->swap();
  }
  Averaged(const Averaged&) = delete;
  Averaged& operator=(const Averaged&) = delete;

 private:
  std::optional<optim::MovingAverage>& average_;
};

// The model as it is validated.
struct Validating {
  Validating(std::optional<optim::MovingAverage>& average, nn::LanguageModel& model) : weights(average), mode(model) {}
  NoGrad off;
  Averaged weights;
  nn::Evaluating mode;
};

// GraphError unless the loss gives each parameter a gradient, and nothing else.
void check_connected(const Tensor& loss, nn::LanguageModel& model) {
  std::string lost;
  for (const inspect::Severed& parameter : inspect::severed(loss, model)) lost += "\n  " + parameter.str();
  check<GraphError>(lost.empty(), "the loss gives parameters no gradient, or one to what is no parameter:{}", lost);
}

// "" if all are finite.
std::string said_of_weights(const NamedTensors& parameters) {
  std::vector<std::string> lost;
  for (const auto& [name, weight, role] : parameters) {
    if (sum(isfinite(weight)).item() < static_cast<double>(weight.numel())) lost.push_back(name);
  }
  if (lost.empty()) return "";
  return fmt::format("\n  {}{} not finite since the step before", lost[0],
                     lost.size() == 1 ? " is" : fmt::format(" and {} more weights are", lost.size() - 1));
}

// The norm of the gradients, which is then at most `limit` if that is not 0; one that is not finite is left as it is.
double clip_norm(const Tensors& parameters, double limit) {
  try {
    return optim::clip_grad_norm(parameters, limit);
  } catch (const ValueError&) {
    return INFINITY;
  }
}

// Adam's own β₂ is 0.999; for language models a shorter memory is usual (Brown et al., 2020), and Muon's default.
std::unique_ptr<optim::Optimizer> make_optimizer(const TrainOptions& o, const NamedTensors& parameters) {
  optim::OptimizerConstants constants = o.constants;
  if (!constants.beta2 && (o.optimizer == "adam" || o.optimizer == "adamw")) constants.beta2 = 0.95;
  return optim::optimizers()
      .find(o.optimizer)
      .value(optim::decay_matrices(parameters, o.weight_decay, {.embeddings = o.decay_embeddings}), constants);
}

// ValueError unless all ranks run the same program, with the same options, on the same text.
void check_alike(distributed::Link& link, const TrainOptions& options, const Corpus& corpus) {
  if (link.ranks() == 1) return;
  std::ifstream file("/proc/self/exe", std::ios::binary);
  distributed::check_same(link, "program's bytes", distributed::hash_of({std::istreambuf_iterator<char>(file), {}}));
  distributed::check_same(link, "options", distributed::hash_of(to_json(options).dump()));
  distributed::check_same(link, "text's bytes", distributed::hash_of(corpus.fingerprint()));
}

// The events of a step, as JSON.
std::string as_text(const std::vector<distributed::Event>& events) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [kind, what, begin, end] : events) list.push_back({{"kind", kind}, {"what", what}, {"begin", begin}, {"end", end}});
  return list.dump();
}

constexpr int64_t kBytes = 256;  // ids that stand for a byte

}  // namespace

Corpus load_corpus(const TrainOptions& options) {
  const int64_t context = options.model.context;
  return options.data.empty() ? Corpus::shakespeare(context) : Corpus::from_file(options.data, context);
}

Trainer::Trainer(const TrainOptions& options, const Corpus& corpus, distributed::Link* link)
    : link_(link != nullptr ? *link : alone_),
      options_(options),
      corpus_(corpus),
      model_(seeded(options)),
      schedule_(optim::schedules().find(options.schedule_name).value),
      batches_(options.seed + 1) {
  check_alike(link_, options, corpus);
  model_.to(options.stored_dtype());
  if (options.accumulate > 1)
    reducer_.emplace(
        link_, model_.named_parameters(),
        distributed::ReducerOptions{.micro_batches = options.accumulate, .all_reduce = options.all_reduce, .timeline = &timeline_});
  optimizer_ = make_optimizer(options, model_.named_parameters());
  if (options.ema > 0) average_.emplace(model_.named_parameters(), options.ema);
}

// --- a step ---------------------------------------------------------------------------------------------------

// Adds the gradients of a micro-batch, whose mean loss is a share of the step's.
double Trainer::learn(const Batch& batch) {
  const nn::CrossEntropyOptions loss_options{.z_loss = options_.z_loss, .label_smoothing = options_.label_smoothing};
  std::optional<inspect::ForwardLog> log;
  if (!connected_) log.emplace();
  const Tensor mean = model_.with_auxiliary_losses(nn::cross_entropy(model_(batch.inputs), batch.targets, loss_options));
  const Tensor share = mean / static_cast<double>(options_.accumulate);
  share.backward();
  if (!connected_) check_connected(share, model_);
  connected_ = true;
  return share.item();
}

// Where a step has several micro-batches, what one of them draws, such as dropout, depends on its number alone.
void Trainer::draw_for(int64_t micro_batch) {
  if (options_.accumulate == 1) return;
  const auto number = static_cast<std::uint64_t>(optimizer_->steps() * options_.accumulate + micro_batch);
  default_generator().restore(options_.seed, (number + 1) << 32);
}

template <typename Visit> void Trainer::for_own_batches(const Visit& visit) {
  const int64_t own = options_.accumulate / link_.ranks();
  for (int64_t i = 0; i < options_.accumulate; ++i) {
    const Batch batch = corpus_.random_batch(options_.batch / options_.accumulate, batches_);
    if (i / own != link_.rank()) continue;
    draw_for(i);
    visit(i, batch);
  }
  draw_for(options_.accumulate);
}

// The loss of the batch, whose gradients the parameters get: the sum over all micro-batches of all ranks.
double Trainer::add_gradients() {
  std::vector<double> shares(static_cast<std::size_t>(options_.accumulate));  // of the loss; 0 where another rank knows it
  for_own_batches([&](int64_t i, const Batch& batch) {
    double& share = shares[static_cast<std::size_t>(i)];
    if (!reducer_) {
      share = learn(batch);
      return;
    }
    const Observing micro_batch = reducer_->micro_batch();
    share = learn(batch);
  });
  if (reducer_) reducer_->wait();
  link_.set_task("the sum of the losses");
  distributed::tree_all_reduce(link_, std::span(shares));
  return std::accumulate(shares.begin(), shares.end(), 0.0);
}

// Weights may have gone before. If not, the step is made again, from the same random numbers, to learn who made the first
// NaN or Inf. Rank 0 hears what all have found, and throws.
void Trainer::refuse(const char* what, const Generator& batches, const Generator& others) {
  optimizer_->zero_grad();
  batches_ = batches;
  default_generator() = others;
  std::string cause = said_of_weights(model_.named_parameters());
  try {
    const inspect::AnomalyMode careful;
    if (cause.empty()) for_own_batches([&](int64_t, const Batch& batch) { learn(batch); });
  } catch (const GraphError& anomaly) {
    cause = std::string("\n  ") + anomaly.what();
  }
  optimizer_->zero_grad();
  const std::vector<std::string> causes = distributed::gather_texts(link_, cause);
  if (link_.rank() > 0) return;
  const auto first = std::find_if(causes.begin(), causes.end(), [](const std::string& one) { return !one.empty(); });
  throw ValueError(fmt::format("the {} of step {} is not finite; try a lower --lr or a smaller --clip{}{}", what, optimizer_->steps() + 1,
                               first == causes.end() ? "" : *first,
                               first == causes.end() || link_.ranks() == 1 ? "" : fmt::format(", on rank {}", first - causes.begin())));
}

StepResult Trainer::step() {
  next({Order::step});
  return step_together();
}

StepResult Trainer::step_together() {
  timeline_.begin();
  const Generator batches = batches_, others = default_generator();
  const double loss = add_gradients();
  const double norm = std::isfinite(loss) ? clip_norm(model_.parameters(), options_.clip) : INFINITY;
  if (!std::isfinite(norm)) {
    refuse(std::isfinite(loss) ? "gradient" : "loss", batches, others);
    return {loss, 0, norm};
  }
  if (options_.clip_value > 0) optim::clip_grad_value(model_.parameters(), options_.clip_value);
  const double lr = schedule_(options_.schedule, optimizer_->steps() + 1);
  optimizer_->step(lr);
  optimizer_->zero_grad();
  model_.after_step([this](std::vector<double>& numbers) {
    link_.set_task("the sum of the experts' loads");
    distributed::tree_all_reduce(link_, std::span(numbers));
  });
  if (average_) average_->update();
  return {loss, lr, norm};
}

double Trainer::validate(int64_t batches, const std::function<bool()>& stop) {
  const int64_t all = corpus_.validation_batches(options_.batch);
  const int64_t count = batches == 0 ? all : std::min(batches, all);
  const Validating mode(average_, model_);
  double total = 0, tokens = 0;
  for (int64_t first = 0; first < count; first += link_.ranks()) {
    next({Order::validate, first, count});
    const std::vector<double> sums = validate_together(first, count);
    for (std::size_t i = 0; i < sums.size(); i += 2) {
      total += sums[i];
      tokens += sums[i + 1];
    }
    if (stop()) break;
  }
  return total / tokens;
}

// Each rank takes one of the next batches: the sum of its losses, and their number.
std::vector<double> Trainer::validate_together(int64_t first, int64_t count) {
  std::vector<double> sums(2 * static_cast<std::size_t>(link_.ranks()));
  if (const int64_t own = first + link_.rank(); own < count) {
    const Batch batch = corpus_.spread_validation_batch(own, count, options_.batch);
    const auto weight = static_cast<double>(batch.targets.numel()), loss = nn::cross_entropy(model_(batch.inputs), batch.targets).item();
    const auto at = sums.begin() + 2 * link_.rank();
    at[0] = loss * weight;
    at[1] = weight;
  }
  link_.set_task("the sum of the validation's losses");
  distributed::tree_all_reduce(link_, std::span(sums));
  return sums;
}

// --- ranks ----------------------------------------------------------------------------------------------------

// A rank may wait long for its next task: rank 0 writes files and samples, too.
Trainer::Task Trainer::next(Task task) {
  link_.set_task("the next task, which rank 0 gives");
  const std::chrono::duration<double> within_a_step = link_.patience();
  link_.set_patience(std::chrono::hours(24));
  distributed::broadcast(link_, std::as_writable_bytes(std::span(&task, 1)));
  link_.set_patience(within_a_step);
  return task;
}

void Trainer::serve() {
  for (Task task = next({}); task.order != Order::end;) {
    if (task.order == Order::validate) {
      const Validating mode(average_, model_);  // for all of its batches
      for (; task.order == Order::validate; task = next({})) validate_together(task.first, task.count);
      continue;
    }
    if (task.order == Order::step) step_together();
    if (task.order == Order::tell_timeline) distributed::gather_texts(link_, as_text(timeline_.events()));
    task = next({});
  }
}

void Trainer::dismiss() { next({Order::end}); }

std::vector<std::string> Trainer::timelines() {
  next({Order::tell_timeline});
  return distributed::gather_texts(link_, as_text(timeline_.events()));
}

// --- what it has learned --------------------------------------------------------------------------------------

// The first window is read step by step; what comes after it is read anew for each byte, and so can be drawn one by one.
std::string Trainer::sample(int64_t chars, const std::function<bool()>& stop) {
  Generator generator(options_.seed + 2);
  nn::SampleOptions sampling = options_.sampling;
  sampling.limit = kBytes;
  const std::string start = options_.prompt.empty() ? "\n" : options_.prompt;
  std::vector<int64_t> ids;
  for (const char c : start) ids.push_back(static_cast<unsigned char>(c));
  const Averaged weights(average_);
  for (int64_t left = chars; left > 0 && !stop(); left -= sampling.count) {
    sampling.count = left == chars ? std::min(chars, options_.model.context) : 1;
    ids = nn::sample(model_, std::move(ids), sampling, generator);
  }
  const auto shown = options_.prompt.empty() ? ids.begin() + 1 : ids.begin();
  return {shown, ids.end()};
}

FutureSeen Trainer::future_seen() {
  Generator directions(options_.seed + 3);
  const int64_t length = std::min<int64_t>(options_.model.context, 16);
  const Tensor ids = slice(slice(corpus_.validation_batch(0, 1).inputs, 0, 0, 1), 1, 0, length);
  const nn::Evaluating mode(model_);
  const auto after_blocks = [&](const Tensor& x) { return model_.stack()(x, {.ids = ids, .per_layer = model_.per_layer(ids, x)}); };
  return probe_future(after_blocks, model_.embed(ids), directions);
}

NamedTensors Trainer::state() {
  NamedTensors state;
  for (const auto& [name, tensor, role] : model_.state_dict()) state.emplace_back("model/" + name, tensor);
  for (const auto& [name, tensor, role] : optimizer_->state()) state.emplace_back("optimizer/" + name, tensor);
  if (average_) {
    for (const auto& [name, tensor, role] : average_->state()) state.emplace_back("average/" + name, tensor);
  }
  return state;
}

void Trainer::save(const std::filesystem::path& path) {
  const optim::ScheduleOptions& o = options_.schedule;
  io::SafeTensors file;
  for (const auto& [name, tensor, role] : state()) file.tensors.emplace(name, tensor.detach());
  file.metadata = {
      {"step", std::to_string(optimizer_->steps())},
      {"optimizer", options_.optimizer},
      {"schedule", fmt::format("{} lr {} to {}, warm-up {}, steps {}", options_.schedule_name, o.max_lr, o.min_lr, o.warmup, o.total)},
      {"options", fixed_options(options_)},
      {"text", corpus_.fingerprint()},
      {"generator.batches.seed", std::to_string(batches_.seed())},
      {"generator.batches.counter", std::to_string(batches_.counter())},
      {"generator.default.seed", std::to_string(default_generator().seed())},
      {"generator.default.counter", std::to_string(default_generator().counter())}};
  io::write_safetensors(path, file);
}

// Everything that can fail comes before anything changes.
std::vector<std::string> Trainer::load(const std::filesystem::path& path, io::LoadOptions options) {
  const io::SafeTensors file = io::read_safetensors(path);
  const auto text_of = [&](const char* key) {
    const auto entry = file.metadata.find(key);
    return entry == file.metadata.end() ? "" : entry->second;
  };
  const auto number = [&](const char* key) {
    const std::string text = text_of(key);
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    check<IoError>(!text.empty() && failure == std::errc() && end == text.data() + text.size(),
                   "{}: not a training checkpoint: metadata '{}' is missing or not a number", path.string(), key);
    return value;
  };
  const auto steps = static_cast<int64_t>(number("step"));
  check<IoError>(steps >= 0 && steps <= optim::Optimizer::kMostSteps, "{}: not a training checkpoint: metadata 'step' is {}", path.string(),
                 number("step"));
  const auto batches_seed = number("generator.batches.seed"), batches_counter = number("generator.batches.counter");
  const auto default_seed = number("generator.default.seed"), default_counter = number("generator.default.counter");
  const std::string optimizer = text_of("optimizer"), text = text_of("text");
  check<IoError>(!optimizer.empty(), "{}: not a training checkpoint: metadata 'optimizer' is missing", path.string());
  check<ValueError>(!options.strict || optimizer == options_.optimizer, "{}: nothing was loaded: the optimizer was {}, this run has {}",
                    path.string(), optimizer, options_.optimizer);
  if (const std::string fixed = text_of("options"); options.strict && !fixed.empty()) {
    check_fixed_options(options_, fixed, path.string());
  }

  auto skipped = io::load_tensors(state(), named(file.tensors), options, path.c_str());
  optimizer_->set_steps(steps);
  batches_.restore(batches_seed, batches_counter);
  default_generator().restore(default_seed, default_counter);
  same_text_ = text.empty() || text == corpus_.fingerprint();
  return skipped;
}

}  // namespace gradus::examples
