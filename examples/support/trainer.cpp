#include "examples/support/trainer.h"

#include <algorithm>
#include <charconv>

#include "core/io/safetensors.h"
#include "nn/nn.h"
#include "optim/optim.h"

namespace gradus::examples {
namespace {

// Starts the default generator before the model's weights are drawn from it.
const nn::LanguageModelOptions& seeded(const TrainOptions& options) {
  manual_seed(options.seed);
  return options.model;
}

}  // namespace

Trainer::Trainer(const TrainOptions& options, const Corpus& corpus)
    : options_(options),
      corpus_(corpus),
      model_(seeded(options)),
      schedule_(optim::schedules().find(options.schedule_name).make),
      batches_(options.seed + 1) {
  if (options.dtype == "f64") model_.to(DType::f64);
  auto groups = optim::decay_matrices(model_.named_parameters(), options.weight_decay);
  optimizer_ = optim::optimizers().find(options.optimizer).make(std::move(groups));
}

StepResult Trainer::step() {
  double loss = 0;
  for (int64_t part = 0; part < options_.accumulate; ++part) {  // backward() adds to the gradients
    const Batch batch = corpus_.random_batch(options_.batch / options_.accumulate, batches_);
    const Tensor mean = nn::cross_entropy(model_(batch.inputs), batch.targets, {.z_loss = options_.z_loss});
    const Tensor share = mean / static_cast<double>(options_.accumulate);
    share.backward();
    loss += share.item();
  }
  const double norm = optim::clip_grad_norm(model_.parameters(), options_.clip);
  const double lr = schedule_(options_.schedule, optimizer_->steps() + 1);
  optimizer_->step(lr);
  optimizer_->clear_grad();
  return {loss, lr, norm};
}

double Trainer::validate(int64_t batches) {
  const NoGrad off;
  model_.eval();
  const int64_t all = corpus_.validation_batches(options_.batch);
  const int64_t count = batches == 0 ? all : std::min(batches, all);
  double total = 0, tokens = 0;
  for (int64_t i = 0; i < count; ++i) {
    const Batch batch = corpus_.validation_batch(i * all / count, options_.batch);
    const auto weight = static_cast<double>(batch.targets.numel());
    total += nn::cross_entropy(model_(batch.inputs), batch.targets).item() * weight;
    tokens += weight;
  }
  model_.train();
  return total / tokens;
}

std::string Trainer::sample(int64_t chars) {
  Generator generator(options_.seed + 2);
  nn::SampleOptions sampling = options_.sampling;
  sampling.count = chars;
  const std::vector<int64_t> ids = nn::sample(model_, {'\n'}, sampling, generator);
  return {ids.begin() + 1, ids.end()};
}

NamedTensors Trainer::state() {
  NamedTensors state;
  for (const auto& [name, tensor] : model_.state_dict()) state.emplace_back("model/" + name, tensor);
  for (const auto& [name, tensor] : optimizer_->state()) state.emplace_back("optimizer/" + name, tensor);
  return state;
}

void Trainer::save(const std::filesystem::path& path) {
  const optim::ScheduleOptions& o = options_.schedule;
  io::SafeTensors file;
  for (const auto& [name, tensor] : state()) file.tensors.emplace(name, tensor.detach());
  file.metadata = {{"step", std::to_string(optimizer_->steps())},
                   {"optimizer", options_.optimizer},
                   {"schedule", fmt::format("{} lr {} to {}, warm-up {}, steps {}", options_.schedule_name, o.max_lr, o.min_lr,
                                            o.warmup, o.total)},
                   {"generator.batches.seed", std::to_string(batches_.seed())},
                   {"generator.batches.counter", std::to_string(batches_.counter())},
                   {"generator.default.seed", std::to_string(default_generator().seed())},
                   {"generator.default.counter", std::to_string(default_generator().counter())}};
  io::write_safetensors(path, file);
}

// Everything that can fail comes before anything changes.
std::vector<std::string> Trainer::load(const std::filesystem::path& path, io::LoadOptions options) {
  const io::SafeTensors file = io::read_safetensors(path);
  const auto number = [&](const char* key) {
    const auto entry = file.metadata.find(key);
    const std::string text = entry == file.metadata.end() ? "" : entry->second;
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    check<IoError>(!text.empty() && failure == std::errc() && end == text.data() + text.size(),
                   "{}: no training checkpoint: '{}' is missing or no number", path.string(), key);
    return value;
  };
  const auto steps = static_cast<int64_t>(number("step"));
  check<IoError>(steps >= 0, "{}: no training checkpoint: 'step' is {}", path.string(), number("step"));
  const auto batches_seed = number("generator.batches.seed"), batches_counter = number("generator.batches.counter");
  const auto default_seed = number("generator.default.seed"), default_counter = number("generator.default.counter");
  const auto written_by = file.metadata.find("optimizer");
  check<ValueError>(!options.strict || written_by == file.metadata.end() || written_by->second == options_.optimizer,
                    "{}: nothing was loaded: the optimizer was {}, this run has {}", path.string(),
                    written_by == file.metadata.end() ? "" : written_by->second, options_.optimizer);

  auto skipped = io::load_tensors(path.c_str(), state(), {file.tensors.begin(), file.tensors.end()}, options);
  optimizer_->set_steps(steps);
  batches_.restore(batches_seed, batches_counter);
  default_generator().restore(default_seed, default_counter);
  return skipped;
}

}  // namespace gradus::examples
