// A step that cannot be taken says why, and changes no weight; and steps leave nothing behind.
#include <cmath>
#include <regex>
#include <tuple>

#include "core/composites/composites.h"
#include "core/inspect/severed.h"
#include "core/io/safetensors.h"
#include "core/tape/node.h"
#include "tests/examples/shared/training/tiny_run.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

// A norm that forgets its gain, or divides by it.
struct BrokenNorm : nn::Layer {
  explicit BrokenNorm(bool cut) : cuts(cut) {}
  bool cuts;
  nn::Parameter gain = zeros({16});
  Tensor forward(const Tensor& x) override { return cuts ? x * gain.detach() : x / gain; }
  void members(nn::Members& m) override { m.parameter("gain", gain); }
};

TrainOptions with_norm(bool cuts) {
  TrainOptions options = tiny();
  options.model.norm = [cuts](const nn::NormOptions&) { return std::make_unique<BrokenNorm>(cuts); };
  return options;
}

// What the next step says when it fails, without the numbers of tensors.
std::string step_failure(Trainer& trainer) {
  try {
    trainer.step();
  } catch (const Error& error) {
    return std::regex_replace(error.what(), std::regex("#[0-9]+"), "#");
  }
  return "";
}

}  // namespace

TEST_CASE("training: a step whose loss is not finite is refused, and changes no weight") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  TrainOptions options = tiny();
  options.schedule = {.max_lr = 1e38, .min_lr = 1e37, .warmup = 0, .total = 60};
  Trainer trainer(options, corpus);
  trainer.step();  // whose own loss is that of the start
  const auto weights = [&](const std::string& file) {
    trainer.save(directory.file(file));
    return io::read_safetensors(directory.file(file)).tensors;
  };
  const auto before = weights("before");
  const std::string said = step_failure(trainer);
  CHECK(said == fmt::format("the loss of step 2 is not finite; try a lower --lr or a smaller --clip\n  embedding.weight and {} more "
                            "weights are not finite since the step before",
                            trainer.model().named_parameters().size() - 1));
  CHECK(trainer.steps_done() == 1);
  for (const auto& [name, tensor] : weights("after")) CHECK(difference(tensor, before.at(name), 0) == "");
}

TEST_CASE("training: a loss that is not finite is told with the op that made it, its module and its parameter") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  Trainer trainer(with_norm(false), corpus);
  const std::string said = step_failure(trainer);
  CAPTURE(said);
  CHECK(said.find("the loss of step 1 is not finite; try a lower --lr or a smaller --clip\n  "
                  "LanguageModel.blocks.0.placement.norm1, BrokenNorm: anomaly: div made the first Inf: forward, ") == 0);
  CHECK(said.find("; from input 0 # [4, 16, 16] from ") != std::string::npos);
  CHECK(said.find(", input 1 # blocks.0.placement.norm1.gain [16] = 0") != std::string::npos);
}

TEST_CASE("training: a gradient that is not finite is told with its rule, and changes no weight") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  Trainer trainer(tiny(), corpus);
  trainer.step();
  const Tensor parameter = trainer.model().parameters().back();
  parameter.add_hook([](const Tensor& g) { return g * full({}, INFINITY); });
  const Tensor before = parameter.detached_copy();
  const std::string said = step_failure(trainer);
  CAPTURE(said);
  CHECK(said.find("the gradient of step 2 is not finite; try a lower --lr or a smaller --clip\n  anomaly: the gradient of # ") == 0);
  CHECK(said.find("its uses gave finite ones, so their sum or a hook made it") != std::string::npos);
  CHECK(equal(parameter, before));
  CHECK(trainer.steps_done() == 1);
}

TEST_CASE("training: a weight that is not finite is named itself") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  Trainer trainer(tiny(), corpus);
  Tensor(trainer.model().named_parameters().front().tensor).fill(NAN);
  CHECK(step_failure(trainer) == "the loss of step 1 is not finite; try a lower --lr or a smaller --clip\n  " +
                                     trainer.model().named_parameters().front().name + " is not finite since the step before");
}

TEST_CASE("training: the first step names the parameters that get no gradient, and what cut them; it changes no weight") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  Trainer trainer(with_norm(true), corpus);
  const std::string said = step_failure(trainer);
  CAPTURE(said);
  CHECK(said.find("the loss gives parameters no gradient, or one to what is no parameter:\n  blocks.0.placement.norm1.gain: cut by "
                  "detach() at # [16] in "
                  "blocks.0.placement.norm1\n") == 0);
  CHECK(trainer.steps_done() == 0);
  CHECK(Observing::innermost() == nullptr);
  CHECK(step_failure(trainer) == said);
}

TEST_CASE("training: later steps write no log of what is computed") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  Trainer trainer(tiny(), corpus);
  bool logged = false;
  trainer.model().parameters().front().add_hook([&](const Tensor& g) {
    logged = inspect::CallLog::active() != nullptr;
    return g;
  });
  trainer.step();
  CHECK(logged);
  trainer.step();
  CHECK_FALSE(logged);
}

TEST_CASE("training: 300 steps hold no more at their end than 100 did") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  TrainOptions options = tiny();
  options.schedule.total = 300;
  Trainer trainer(options, corpus);
  const auto held = [] { return std::tuple(live_tensors(), live_nodes(), pool::live_bytes()); };
  steps(trainer, 100);
  const auto before = held();
  steps(trainer, 200);
  CHECK(held() == before);
}
