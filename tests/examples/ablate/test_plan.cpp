// The plan of an ablation: its cells and their order, what is made equal, what is refused, and what is no plan at all.
#include "examples/ablate/plan.h"
#include "examples/ablate/plan_command.h"
#include "examples/ablate/presets.h"
#include "nn/activation/relu.h"
#include "nn/model/language_model.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

Plan plan_of(const std::vector<const char*>& words) {
  std::vector<const char*> argv{"ablate"};
  argv.insert(argv.end(), words.begin(), words.end());
  Plan plan;
  const bool wanted = read_plan(static_cast<int>(argv.size()), argv.data(), plan);  // not in CHECK, which would catch
  CHECK(wanted);
  return plan;
}

std::vector<Variation> cells_of(const std::vector<const char*>& words) { return variations_of(plan_of(words)); }

// What is wrong with a command line: "" if nothing is.
std::string error_of(const std::vector<const char*>& words) {
  try {
    cells_of(words);
  } catch (const ValueError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> names_of(const std::vector<Variation>& cells) {
  std::vector<std::string> names;
  for (const Variation& cell : cells) names.push_back(cell.name);
  return names;
}

}  // namespace

TEST_CASE("plan: two lists are crossed, in the order of --help, the last fastest; the baseline has the first of each") {
  const std::vector<Variation> cells = cells_of({"--placement", "pre,post", "--norm", "layer,rms", "--equal", "nothing"});
  CHECK(names_of(cells) == std::vector<std::string>{"layer, pre", "layer, post", "rms, pre", "rms, post"});
  CHECK(cells[3].values == std::vector<std::string>{"rms", "post"});
  CHECK(cells[3].cell.model.norm.of(0).name == "rms");
  CHECK(cells[3].cell.model.placement.of(0).name == "post");
  CHECK(cells[0].cell.model.norm.of(0).name == "layer");
}

TEST_CASE("plan: a value that does not say what it is has its option's name; any option may have a list") {
  CHECK(names_of(cells_of({"--layers", "2,4", "--equal", "nothing"})) == std::vector<std::string>{"layers 2", "layers 4"});
  CHECK(names_of(cells_of({"--qk-norm", ",rms"})) == std::vector<std::string>{"no qk-norm", "rms"});
  const std::vector<Variation> rates = cells_of({"--weight-decay", "0,0.1", "--warmup", "7"});
  CHECK(rates[1].cell.weight_decay == 0.1);
  CHECK(rates[1].cell.schedule.warmup == 7);
  CHECK(cells_of({"--bias", "true,false"})[0].cell.model.bias);
}

TEST_CASE("plan: equal parameters, within one in a hundred, whatever is varied; given widths stay with --equal nothing") {
  for (const std::vector<const char*>& words :
       std::vector<std::vector<const char*>>{{"feed-forward"},
                                             {"feed-forward", "--full"},
                                             {"position"},
                                             {"norm", "--full"},
                                             {"placement"},
                                             {"--layers", "2,1"},
                                             {"--kv-heads", "2,1"},
                                             {"--bias", "false,true"},
                                             {"--feed-forward", "swiglu,relu", "--layers", "1,2"}}) {
    const std::vector<Variation> cells = cells_of(words);
    for (const Variation& cell : cells) {
      CAPTURE(cell.name);
      CHECK(cell.refused.empty());
      CHECK(cell.parameters == nn::LanguageModel(cell.cell.model).parameter_count());
      CHECK(static_cast<double>(cell.parameters) == doctest::Approx(static_cast<double>(cells[0].parameters)).epsilon(0.01));
    }
  }
  const std::vector<Variation> as_given = cells_of({"--layers", "2,1", "--d-ff", "40", "--equal", "nothing"});
  CHECK(as_given[1].cell.model.d_ff == 40);
  CHECK(10 * as_given[1].parameters < 9 * as_given[0].parameters);
}

TEST_CASE("plan: where all but the baseline are refused nothing is left to compare, and the reason is told") {
  CHECK_THROWS_WITH_AS(cells_of({"--heads", "2,3"}),
                       "nothing is left to compare with heads 2: heads 3: --heads: 3 heads do not divide --d-model 32", ValueError);
}

TEST_CASE("plan: what goes not together is refused with its reason, and so is what cannot be made equal") {
  const std::vector<Variation> cells = cells_of({"--norm", "rms,center-only", "--placement", "pre,deepnorm"});
  CHECK(cells[3].refused.find("does not take the scale out") != std::string::npos);
  CHECK(cells[2].refused.empty());
  CHECK(cells_of({"--heads", "2,3,4"})[1].refused.find("heads") != std::string::npos);
  CHECK(cells_of({"--layers", "2,40,1"})[1].refused.find("however narrow") != std::string::npos);
  CHECK(error_of({"--norm", "center-only,rms", "--placement", "deepnorm"}).find("the baseline, center-only: ") == 0);
}

TEST_CASE("plan: equal time by a given ratio: the steps and the warm-up shrink or grow by it, one step at least") {
  TrainOptions cell = small_model(600);
  cell.schedule.warmup = 60;
  CHECK(at_equal_time(cell, 1.5).schedule.total == 400);
  CHECK(at_equal_time(cell, 1.5).schedule.warmup == 40);
  CHECK(at_equal_time(cell, 0.8).schedule.total == 750);
  CHECK(at_equal_time(cell, 1e6).schedule.total == 1);
  CHECK(at_equal_time(cell, 1).schedule.total == 600);
}

TEST_CASE("plan: each preset is a list of its own option, and what is given by hand counts in its place") {
  for (const Preset& preset : presets()) {
    CAPTURE(preset.name);
    const Plan few = plan_of({preset.name.c_str()}), all = plan_of({preset.name.c_str(), "--full"});
    REQUIRE(few.factors().size() == 1);
    CHECK(flag_of(few.factors()[0].option) == preset.flag());
    CHECK(few.factors()[0].values == preset.few);
    CHECK(all.factors()[0].values == preset.all);
    CHECK(all.factors()[0].values.size() > few.factors()[0].values.size());
    CHECK(few.seeds >= 3);
    CHECK(few.out == "runs/ablate-" + preset.name);
  }
  const Plan by_hand = plan_of({"norm", "--norm", "rms,scale", "--steps", "7", "--layers=1,2"});
  CHECK(by_hand.factors()[0].option == "layers");
  CHECK(by_hand.factors()[1].values == std::vector<std::string>{"rms", "scale"});
  CHECK(variations_of(by_hand)[0].cell.schedule.total == 7);
}

TEST_CASE("plan: the seeds of the sweep are none of the comparison's, whatever --seed") {
  for (const char* seed : {"0", "3"}) {
    const Plan plan = plan_of({"norm", "--seed", seed, "--seeds", "400", "--sweep-seeds", "400"});
    CHECK(plan.first_seed() + 400 <= plan.sweep().first_seed);
    CHECK(plan.sweep().first_seed + 400 <= plan.first_seed() + 1000);
  }
}

TEST_CASE("plan: bad input is an error that says what was meant, or what to do") {
  const auto says = [](const std::vector<const char*>& words, const std::string& part) {
    const std::string error = error_of(words);
    CAPTURE(error);
    return error.find(part) != std::string::npos;
  };
  CHECK(says({}, "nothing is varied: name a preset"));
  CHECK(says({"--norm", "rms"}, "nothing is varied"));
  CHECK(says({"plcement"}, "there is no preset 'plcement'; did you mean 'placement'?"));
  CHECK(says({"norm", "position"}, "'position' belongs to no option"));
  CHECK(says({"--norm", "rms,layr"}, "unknown norm 'layr'; did you mean 'layer'?"));
  CHECK(says({"--nrom", "rms,layer"}, "unknown option '--nrom'; did you mean '--norm'?"));
  CHECK(says({"--norm", "rms,"}, "--norm: the value is empty"));
  CHECK(says({"--norm="}, "--norm: "));
  CHECK(says({"--layers", "2,two"}, "--layers: 'two' is not a whole number"));
  CHECK(says({"--norm", "rms,layer,RMS"}, "--norm: 'RMS' is in the list twice"));
  CHECK(says({"--weight-decay", "0.1,0.10"}, "--weight-decay: '0.10' is in the list twice"));
  CHECK(says({"--min-lr", "1e-4,0.0001"}, "--min-lr: '0.0001' is in the list twice"));
  CHECK(says({"--d-ff", "64,128"}, "--d-ff: is what --equal parameters sets; --equal nothing"));
  CHECK(says({"--steps", "10,20", "--equal", "time"}, "--steps: is what --equal time sets"));
  CHECK(says({"--lr", "1e-3,1e-2"}, "--lr: is what the sweep sets; --sweep 0"));
  CHECK(error_of({"--lr", "1e-3,1e-2", "--sweep", "0"}).empty());
  CHECK(error_of({"--steps", "10,20"}).empty());
  CHECK(says({"norm", "--seeds", "0"}, "--seeds: a number from 1"));
  CHECK(says({"norm", "--equal", "tme"}, "did you mean 'time'?"));
  CHECK(says({"norm", "--show", "curves,length"}, "there is no picture 'length'; did you mean 'lengths'?"));
  CHECK(says({"norm", "--steps", "-1"}, "--steps must be positive"));
  CHECK(says({"norm", "--prompt", "x"}, "unknown option '--prompt'"));
}
