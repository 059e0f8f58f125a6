// A training run can be repeated, and stopped and resumed, without the loss of a bit.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "examples/support/trainer.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

namespace fs = std::filesystem;

// A directory of its own, gone at the end.
struct TemporaryDirectory {
  TemporaryDirectory() { fs::create_directories(path); }
  ~TemporaryDirectory() { fs::remove_all(path); }
  fs::path path = fs::temp_directory_path() / ("gradus_trainer_" + std::to_string(Generator(1).words(0)[0]));
};

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

fs::path write_text(const fs::path& directory) {
  std::ofstream file(directory / "text.txt");
  for (int i = 0; i < 400; ++i) file << "The quick brown fox jumps over the lazy dog " << i << " times.\n";
  return directory / "text.txt";
}

TrainOptions tiny() {
  TrainOptions options;
  options.model = {.context = 16, .d_model = 16, .layers = 2, .heads = 2, .d_ff = 32, .dropout = 0.1};
  options.schedule = {.max_lr = 1e-2, .min_lr = 1e-3, .warmup = 2, .total = 12};
  options.batch = 4;
  return options;
}

void steps(Trainer& trainer, int count) {
  for (int i = 0; i < count; ++i) trainer.step();
}

}  // namespace

TEST_CASE("training: the same seed gives the same bits, another seed others") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory.path), 16);
  TrainOptions options = tiny();
  for (const char* name : {"a", "b"}) {
    Trainer trainer(options, corpus);
    steps(trainer, 12);
    trainer.save(directory.path / name);
  }
  CHECK(contents(directory.path / "a") == contents(directory.path / "b"));
  options.seed = 1;
  Trainer other(options, corpus);
  steps(other, 12);
  other.save(directory.path / "c");
  CHECK(contents(directory.path / "a") != contents(directory.path / "c"));
}

TEST_CASE("training: stopped half-way and resumed, it ends with the same bytes") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory.path), 16);
  {
    Trainer whole(tiny(), corpus);
    steps(whole, 12);
    whole.save(directory.path / "whole");
  }
  {
    Trainer first(tiny(), corpus);
    steps(first, 6);
    first.save(directory.path / "half");
  }
  Trainer second(tiny(), corpus);
  second.load(directory.path / "half");
  CHECK(second.steps_done() == 6);
  steps(second, 6);
  second.save(directory.path / "resumed");
  CHECK(contents(directory.path / "whole") == contents(directory.path / "resumed"));
}

TEST_CASE("training: the loss falls, in f32 and in f64 alike") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory.path), 16);
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

TEST_CASE("training: a checkpoint of another shape is refused with every reason, and nothing changes") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory.path), 16);
  TrainOptions options = tiny();
  Trainer(options, corpus).save(directory.path / "narrow");
  options.model.d_ff = 48;
  options.model.tie_weights = false;
  Trainer wide(options, corpus);
  wide.save(directory.path / "before");
  try {
    wide.load(directory.path / "narrow");
    FAIL("a checkpoint that does not fit was loaded");
  } catch (const ValueError& error) {
    const std::string text = error.what();
    CHECK(text.find("missing head.weight") != std::string::npos);
    CHECK(text.find("blocks.0.feed_forward.w1.weight has shape [32, 16], expected [48, 16]") != std::string::npos);
    CHECK(text.find("blocks.1.feed_forward.w2.weight") != std::string::npos);
  }
  wide.save(directory.path / "after");
  CHECK(contents(directory.path / "before") == contents(directory.path / "after"));
}

TEST_CASE("corpus: the last tenth is for validation, and every window of it is used once") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory.path), 16);
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
