// Cells and their runs: what is varied, when two are the same run, that each is trained once, and that a run can be repeated.
#include <nlohmann/json.hpp>

#include "examples/shared/experiment/runs.h"
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

}  // namespace

TEST_CASE("cell: a family's variant is chosen by name; an unknown family or variant names the nearest") {
  TrainOptions cell = small_model(10);
  vary(cell, "feed_forward", "relu");
  CHECK(cell.model.feed_forward.of(0).name == "relu");
  CHECK(cell.model.norm.of(0).name == "rms");
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
  const auto losses = [&](int threads) {
    const Threads so_many(threads);
    Journal journal;
    int heard = 0;
    Runs runs(journal, [&](const nlohmann::json&) { ++heard; });
    Cells cells = with_seeds(quick(), 0, 3);
    cells.push_back(cells[1]);
    CHECK(runs.known("", cells) == 0);
    const std::vector<double> found = runs.losses(cells);
    CHECK(heard == 3);
    CHECK(runs.known("", cells) == 4);
    CHECK(runs.losses(cells) == found);
    CHECK(heard == 3);
    CHECK(found[3] == found[1]);
    CHECK(runs.commits(cells) == journal.commits());
    return found;
  };
  const std::vector<double> one = losses(1);
  CHECK(one == losses(2));
  CHECK(one[0] != one[1]);
  CHECK(one[1] == train_cell(with_seeds(quick(), 1, 1)[0], Corpus::shakespeare(8)));
}

TEST_CASE("runs: what else is kept of a run is no loss of it; one that diverges counts as the program says") {
  Journal journal;
  Runs runs(journal, {}, [](const TrainOptions&, const Corpus&) { return NAN; }, 5.5);
  const auto measure = [](const TrainOptions& cell, const Corpus&) { return nlohmann::json(cell.seed); };
  CHECK(runs.measured("seed", with_seeds(quick(), 7, 2), measure) == std::vector<nlohmann::json>{7, 8});
  CHECK(runs.known("", with_seeds(quick(), 7, 2)) == 0);
  CHECK(runs.losses({quick()}) == std::vector<double>{5.5});
}

TEST_CASE("runs: a --seed stands for a thousand seeds; one that has none left is refused") {
  CHECK(first_seed(2) == 2000);
  CHECK(with_seeds(quick(), first_seed(2), 2)[1].seed == 2001);
  CHECK_THROWS_AS(first_seed(~std::uint64_t{0} / 1000), ValueError);
  CHECK(first_seed(~std::uint64_t{0} / 1000 - 1) > 0);
}

TEST_CASE("cell: a run that diverges has no loss") {
  TrainOptions cell = quick();
  cell.clip = 0;
  cell.schedule = {.max_lr = 1e38, .min_lr = 0, .warmup = 0, .total = 3};
  CHECK(std::isnan(train_cell(cell, Corpus::shakespeare(8))));
}
