// Command lines of ablate and step that are none: refused in the words of what was given, before anything is done.
#include "core/machine/threads.h"
#include "examples/ablate/plan.h"
#include "examples/ablate/plan_command.h"
#include "examples/shared/expression/expression.h"
#include "examples/step/options.h"
#include "examples/step/problem.h"
#include "nn/activation/sigmoid.h"
#include "tests/examples/shared/options/train_command.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

BadCall ablate(const std::vector<std::string>& words, const std::string& text) {
  const auto call = [words] {
    const auto argv = argv_of("ablate", words);
    Plan plan;
    read_plan(static_cast<int>(argv.size()), argv.data(), plan);
    variations_of(plan);
  };
  return {"ablate " + joined_by_spaces(words), call, Raises::value, text};
}

// An ExpressionError is a ValueError that knows its place, too; the table compares the class above it.
BadCall step(const std::vector<std::string>& words, const std::string& text) {
  const auto call = [words] {
    const auto argv = argv_of("step", words);
    try {
      StepOptions options;
      read_step_options(static_cast<int>(argv.size()), argv.data(), options);
      const StepProblem problem(options);
    } catch (const ExpressionError& error) {
      throw ValueError(error.what());
    }
  };
  return {"step " + joined_by_spaces(words), call, Raises::value, text};
}

}  // namespace

TEST_CASE("bad input: ablate refuses what is no plan") {
  const auto norm = [](const std::vector<std::string>& option, const std::string& text) {
    return ablate({"norm", option[0], option[1]}, text);
  };
  check_bad_calls({
      refused_each(norm, "unknown option '{0}'", {{"--sample-chars", "3"}, {"--resume", "x"}}),
      refused_each(norm, "{0}: a number from 1 to 400, not {1}", {{"--seeds", "0"}, {"--seeds", "401"}, {"--sweep-seeds", "0"}}),
      refused_each(norm, "{0}: a number from 0 to 20, not {1}", {{"--sweep", "-1"}, {"--sweep", "21"}}),
      refused_each(norm, fmt::format("{{0}}: a number from 0 to {}, not {{1}}", most_threads()),
                   {{"--threads", "-1"}, {"--threads", "100000"}, {"--threads", "2147483648"}}),
      refused_each(norm, "{0}: '{1}' is not a whole decimal number",
                   {{"--seeds", "3.5"}, {"--seeds", "010"}, {"--seeds", ""}, {"--seed", "-1"}, {"--threads", "1.5"}, {"--threads", ""}}),
      refused_each(norm, "{0}: {1} is out of range", {{"--seeds", "99999999999999999999"}, {"--seed", "18446744073709551616"}}),
      ablate({}, "nothing is varied: name a preset"),
      ablate({"--norm", "rms"}, "nothing is varied"),
      ablate({""}, "nothing is varied: name a preset"),
      ablate({"plcement"}, "there is no preset 'plcement'; did you mean 'placement'?"),
      ablate({"norm", "position"}, "'position' belongs to no option"),
      ablate({"--nrom", "rms,layer"}, "unknown option '--nrom'; did you mean '--norm'?"),
      ablate({"--norm", "rms,layr"}, "unknown norm 'layr'; did you mean 'layer'?"),
      ablate({"--norm", "rms,"}, "--norm: the value is empty"),
      ablate({"--norm", ",rms"}, "--norm: the value is empty"),
      ablate({"--norm", "rms,rms"}, "--norm: 'rms' is in the list twice"),
      ablate({"--layers", "2,two"}, "--layers: 'two' is not a whole number"),
      ablate({"--layers", "2,1.5"}, "--layers: '1.5' is not a whole number"),
      ablate({"--layers", "2,99999999999999999999"}, "--layers: 99999999999999999999 is out of range"),
      ablate({"--layers", "2, 4"}, "--layers: ' 4' is not a whole number"),
      ablate({"--dropout", "0,nan"}, "--dropout: 'nan' is not a finite number"),
      ablate({"--dropout", "0,0.0"}, "--dropout: '0.0' is in the list twice"),
      ablate({"--bias", "true,maybe"}, "--bias: 'maybe' is not true or false"),
      ablate({"norm", "--steps", "0"}, "--steps must be positive, got 0"),
      ablate({"norm", "--steps", "1e3"}, "--steps: '1e3' is not a whole number"),
      ablate({"norm", "--lr", "inf"}, "--lr: 'inf' is not a finite number"),
      ablate({"norm", "--d-model", "1000000"}, "the baseline, layer: training takes at least "),
      ablate({"norm", "--seed", "18446744073709551615"}, "--seed: at most "),
      ablate({"norm", "--out", ""}, "--out: the value is empty"),
      ablate({"norm", "--equal", "tme"}, "did you mean 'time'?"),
      ablate({"norm", "--equal", ""}, "--equal"),
      ablate({"norm", "--show", "curve"}, "there is no picture 'curve'; did you mean 'curves'?"),
      ablate({"norm", "--show", ""}, "--show: there is no picture ''"),
      ablate({"norm", "--show", "curves,curves"}, "--show: a picture is named twice"),
      ablate({"--d-ff", "64,128"}, "--d-ff: is what --equal parameters sets"),
      ablate({"--steps", "10,20", "--equal", "time"}, "--steps: is what --equal time sets"),
      ablate({"--lr", "1e-3,1e-2"}, "--lr: is what the sweep sets"),
      ablate({"norm", "--seeds"}, "--seeds"),
      ablate({"--norm", "center-only,rms", "--placement", "deepnorm"}, "the baseline, center-only: "),
      ablate({"--layers", "1,2,3,4,5,6,7,8,9", "--heads", "1,2,4,8", "--batch", "1,2,3,4,5,6,7,8,9", "--dropout",
              "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8", "--clip", "1,2,3,4,5,6,7,8,9", "--z-loss", "0,1,2,3,4,5,6,7,8", "--seeds", "1"},
             "the lists have 236196 combinations; at most 1000 are trained"),
  });
}

TEST_CASE("bad input: step refuses what is neither an expression nor an option, and variables without a value") {
  check_bad_calls({
      step({}, "give an expression"),
      step({"--u", "2"}, "there is no expression: '2' was taken as the value of --u"),
      step({"u*v"}, "'u' has no value; give it one, as in --u 0.5"),
      step({"u*v", "--u", "2"}, "'v' has no value"),
      step({"u", "--u"}, "--u: the value is missing"),
      step({"u", "--u", "1", "--u", "2"}, "--u is given twice"),
      step({"u", "v", "--u", "1"}, "one expression was expected; besides 'u' there is 'v'"),
      step({"u", "--u", "1", "--w", "2"}, "'--w' is neither a variable of the expression nor an option"),
      step({"u", "--u", "1", "--naiv", "1"}, "did you mean '--naive'?"),
      step({"u", "--u", ""}, "--u: the expression is empty"),
      step({"u", "--u", "abc"}, "--u: the variable 'abc' has no value"),
      step({"u", "--u", "1,5"}, "--u: "),
      step({"u", "--u", "1e999"}, "--u: 1e999 is too large"),
      step({"u", "--u", "[1, 2"}, "--u: "),
      step({"u+v", "--u", "[1, 2]", "--v", "[1, 2, 3]"}, "add: "),
      step({"u", "--u", "1", "--dtype", "f8"}, "--dtype: 'f8' is none of f64, f32, f16"),
      step({"u", "--u", "1", "--dtype", "i64"}, "--dtype: 'i64' is none of f64, f32, f16"),
      step({"dtype", "--dtype", "f64"}, "--dtype is an option of this program; call the variable otherwise"),
      step({"u", "--u", "1", "--trace", "x.json"}, "give one of an expression"),
      step({"u", "--u", "1", "--chapter", "ch04"}, "give one of an expression"),
      step({"--trace", "x.json", "--u", "1"}, "--u: a trace has no variables to set"),
      step({"--trace"}, "--trace"),
      step({"--trace", ""}, "--trace: the value is empty"),
      step({"--chapter", ""}, "--chapter: the value is empty"),
      step({"u", "--u", "1", "--html", ""}, "--html: the value is empty"),
      step({"u", "--u", "1", "--json", ""}, "--json: the value is empty"),
      step({"1 + 2"}, "there is no variable, so nothing to differentiate by"),
      step({"sign(u)", "--u", "2"}, "the result has no gradient: none passes through sign(u)"),
      step({"detach(u)", "--u", "2"}, "the result has no gradient"),
      step({"tnh(u)", "--u", "2"}, "there is no function 'tnh'; did you mean 'tanh'?"),
      step({"u +", "--u", "2"}, "was expected, and here is the end"),
  });
}
