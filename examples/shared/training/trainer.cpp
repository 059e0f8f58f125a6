#include "examples/shared/training/trainer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

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

constexpr int64_t kBytes = 256;  // ids that stand for a byte

}  // namespace

Corpus load_corpus(const TrainOptions& options) {
  const int64_t context = options.model.context;
  return options.data.empty() ? Corpus::shakespeare(context) : Corpus::from_file(options.data, context);
}

Trainer::Trainer(const TrainOptions& options, const Corpus& corpus)
    : options_(options),
      corpus_(corpus),
      model_(seeded(options)),
      schedule_(optim::schedules().find(options.schedule_name).value),
      batches_(options.seed + 1) {
  if (options.dtype == "f64") model_.to(DType::f64);
  optimizer_ = make_optimizer(options, model_.named_parameters());
  if (options.ema > 0) average_.emplace(model_.named_parameters(), options.ema);
}

// The loss of a batch, whose gradients are added to the parameters', part by part.
double Trainer::add_gradients() {
  const nn::CrossEntropyOptions loss_options{.z_loss = options_.z_loss, .label_smoothing = options_.label_smoothing};
  std::optional<inspect::ForwardLog> log;
  if (!connected_) log.emplace();
  double loss = 0;
  for (int64_t part = 0; part < options_.accumulate; ++part) {
    const Batch batch = corpus_.random_batch(options_.batch / options_.accumulate, batches_);
    const Tensor mean = nn::cross_entropy(model_(batch.inputs), batch.targets, loss_options);
    const Tensor share = mean / static_cast<double>(options_.accumulate);
    share.backward();
    loss += share.item();
    if (!connected_) check_connected(share, model_);
    connected_ = true;
  }
  return loss;
}

// Weights may have gone before. If not, the step is made again, from the same random numbers, to learn who made the first
// NaN or Inf.
void Trainer::refuse(const char* what, const Generator& batches, const Generator& others) {
  optimizer_->zero_grad();
  batches_ = batches;
  default_generator() = others;
  std::string cause = said_of_weights(model_.named_parameters());
  try {
    const inspect::AnomalyMode careful;
    if (cause.empty()) add_gradients();
  } catch (const GraphError& anomaly) {
    cause = std::string("\n  ") + anomaly.what();
  }
  optimizer_->zero_grad();
  throw ValueError(
      fmt::format("the {} of step {} is not finite; try a lower --lr or a smaller --clip{}", what, optimizer_->steps() + 1, cause));
}

StepResult Trainer::step() {
  const Generator batches = batches_, others = default_generator();
  const double loss = add_gradients();
  if (!std::isfinite(loss)) refuse("loss", batches, others);
  const double norm = clip_norm(model_.parameters(), options_.clip);
  if (!std::isfinite(norm)) refuse("gradient", batches, others);
  if (options_.clip_value > 0) optim::clip_grad_value(model_.parameters(), options_.clip_value);
  const double lr = schedule_(options_.schedule, optimizer_->steps() + 1);
  optimizer_->step(lr);
  optimizer_->zero_grad();
  if (average_) average_->update();
  return {loss, lr, norm};
}

double Trainer::validate(int64_t batches, const std::function<bool()>& stop) {
  const NoGrad off;
  const Averaged weights(average_);
  const nn::Evaluating mode(model_);
  const int64_t all = corpus_.validation_batches(options_.batch);
  const int64_t count = batches == 0 ? all : std::min(batches, all);
  double total = 0, tokens = 0;
  for (int64_t i = 0; i < count; ++i) {
    const Batch batch = corpus_.spread_validation_batch(i, count, options_.batch);
    const auto weight = static_cast<double>(batch.targets.numel());
    total += nn::cross_entropy(model_(batch.inputs), batch.targets).item() * weight;
    tokens += weight;
    if (stop()) break;
  }
  return total / tokens;
}

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
  return probe_future([&](const Tensor& x) { return model_.stack()(x); }, model_.embed(ids), directions);
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
