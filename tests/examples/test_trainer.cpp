// A training run can be repeated, and stopped and resumed, without the loss of a bit.
#include "core/kernels/parallel.h"
#include "optim/optimizers.h"
#include "tests/examples/tiny_run.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

TEST_CASE("training: the same seed gives the same bytes, by one thread and by two; another seed others") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  const auto trained = [&](std::uint64_t seed, int threads) {
    TrainOptions options = tiny();
    options.seed = seed;
    set_num_threads(threads);
    Trainer trainer(options, corpus);
    steps(trainer, 12);
    trainer.save(directory.file("trained"));
    return read_bytes(directory.file("trained"));
  };
  const int before = num_threads();
  for (const int threads : {1, 2}) CHECK(trained(0, threads) == trained(0, threads));
  CHECK(trained(0, 1) != trained(1, 1));
  set_num_threads(before);
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

TEST_CASE("training: with every optimizer the loss falls") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    TrainOptions options = tiny();
    options.optimizer = variant.name;
    Trainer trainer(options, corpus);
    const double before = trainer.validate(2);
    steps(trainer, 60);
    CHECK(trainer.validate(2) < before - 0.1);
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
