#include "examples/train/suspicion.h"

#include "core/tensor/observer.h"
#include "examples/ch07_attention/small_model.h"
#include "tests/examples/shared/training/tiny_run.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

FutureSeen probed(const AttentionFunction& attention) {
  manual_seed(5);
  SmallModel model({.context = 8, .d_model = 24, .heads = 3, .layers = 1, .attention = attention});
  Generator generator(7);
  return probe_future([&](const Tensor& x) { return model.blocks(x); }, randn({1, 8, 24}), generator);
}

const FutureSeen kCausal{}, kLeak{0.25, 3, 7};

// The ops of each walk that is seen, newest first.
class Walks final : public Observer {
 public:
  void start(const Tensors&, std::uint64_t) override { walks.emplace_back(); }
  void visit(const Tensor& y, const Tensor&) override {
    if (y.node() != nullptr) walks.back().emplace_back(y.node()->name());
  }
  std::vector<std::vector<std::string>> walks;
};

}  // namespace

TEST_CASE(
    "suspicion: the probe of a model by the formula is exactly 0; of each attention that leaks by its map it is "
    "not") {
  CHECK(probed(nn::attention).derivative == 0);
  int leaks = 0;
  for (const PublishedAttention& wrong : wrong_attentions()) {
    CAPTURE(wrong.id);
    manual_seed(5);
    SmallModel model({.context = 8, .d_model = 24, .heads = 3, .layers = 1, .attention = wrong.function});
    const auto map = causality_map([&](const Tensor& x) { return model.blocks(x); }, randn({1, 8, 24}));
    const FutureSeen seen = probed(wrong.function);
    CHECK((seen.derivative > 0) == (greatest_of_future(map) > 0));
    if (seen.derivative > 0) {
      ++leaks;
      CHECK(seen.input > seen.output);
      CHECK(map[static_cast<std::size_t>(seen.output)][static_cast<std::size_t>(seen.input)] > 0);
    }
  }
  CHECK(leaks >= 3);
}

// out_1 = 2 in_1 + 3 in_2, else out_t = in_t.
TEST_CASE("suspicion: the probe names the output and the input, and weighs its channels") {
  const auto f = [](const Tensor& x) {
    Tensor mix = zeros({4, 4});
    for (int64_t t = 0; t < 4; ++t) mix.set({t, t}, 1);
    mix.set({1, 1}, 2);
    mix.set({1, 2}, 3);
    return matmul(mix, x);
  };
  Generator generator(1), same(1);
  const FutureSeen seen = probe_future(f, randn({1, 4, 1}), generator);
  CHECK(seen.output == 1);
  CHECK(seen.input == 2);
  same.uniform();  // the direction at position 0
  CHECK(seen.derivative == doctest::Approx(3 * std::abs(2 * same.uniform() - 1)));
  CHECK_THROWS_WITH_AS(probe_future(f, randn({2, 4, 1}), generator),
                       "probe_future: expected [1, S, C] to [1, T, D], got [2, 4, 1] to [2, 4, 1]", ShapeError);
}

TEST_CASE("suspicion: no watcher sees the probes' walks; the first that a run shows is that of its loss") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  Trainer trainer(tiny(), corpus);
  Walks seen;
  const Observing watching(&seen);
  trainer.future_seen();
  causality_map([](const Tensor& x) { return square(x); }, randn({1, 4, 2}));
  CHECK(seen.walks.empty());
  trainer.step();
  REQUIRE(!seen.walks.empty());
  const std::vector<std::string>& ops = seen.walks.front();
  CHECK(std::find(ops.begin(), ops.end(), "cross_entropy") != ops.end());
}

TEST_CASE("suspicion: what is too good lies below the lowest n-gram line, within the first 100 steps") {
  CHECK(too_good(100, 1.9, 2));
  CHECK(too_good(1, 1.9, 2));
  CHECK_FALSE(too_good(101, 1.9, 2));
  CHECK_FALSE(too_good(100, 2, 2));
}

TEST_CASE("suspicion: what is said, of a model that leaks and of one that does not") {
  CHECK(said_of_future(kCausal).empty());
  CHECK(said_of_future(kLeak) ==
        "causality check: the output at position 3 depends on the input at position 7, which comes later (derivative "
        "0.25): the "
        "model sees what it is to predict, and its loss says nothing");
  const std::string leaks = said_of_loss(50, 0.5, 2, kLeak), causal = said_of_loss(50, 0.5, 2, kCausal);
  for (const std::string& text : {leaks, causal}) {
    CHECK(text.find("looks too good: a validation loss of 0.50 after 50 steps is below what counting bytes reaches, 2.00. Does a "
                    "position see its target? Causality check: ") == 0);
  }
  CHECK(leaks.find("position 3 depends on the input at position 7") != std::string::npos);
  CHECK(causal.find("it found nothing") != std::string::npos);
}

TEST_CASE("suspicion, block-value-embedding, block-per-layer-embedding: the check hands on what layers read of the ids") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  TrainOptions options = tiny();
  options.model.value_embedding = true;
  options.model.per_layer_width = 4;
  Trainer trainer(options, corpus);
  steps(trainer, 2);
  CHECK(trainer.future_seen().derivative == 0);
}

TEST_CASE(
    "suspicion: the trainer's model is causal, before training and after it, and the check changes no bit of the "
    "run") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  const auto trained = [&](bool checked) {
    Trainer trainer(tiny(), corpus);
    if (checked) CHECK(trainer.future_seen().derivative == 0);
    steps(trainer, 4);
    if (checked) CHECK(trainer.future_seen().derivative == 0);
    steps(trainer, 4);
    trainer.save(directory.file("trained"));
    return read_bytes(directory.file("trained"));
  };
  CHECK(trained(true) == trained(false));
}
