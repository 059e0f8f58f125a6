// The cells of an ablation: what is varied, what is refused, when two are the same run, and that a run can be repeated.
#include "examples/ch12_matrix/matrix.h"
#include "nn/model/language_model.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

TrainOptions quick() {
  TrainOptions options = small_model(3);
  options.model.context = 8;
  return options;
}

const std::vector<Factor> two{{"norm", {"rms", "center-only"}}, {"placement", {"pre", "post", "deepnorm"}}};

}  // namespace

TEST_CASE("cell: a family's variant is chosen by name; an unknown family or variant names the nearest") {
  TrainOptions cell = small_model(10);
  vary(cell, "feed_forward", "relu");
  CHECK(cell.model.feed_forward.name == "relu");
  CHECK(cell.model.norm.name == "rms");
  CHECK_THROWS_WITH_AS(vary(cell, "feed_foward", "relu"), "there is no family 'feed_foward'; did you mean 'feed_forward'?", ValueError);
  CHECK_THROWS_WITH_AS(vary(cell, "norm", "layr"), "unknown norm 'layr'; did you mean 'layer'?", ValueError);
}

TEST_CASE("cell: feed-forward layers have as many parameters with a gate as without, within one in a hundred") {
  const auto parameters = [](const char* layer) {
    TrainOptions cell = small_model(10);
    vary(cell, "feed_forward", layer);
    return static_cast<double>(nn::LanguageModel(cell.model).parameter_count());
  };
  for (const char* layer : {"swiglu", "geglu", "gelu"}) CHECK(parameters(layer) == doctest::Approx(parameters("relu")).epsilon(0.01));
}

TEST_CASE("matrix: all combinations, the last factor fastest, the baseline first; what the library refuses has a reason") {
  const Matrix matrix(quick(), two);
  REQUIRE(matrix.cells.size() == 6);
  CHECK(matrix.cells[0].model.norm.name == "rms");
  CHECK(matrix.cells[0].model.placement.name == "pre");
  CHECK(matrix.cells[1].model.placement.name == "post");
  CHECK(matrix.cells[3].model.norm.name == "center-only");
  CHECK(matrix.live() == 5);
  CHECK(matrix.refused[5].find("'deepnorm'") != std::string::npos);
  CHECK(matrix.refused[2].empty());
  CHECK(matrix.names(0, 1, " ")[4] == "center-only post");
  CHECK(matrix.rows({0, 1, 2, 3, 4, 5}) == std::vector<std::vector<double>>{{0, 1, 2, 3, 4, 5}});
}

TEST_CASE("effects: a sum of two factors gives back each; a refused cell takes its partner out") {
  const Matrix matrix(quick(), two);
  const std::vector<Effect> effects = effects_of(matrix, {0, 1, 10, 100, 101, NAN});  // norm 100, placement 1 and 10
  REQUIRE(effects.size() == 3);
  CHECK(effects[0].variant == "center-only");
  CHECK(effects[0].differences == std::vector<double>{100, 100});
  CHECK(effects[1].variant == "post");
  CHECK(effects[1].differences == std::vector<double>{1, 1});
  CHECK(effects[2].family == "placement");
  CHECK(effects[2].differences == std::vector<double>{10});
}

TEST_CASE("key: the same for the same run alone, whatever decides it: variant, seed, rate, steps, text") {
  const Corpus corpus = Corpus::shakespeare(8);
  const TrainOptions cell = quick();
  const std::string key = key_of(cell, corpus);
  CHECK(key_of(quick(), corpus) == key);
  const auto differs = [&](const auto& change) {
    TrainOptions other = cell;
    change(other);
    return key_of(other, corpus) != key;
  };
  CHECK(differs([](TrainOptions& o) { vary(o, "norm", "layer"); }));
  CHECK(differs([](TrainOptions& o) { o.seed = 1; }));
  CHECK(differs([](TrainOptions& o) { o.schedule.max_lr *= 2; }));
  CHECK(differs([](TrainOptions& o) { o.schedule.total += 1; }));
  CHECK(key.find(corpus.fingerprint()) != std::string::npos);
}

TEST_CASE("runs: each trained once, the same bits by one thread and by two, in the order of the seeds") {
  const Corpus corpus = Corpus::shakespeare(8);
  const auto losses = [&](int threads) {
    const Threads so_many(threads);
    Runs runs(corpus);
    runs.plan(quick(), 0, 3);
    runs.plan(quick(), 1, 1);
    CHECK(runs.planned() == 3);
    CHECK(runs.train() == 3);
    CHECK(runs.train() == 0);
    return runs.losses(quick(), 0, 3);
  };
  const std::vector<double> one = losses(1);
  CHECK(one == losses(2));
  CHECK(one[0] != one[1]);
  TrainOptions second = quick();
  second.seed = 1;
  CHECK(one[1] == train_cell(second, corpus));
}

TEST_CASE("runs: a refused cell is not planned, and a run that was not trained is an error") {
  const Corpus corpus = Corpus::shakespeare(8);
  Runs runs(corpus);
  runs.plan(Matrix(quick(), two).cells[5], 0, 4);
  CHECK(runs.planned() == 0);
  CHECK_THROWS_AS(runs.losses(quick(), 0, 1), ValueError);
}

TEST_CASE("cell: a run that diverges has no loss") {
  TrainOptions cell = quick();
  cell.clip = 0;
  cell.schedule = {.max_lr = 1e38, .min_lr = 0, .warmup = 0, .total = 3};
  CHECK(std::isnan(train_cell(cell, Corpus::shakespeare(8))));
}
