#include "examples/support/trainer.h"

#include <algorithm>

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
    : options_(options), corpus_(corpus), model_(seeded(options)), batches_(options.seed + 1) {
  if (options.dtype == "f64") model_.to(DType::f64);
  auto groups = optim::decay_matrices(model_.named_parameters(), options.weight_decay);
  optimizer_ = optim::optimizers().find(options.optimizer).make(std::move(groups));
}

StepResult Trainer::step() {
  const Batch batch = corpus_.random_batch(options_.batch, batches_);
  const Tensor loss = nn::cross_entropy(model_(batch.inputs), batch.targets, {.z_loss = options_.z_loss});
  loss.backward();
  const double norm = optim::clip_grad_norm(model_.parameters(), options_.clip);
  const double lr = options_.schedule(optimizer_->steps() + 1);
  optimizer_->step(lr);
  optimizer_->clear_grad();
  return {loss.item(), lr, norm};
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
  const std::vector<int64_t> ids = nn::sample(model_, {'\n'}, {.count = chars}, generator);
  return {ids.begin() + 1, ids.end()};
}

void Trainer::save(const std::filesystem::path& path) {
  io::SafeTensors file;
  for (const auto& [name, tensor] : model_.state_dict()) file.tensors.emplace("model/" + name, tensor.detach());
  for (const auto& [name, tensor] : optimizer_->state()) file.tensors.emplace("optimizer/" + name, tensor);
  file.metadata = {{"step", std::to_string(optimizer_->steps())},
                   {"batches", std::to_string(batches_.counter())},
                   {"default_generator", std::to_string(default_generator().counter())}};
  io::write_safetensors(path, file);
}

void Trainer::load(const std::filesystem::path& path) {
  const io::SafeTensors file = io::read_safetensors(path);
  nn::NamedTensors model, optimizer;
  for (const auto& [name, tensor] : file.tensors) {
    const auto slash = name.find('/');
    (name.substr(0, slash) == "model" ? model : optimizer).emplace_back(name.substr(slash + 1), tensor);
  }
  const auto number = [&](const char* key) {
    const auto entry = file.metadata.find(key);
    check<IoError>(entry != file.metadata.end() && !entry->second.empty() &&
                       entry->second.find_first_not_of("0123456789") == std::string::npos,
                   "{}: no training checkpoint: '{}' is missing or no number", path.string(), key);
    return std::stoull(entry->second);
  };
  const auto step = static_cast<int64_t>(number("step"));
  const auto batch_counter = number("batches"), default_counter = number("default_generator");
  model_.load_state_dict(model);
  optimizer_->load_state(optimizer, step);
  batches_.restore(options_.seed + 1, batch_counter);
  default_generator().restore(options_.seed, default_counter);
}

}  // namespace gradus::examples
