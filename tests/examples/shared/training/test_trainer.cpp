// A training run can be repeated, and stopped and resumed, without the loss of a bit.
#include "core/io/safetensors.h"
#include "core/tensor/random.h"
#include "nn/model/language_model.h"
#include "optim/optimizer_table.h"
#include "tests/examples/shared/training/tiny_run.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

TEST_CASE("training: the same seed gives the same bytes, by one thread and by two; another seed others") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  const auto trained = [&](std::uint64_t seed, int count) {
    const Threads threads(count);
    TrainOptions options = tiny();
    options.seed = seed;
    Trainer trainer(options, corpus);
    steps(trainer, 12);
    trainer.save(directory.file("trained"));
    return read_bytes(directory.file("trained"));
  };
  for (const int threads : {1, 2}) CHECK(trained(0, threads) == trained(0, threads));
  CHECK(trained(0, 1) != trained(1, 1));
}

TEST_CASE("training: 60 steps end with the same bytes as 30, stopped, resumed, and 30 more; with every optimizer") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    TrainOptions options = tiny();
    options.optimizer = variant.name;
    {
      Trainer whole(options, corpus);
      steps(whole, 60);
      whole.save(directory.file("whole"));
    }
    {
      Trainer first(options, corpus);
      steps(first, 30);
      first.save(directory.file("half"));
    }
    Trainer second(options, corpus);
    CHECK(second.load(directory.file("half")).empty());
    CHECK(second.steps_done() == 30);
    steps(second, 30);
    second.save(directory.file("resumed"));
    CHECK(read_bytes(directory.file("whole")) == read_bytes(directory.file("resumed")));
    CHECK(read_bytes(directory.file("whole")) != read_bytes(directory.file("half")));
  }
}

TEST_CASE("ffn-moe-bias, ffn-moe-balance: in a run biases move, the loss of the balance counts, and a run resumes to the same bytes") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  TrainOptions options = tiny();
  options.model.feed_forward = "moe";
  options.model.experts = {.count = 4, .router = "sigmoid", .balance_loss = 0, .balance_bias = 0.01};
  Trainer plain(options, corpus);
  options.model.experts.balance_loss = 1;
  Trainer whole(options, corpus), second(options, corpus);
  CHECK(whole.step().loss > plain.step().loss + 1.5);  // two layers, each 1 or so
  double moved = 0;
  for (const auto& [path, tensor, role] : whole.model().state_dict()) {
    if (path.find("feed_forward.bias") != std::string::npos) moved += sum(abs(tensor)).item();
  }
  CHECK(moved > 0.01);
  steps(whole, 9);
  whole.save(directory.file("half"));
  steps(whole, 10);
  whole.save(directory.file("whole"));
  second.load(directory.file("half"));
  steps(second, 10);
  second.save(directory.file("resumed"));
  CHECK(read_bytes(directory.file("whole")) == read_bytes(directory.file("resumed")));
}

TEST_CASE("training: with every optimizer the loss falls") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    TrainOptions options = tiny();
    options.optimizer = variant.name;
    if (variant.name == "adadelta") options.schedule.max_lr = 1;  // a multiple of its own steps
    Trainer trainer(options, corpus);
    const double before = trainer.validate(2);
    steps(trainer, 60);
    CHECK(trainer.validate(2) < before - 0.1);
  }
}

TEST_CASE("training: betas, epsilon, momentum, clipping by value, decay of embeddings and the schedule's own reach the weights") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  const auto trained = [&](const std::function<void(TrainOptions&)>& set) {
    TrainOptions options = tiny();
    set(options);
    Trainer trainer(options, corpus);
    steps(trainer, 8);
    trainer.save(directory.file("trained"));
    return io::read_safetensors(directory.file("trained")).tensors.at("model/embedding.weight");
  };
  const auto differs = [&](const char* optimizer, const char* schedule, void (*set)(TrainOptions&)) {
    const auto usual = [&](TrainOptions& o) { o.optimizer = optimizer, o.schedule_name = schedule, o.schedule.total = 10; };
    return !equal(trained(usual), trained([&](TrainOptions& o) { usual(o), set(o); }));
  };
  CHECK(differs("adamw", "cosine", [](TrainOptions& o) { o.constants.beta1 = 0.5; }));
  CHECK(differs("adamw", "cosine", [](TrainOptions& o) { o.constants.beta2 = 0.999; }));
  CHECK_FALSE(differs("adamw", "cosine", [](TrainOptions& o) { o.constants.beta2 = 0.95; }));
  CHECK(differs("adamw", "cosine", [](TrainOptions& o) { o.constants.eps = 1e-2; }));
  CHECK(differs("momentum", "cosine", [](TrainOptions& o) { o.constants.momentum = 0.5; }));
  CHECK(differs("sgd", "cosine", [](TrainOptions& o) { o.clip_value = 1e-4; }));
  CHECK(differs("adamw", "cosine", [](TrainOptions& o) { o.decay_embeddings = false; }));
  CHECK(differs("adamw", "cosine-restarts", [](TrainOptions& o) { o.schedule.cycles = 2; }));
  CHECK(differs("adamw", "cosine-restarts", [](TrainOptions& o) { o.schedule.cycle_growth = 1; }));
  CHECK(differs("adamw", "wsd", [](TrainOptions& o) { o.schedule.decay_share = 0.9; }));
  CHECK(differs("adamw", "polynomial", [](TrainOptions& o) { o.schedule.power = 3; }));
  CHECK(differs("adamw", "exponential", [](TrainOptions& o) { o.schedule.decay_factor = 0.1; }));
  CHECK(differs("adamw", "step", [](TrainOptions& o) { o.schedule.decay_every = 2; }));
  CHECK(differs("adamw", "one-cycle", [](TrainOptions& o) { o.schedule.rise_share = 0.5; }));
  CHECK(differs("adamw", "one-cycle", [](TrainOptions& o) { o.schedule.start_divisor = 5; }));
  CHECK(differs("adamw", "one-cycle", [](TrainOptions& o) { o.schedule.total = 6, o.schedule.end_divisor = 2; }));
  for (const char* optimizer : {"adam", "adamw"}) {
    CHECK(differs(optimizer, "cosine", [](TrainOptions& o) { o.constants.amsgrad = true; }));
    CHECK_FALSE(differs(optimizer, "cosine", [](TrainOptions& o) { o.constants.amsgrad = false; }));
  }
}

TEST_CASE("training: a batch in parts takes the step of the whole batch") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  double losses[2], norms[2];
  for (int i = 0; i < 2; ++i) {
    TrainOptions options = tiny();
    options.model.dropout = 0;
    options.dtype = "f64";
    options.accumulate = i == 0 ? 1 : 4;
    Trainer trainer(options, corpus);
    steps(trainer, 4);
    const StepResult result = trainer.step();
    losses[i] = result.loss;
    norms[i] = result.gradient_norm;
  }
  CHECK(losses[0] == doctest::Approx(losses[1]).epsilon(1e-9));  // sums in another order, and five steps to grow
  CHECK(norms[0] == doctest::Approx(norms[1]).epsilon(1e-9));
}

TEST_CASE("training: the loss falls, in f32 and in f64 alike") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  double losses[2];
  for (int i = 0; i < 2; ++i) {
    TrainOptions options = tiny();
    options.model.dropout = 0;
    options.schedule.total = 100;
    options.dtype = i == 0 ? "f32" : "f64";
    Trainer trainer(options, corpus);
    const double before = trainer.validate();
    steps(trainer, 100);
    losses[i] = trainer.validate();
    CHECK(losses[i] < before / 2);
  }
  // The same run but for rounding: 100 steps at rates of 1e-2 let 1e-7 grow by some orders.
  CHECK(losses[0] == doctest::Approx(losses[1]).epsilon(0.02));
}

TEST_CASE("loss-label-smoothing: the loss of a step is the mixture that was asked for") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  const auto first_loss = [&](double smoothing) {
    TrainOptions options = tiny();
    options.dtype = "f64";
    options.label_smoothing = smoothing;
    return Trainer(options, corpus).step().loss;
  };
  CHECK(first_loss(0) != first_loss(1));
  CHECK(first_loss(0.25) == doctest::Approx(0.75 * first_loss(0) + 0.25 * first_loss(1)).epsilon(1e-12));
}

TEST_CASE("optim-ema: validation and sample use the averaged weights, and training goes its way without them") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  TrainOptions options = tiny();
  Trainer plain(options, corpus);
  steps(plain, 20);
  plain.save(directory.file("plain"));
  const double last = plain.validate();
  options.ema = 0.9;
  Trainer averaged(options, corpus);
  steps(averaged, 20);
  const double of_average = averaged.validate();
  averaged.sample(3);
  averaged.save(directory.file("averaged"));  // what validation and sample exchanged is back in its place
  const auto trained = io::read_safetensors(directory.file("plain")).tensors;
  auto kept = io::read_safetensors(directory.file("averaged")).tensors;
  for (const auto& [name, tensor] : trained) CHECK(equal(kept.at(name), tensor));
  CHECK(of_average != last);
  io::SafeTensors swapped = io::read_safetensors(directory.file("plain"));
  for (auto& [name, tensor] : swapped.tensors) {
    if (name.rfind("model/", 0) == 0) tensor = kept.at("average/" + name.substr(6));
  }
  io::write_safetensors(directory.file("swapped"), swapped);
  plain.load(directory.file("swapped"));
  CHECK(plain.validate() == of_average);
}

TEST_CASE("optim-ema: an average is stopped and resumed without the loss of a bit") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  TrainOptions options = tiny();
  options.ema = 0.9;
  Trainer whole(options, corpus), first(options, corpus), second(options, corpus);
  const auto run = [&](Trainer& trainer, int count, const std::string& from) {  // both generators start with it
    if (from.empty()) manual_seed(options.seed);
    else trainer.load(directory.file(from));
    steps(trainer, count);
  };
  run(whole, 10, "");
  whole.save(directory.file("whole"));
  run(first, 5, "");
  first.save(directory.file("half"));
  run(second, 5, "half");
  second.save(directory.file("resumed"));
  CHECK(read_bytes(directory.file("whole")) == read_bytes(directory.file("resumed")));
}

TEST_CASE("training: the sample continues the prompt") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  TrainOptions options = tiny();
  CHECK(Trainer(options, corpus).sample(7).size() == 7);  // after a line break that is not shown
  options.prompt = "The qué";
  const std::string text = Trainer(options, corpus).sample(7);
  CHECK(text.size() == options.prompt.size() + 7);
  CHECK(text.rfind(options.prompt, 0) == 0);
  options.prompt = "Longer than the window of the model";
  CHECK(Trainer(options, corpus).sample(7).rfind(options.prompt, 0) == 0);
}

TEST_CASE("training: a sample can be stopped after the first window, and asking changes none of its bytes") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  TrainOptions options = tiny();
  options.prompt = "The";
  Trainer trainer(options, corpus);
  steps(trainer, 20);
  std::vector<int64_t> ids{'T', 'h', 'e'};
  nn::LanguageModel model(options.model);
  trainer.save(directory.file("saved"));
  auto weights = io::read_safetensors(directory.file("saved")).tensors;
  for (const auto& [name, tensor, role] : model.state_dict()) Tensor(tensor).assign(weights.at("model/" + name));
  Generator generator(options.seed + 2);
  ids = nn::sample(model, ids, {.count = 40, .limit = 256}, generator);
  const std::string whole = trainer.sample(40);
  CHECK(whole == std::string(ids.begin(), ids.end()));
  int asked = 0;
  const std::string part = trainer.sample(40, [&] { return ++asked > 3; });
  CHECK(part == whole.substr(0, 3 + 16 + 2));
  CHECK(trainer.sample(40, [] { return true; }) == "The");
}

TEST_CASE("corpus: the last tenth is for validation, and every window of it is used once") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  CHECK(corpus.validation_bytes() == (corpus.train_bytes() + corpus.validation_bytes()) / 10);
  int64_t tokens = 0;
  for (int64_t i = 0; i < corpus.validation_batches(5); ++i) {
    const Batch batch = corpus.validation_batch(i, 5);
    CHECK(batch.inputs.size(1) == 16);
    CHECK(equal(slice(batch.inputs, 1, 1), slice(batch.targets, 1, 0, 15)));  // targets are one place later
    tokens += batch.targets.numel();
  }
  CHECK(tokens == (corpus.validation_bytes() - 1) / 16 * 16);
}
