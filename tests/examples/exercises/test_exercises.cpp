// The grader graded: every answer passes, every known mistake fails by its name, and no hint is the answer.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>

#include "core/core.h"
#include "examples/exercises/grader/agree.h"
#include "examples/exercises/grader/compile.h"
#include "examples/exercises/grader/diagnose.h"
#include "examples/exercises/grader/report.h"
#include "examples/exercises/grader/source.h"
#include "examples/exercises/mistakes.h"
#include "examples/exercises/registry.h"
#include "examples/exercises/set/functions.h"
#include "examples/exercises/tutor/order.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/examples/exercises/answers.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"
#include "tests/support/sample.h"

using namespace gradus;
using namespace gradus::exercises;
using namespace gradus::test;

namespace {

std::string without_spaces(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) != 0; }), text.end());
  return text;
}

template <typename F> void for_each_stage(const F& f) {
  for (const Exercise& one : all_exercises()) {
    for (const Stage& stage : one.stages) {
      INFO(one.id, " ", stage.function);
      f(one, stage);
    }
  }
}

// What is said of these mistakes; some of them throw on some probes.
Verdict verdict_on(const Stage& stage, Made made) {
  return verdict(stage, run_here([&](const Probe& probe) { return stage.with(probe, made); }, stage.probes));
}

bool declared_the_same(const Stage& stage, const std::string& a, const std::string& b) {
  return std::any_of(stage.same.begin(), stage.same.end(), [&](const std::vector<std::string>& ids) {
    return std::count(ids.begin(), ids.end(), a) > 0 && std::count(ids.begin(), ids.end(), b) > 0;
  });
}

}  // namespace

TEST_CASE("exercises: each has its answer, and every function of it passes") {
  REQUIRE(answers().size() == all_exercises().size());
  for (std::size_t i = 0; i < all_exercises().size(); ++i) {
    const Exercise& one = all_exercises()[i];
    REQUIRE(answers()[i].id == one.id);
    REQUIRE(answers()[i].functions.size() == one.stages.size());
    for (std::size_t s = 0; s < one.stages.size(); ++s) {
      const Verdict v = verdict(one.stages[s], run_here(answers()[i].functions[s], one.stages[s].probes));
      CHECK_MESSAGE(v.kind == Kind::pass, screen(one, s, v));
    }
  }
}

TEST_CASE("exercises: no mistake is right, and each is found by its name") {
  for_each_stage([](const Exercise& one, const Stage& stage) {
    CHECK_MESSAGE(verdict_on(stage, {}).kind == Kind::pass, one.id, ": made without a mistake it is not right");
    for (const Mistake& mistake : stage.mistakes) {
      const Verdict v = verdict_on(stage, alone(mistake));
      CHECK_MESSAGE(v.kind == (mistake.convention ? Kind::convention : Kind::mistake), mistake.id, " is ", word(v.kind));
      const bool named = v.ids.size() == 1 && (v.ids[0] == mistake.id || declared_the_same(stage, v.ids[0], mistake.id));
      CHECK_MESSAGE(named, mistake.id, " is called ", v.ids.empty() ? "nothing" : v.ids[0]);
      CHECK_MESSAGE((mistake.convention || !mistake.question.empty()), mistake.id, " asks nothing");
    }
  });
}

TEST_CASE("exercises: a mistake is known by its flag, wherever it stands in the list") {
  static Stage stage = exercise("rms-norm").stages[0];  // what its mistakes give is kept by its address
  std::reverse(stage.mistakes.begin(), stage.mistakes.end());
  for (const Mistake& mistake : stage.mistakes) {
    const Verdict v = verdict_on(stage, alone(mistake));
    CHECK_MESSAGE(v.ids == std::vector<std::string>{mistake.id}, mistake.id, " is called ", v.ids.empty() ? "nothing" : v.ids[0]);
  }
}

const Mistake& mistake_of(const Stage& stage, const std::string& id) {
  return *std::find_if(stage.mistakes.begin(), stage.mistakes.end(), [&](const Mistake& one) { return one.id == id; });
}

std::vector<Outputs> made_by(const Stage& stage, const Mistake& mistake) {
  return of_all(stage.probes, [&](const Probe& probe) { return stage.with(probe, alone(mistake)); });
}

TEST_CASE("exercises: a mistake that is made on most of the wrong probes is named, as such") {
  const Stage& stage = exercise("rms-norm").stages[0];
  std::vector<Outputs> outputs = made_by(stage, mistake_of(stage, "norm/sum-not-mean"));
  outputs.back()[0].numbers[0] += 1;
  const Verdict most = diagnose(stage, outputs);
  CHECK(most.sentence == "On 4 of the 5 wrong probes this is what a known mistake gives: Σ x² in place of its mean.");
  CHECK(most.ids == std::vector<std::string>{"norm/sum-not-mean"});
  CHECK(most.seen == "It is wrong on 5 of 5 probes.");
  outputs.front()[0].numbers[0] += 1;  // the one that is shown
  CHECK(diagnose(stage, outputs).ids.empty());
}

TEST_CASE("exercises: a mistake is named where only some of the outputs that it makes wrong are wrong") {
  const Stage& stage = exercise("rms-norm").stages[1];
  std::vector<Outputs> outputs = made_by(stage, mistake_of(stage, "norm/eps-over-n"));
  for (std::size_t p = 0; p < outputs.size(); ++p) outputs[p][1] = stage.right(stage.probes[p])[1];
  const Verdict v = diagnose(stage, outputs);
  CHECK(v.ids == std::vector<std::string>{"norm/eps-over-n"});
  CHECK_MESSAGE(v.sentence.rfind("dx is what a known mistake gives: ", 0) == 0, v.sentence);
}

TEST_CASE("exercises: an infinity where a mistake makes NaN is the same mistake") {
  const Stage& stage = exercise("cross-entropy").stages[0];
  std::vector<Outputs> outputs = made_by(stage, mistake_of(stage, "loss/no-max"));
  for (Outputs& one : outputs) {
    double& loss = one[0].numbers[0];
    if (!std::isfinite(loss)) loss = std::isnan(loss) ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  CHECK(diagnose(stage, outputs).ids == std::vector<std::string>{"loss/no-max"});
}

Tensor missing_axes_only(const Tensor& g, const Shape& shape) {
  Axes axes;
  for (int axis = 0; axis < g.rank() - shape.rank(); ++axis) axes.push_back(axis);
  return reshape(axes.empty() ? g : sum(g, axes), shape);
}

Tensor from_the_first_axis(const Tensor& g, const Shape& shape) {
  Axes axes;
  for (int axis = 0; axis < g.rank(); ++axis) {
    if (shape[axis] == 1) axes.push_back(axis);
  }
  return axes.empty() ? g : reshape(sum(g, axes), shape);
}

TEST_CASE("exercises: an exception asks the question of the mistake that leads to it") {
  const Stage& stage = exercise("rule-broadcast").stages[0];
  const auto verdict_of = [&](Tensor (*summed_to)(const Tensor&, const Shape&)) {
    return verdict(stage, run_here(set::rule_broadcast(summed_to, nullptr, nullptr)[0], stage.probes));
  };
  const Verdict known = verdict_of(missing_axes_only);
  CHECK(known.ids == std::vector<std::string>{"op/missing-axes-only"});
  CHECK(known.question == mistake_of(stage, "op/missing-axes-only").question);
  CHECK_MESSAGE(known.seen.rfind("It threw: reshape: cannot turn [2, 3]", 0) == 0, known.seen);
  CHECK(known.probe == &stage.probes[1]);
  const Verdict out_of_range = verdict_of(from_the_first_axis);
  CHECK(out_of_range.kind == Kind::failed);
  CHECK_MESSAGE(out_of_range.question.find("From which end") == 0, out_of_range.sentence);
}

TEST_CASE("exercises: a convention that the task excludes is right, and the task's own is said") {
  const Stage& stage = exercise("activations").stages[1];
  const Verdict v = verdict_on(stage, alone(mistake_of(stage, "act/leaky-kink")));
  CHECK(v.kind == Kind::convention);
  CHECK(v.sentence == "Right, by another convention: at x = 0 the slope from above, 1 (the task asks for the slope from below).");
}

TEST_CASE("exercises: the compiler's first warning about the student's own file is told") {
  const std::string said =
      "In file included from /x/driver.cpp:1:\n/core/a.h:3:1: warning: not theirs\n    3 | code\n"
      "/my/10_rms_norm.cpp: In function 'double f()':\n/my/10_rms_norm.cpp:7:1: warning: no return statement [-Wreturn-type]\n"
      "    7 | }\n      | ^\n/my/10_rms_norm.cpp:9:1: warning: another\n";
  CHECK(first_warning(said, "/my/10_rms_norm.cpp") ==
        "10_rms_norm.cpp:7:1: warning: no return statement [-Wreturn-type]\n    7 | }\n      | ^\n");
  CHECK(first_warning(said, "/my/11.cpp").empty());
}

TEST_CASE("exercises: the question about a crash is that of its cause") {
  const Stage& stage = exercise("rms-norm").stages[0];
  const auto question = [&](Run::End end) {
    Run run;
    run.end = end;
    return verdict(stage, run).question;
  };
  CHECK(question(Run::End::crashed).find("index") != std::string::npos);
  CHECK(question(Run::End::divided).find("divide") != std::string::npos);
  CHECK(question(Run::End::aborted).find("assert") != std::string::npos);
  CHECK(question(Run::End::returned_nothing).find("return") != std::string::npos);
}

TEST_CASE("exercises: two mistakes at once are found, as two or as one of them") {
  Sample pairs(40);
  for_each_stage([&](const Exercise&, const Stage& stage) {
    for (std::size_t i = 0; i < stage.mistakes.size(); ++i) {
      for (std::size_t j = i + 1; j < stage.mistakes.size(); ++j) {
        if (!pairs.takes_next()) continue;
        const Verdict v = verdict_on(stage, alone(stage.mistakes[i]) | alone(stage.mistakes[j]));
        CHECK_MESSAGE(v.kind != Kind::unknown, stage.mistakes[i].id, " with ", stage.mistakes[j].id, " is unknown");
      }
    }
  });
}

// What is said of an exercise whose functions make these conventions ("": none).
std::string said_together(const Exercise& one, const std::vector<std::string>& conventions) {
  std::vector<Verdict> verdicts;
  for (const std::string& id : conventions) verdicts.push_back(id.empty() ? Verdict{} : Verdict{.kind = Kind::convention, .ids = {id}});
  const auto differ = disagreement(one, verdicts);
  return differ ? differ->sentence : "";
}

TEST_CASE("exercises: a convention that several functions share is to be chosen by all of them, or by none") {
  const Exercise& rope = exercise("rope");
  CHECK(said_together(rope, {"", "", "", ""}).empty());
  CHECK(said_together(rope, {"rope/halves", "rope/halves", "rope/halves", ""}).empty());
  CHECK(said_together(rope, {"rope/halves", ""}) ==
        "rope turns halves, rope_gradient turns neighbours: each is right by itself, but they do not belong together.");
  CHECK_FALSE(said_together(rope, {"", "", "rope/halves"}).empty());
  CHECK_FALSE(said_together(exercise("lstm-step"), {"lstm/order-fino", "lstm/order-ifon"}).empty());
  for (const Exercise& one : all_exercises()) {
    for (const Choice& choice : one.choices) {
      REQUIRE(choice.ways.at(0).convention.empty());
      for (const std::string& function : choice.functions) {
        const auto stage = std::find_if(one.stages.begin(), one.stages.end(), [&](const Stage& s) { return s.function == function; });
        REQUIRE_MESSAGE(stage != one.stages.end(), function);
        for (std::size_t i = 1; i < choice.ways.size(); ++i) {
          const bool there = std::any_of(stage->mistakes.begin(), stage->mistakes.end(),
                                         [&](const Mistake& m) { return m.convention && m.id == choice.ways[i].convention; });
          CHECK_MESSAGE(there, function, " has no ", choice.ways[i].convention);
        }
      }
    }
  }
}

TEST_CASE("exercises: every mistake is in the registry, once, with what is wrong") {
  std::set<std::string> ids;
  for (const Published& one : all_published()) {
    CHECK_MESSAGE(ids.insert(one.id).second, one.id, " is there twice");
    CHECK_FALSE(one.line.empty());
  }
  for_each_stage([&](const Exercise&, const Stage& stage) {
    for (const Mistake& mistake : stage.mistakes) CHECK_MESSAGE(ids.count(mistake.id) == 1, mistake.id);
  });
}

TEST_CASE("exercises: a stub has a blank for each function, and nothing of the answer") {
  for (const Exercise& one : all_exercises()) {
    CAPTURE(one.id);
    const std::string answer = read_bytes(answer_of(one)), stub = cut(answer);
    const std::vector<std::string> kept = lines_of(stub);
    const auto blanks = std::count_if(kept.begin(), kept.end(), [](const std::string& line) { return without_spaces(line) == "todo();"; });
    CHECK(blanks == static_cast<std::ptrdiff_t>(one.stages.size()));
    CHECK(stub.find("// blank") == std::string::npos);
    CHECK(stub.find("// end") == std::string::npos);
    CHECK(stub.find(one.section) != std::string::npos);
    for (const std::string& section : one.also) CHECK_MESSAGE(stub.find("docs/" + section) != std::string::npos, section);
  }
}

TEST_CASE("exercises: no hint has a line of the answer") {
  for (const Exercise& one : all_exercises()) {
    CAPTURE(one.id);
    const std::string answer = read_bytes(answer_of(one)), stub = cut(answer);
    for (const std::string& line : lines_of(answer)) {
      const std::string text = without_spaces(line);
      if (text.size() < 12 || stub.find(line) != std::string::npos || text.rfind("//", 0) == 0) continue;
      for (const Stage& stage : one.stages) {
        for (const std::string& hint : stage.hints) {
          CHECK_MESSAGE(without_spaces(hint).find(text) == std::string::npos, "a hint says: ", line);
        }
      }
    }
    for (const Stage& stage : one.stages) {
      CHECK_MESSAGE(stage.hints.size() <= 4, stage.function);
      for (const std::string& hint : stage.hints) CHECK(hint.size() > 20);
    }
  }
}

TEST_CASE("exercises: an answer needs rows.h and, at most, core; and what it needs comes before it") {
  std::set<std::string> earlier;
  for (const Exercise& one : all_exercises()) {
    CAPTURE(one.id);
    for (const std::string& line : lines_of(read_bytes(answer_of(one)))) {
      if (line.rfind("#include \"", 0) != 0) continue;
      const bool allowed = line == "#include \"examples/exercises/rows.h\"" || line == "#include \"core/core.h\"";
      CHECK_MESSAGE(allowed, line);
    }
    for (const std::string& id : one.needs) CHECK_MESSAGE(earlier.count(id) == 1, "needs ", id);
    earlier.insert(one.id);
  }
}

TEST_CASE("exercises: what one on the path needs comes before it there, and its program is one of first/") {
  std::set<std::string> earlier, programs;
  for (const OnPath& one : exercises_of_path()) {
    CAPTURE(one.id);
    for (const std::string& id : exercise(one.id).needs) CHECK_MESSAGE(earlier.count(id) == 1, "needs ", id);
    CHECK(on_the_way(exercise(one.id)).empty() != programs.insert(one.program).second);
    CHECK_FALSE(read_bytes(source_root() + "/examples/first/" + one.program + ".cpp").empty());
    earlier.insert(one.id);
  }
  CHECK(programs.size() == 7);
}

TEST_CASE("exercises: probes are told apart by their names, and some have no two sizes alike") {
  for_each_stage([](const Exercise&, const Stage& stage) {
    REQUIRE(stage.probes.size() >= 3);
    std::set<std::string> names;
    for (const Probe& probe : stage.probes) CHECK(names.insert(probe.name).second);
    for (const Probe& probe : stage.probes) CHECK(stage.right(probe).size() > 0);
    CHECK_FALSE(stage.laws.empty());
    for (const Law& law : stage.laws) {  // what is right breaks none
      CHECK_MESSAGE(!law.question.empty(), law.sentence, " asks nothing");
      for (const Probe& probe : stage.probes)
        CHECK_MESSAGE(law.broken(probe, stage.right(probe)).empty(), law.sentence, ": ", law.broken(probe, stage.right(probe)));
    }
  });
}

TEST_CASE("exercises: an answer is right but for one part, and it is named") {
  const Stage& stage = exercise("lstm-step").stages[1];
  const auto sentence = [&](const auto& change) {
    std::vector<Outputs> outputs;
    for (const Probe& probe : stage.probes) {
      outputs.push_back(stage.right(probe));
      change(probe, outputs.back());
    }
    return diagnose(stage, outputs).sentence;
  };
  const auto shift_gate = [](int which) {
    return [which](const Probe& probe, Outputs& outputs) {
      Probe shifted = probe;  // a gate that is made of another sum
      const int hidden = columns_of(probe["c"]);
      for (std::size_t at = 0; at < shifted.inputs[0].numbers.size(); ++at) {
        if (static_cast<int>(at) / hidden % 4 == which) shifted.inputs[0].numbers[at] += 0.25;
      }
      outputs = exercise("lstm-step").stages[1].right(shifted);
    };
  };
  CHECK(sentence(shift_gate(0)) == "All is right but for i.");
  CHECK(sentence(shift_gate(1)) == "All is right but for f.");
  CHECK(sentence(shift_gate(2)) == "All is right but for n.");
  CHECK(sentence(shift_gate(3)) == "All is right but for o.");
  CHECK(sentence([](const Probe& probe, Outputs& outputs) {
          for (int j = 0; j < columns_of(probe["c"]); ++j) outputs[0].numbers[static_cast<std::size_t>(j)] += 0.5;
        }) == "All is right but for dL/da_i.");
}

TEST_CASE("exercises: an answer that is right for other inputs is said to be so") {
  const Stage& stage = exercise("rms-norm").stages[0];
  const auto sentence = [&](const auto& change) {
    std::vector<Outputs> outputs;
    for (Probe probe : stage.probes) {
      change(probe.inputs[0].numbers);
      outputs.push_back(stage.right(probe));
    }
    return diagnose(stage, outputs).sentence;
  };
  using Numbers = std::vector<double>;
  CHECK(sentence([](Numbers& x) {
          for (double& one : x) one = one * one;
        }) == "This would be right if x were squared.");
  CHECK(sentence([](Numbers& x) {
          for (double& one : x) one = 1 / one;
        }) == "This would be right if each number of x were one over itself.");
}

TEST_CASE("exercises: two numbers that differ are shown so that they do") {
  const Exercise& softmax = exercise("softmax");
  Verdict verdict{.kind = Kind::unknown, .sentence = "It differs.", .probe = &softmax.stages[0].probes[0]};
  const auto shown = [&](const std::vector<double>& got, const std::vector<double>& expected) {
    const int n = static_cast<int>(got.size());
    verdict.got = {array("y", {1, n}, got)};
    verdict.expected = {array("y", {1, n}, expected)};
    return screen(softmax, 0, verdict, false);
  };
  const std::string seventh = shown({0.1234567, 0.5}, {0.1234568, 0.5});
  CHECK(seventh.find("0.1234567▲") != std::string::npos);
  CHECK(seventh.find("0.1234568 ") != std::string::npos);
  const std::string of_whole = shown({3, 1}, {3.00000001, 1});
  CHECK(of_whole.find("3.00000001 ") != std::string::npos);
  const std::string far = shown({1, 2, 3, 4, 5, 6, 7.5}, {1, 2, 3, 4, 5, 6, 7});
  CHECK(far.find("7.5▲") != std::string::npos);
  CHECK(shown({0.25, 1}, {0.5, 1}).find(" 0.25▲") != std::string::npos);
}

TEST_CASE("exercises: a number from beyond the end of an input is known by what is made of it") {
  const Stage& stage = exercise("rms-norm").stages[0];
  const auto reads_on = [&](const Probe& p) {
    Outputs outputs = stage.right(p);
    const In x = p.in("x");
    outputs[0].numbers.back() = 1 - std::exp(x[x.rows - 1][x.columns]);
    return outputs;
  };
  CHECK(verdict(stage, run_here(reads_on, stage.probes)).sentence == "y[0][2] is made of a number from beyond the end of an input.");
}

TEST_CASE("exercises: numbers that are right as far as a float goes are said to be so") {
  const Stage& stage = exercise("rms-norm").stages[0];
  const auto in_floats = [&](const Probe& p) {
    Outputs outputs = stage.right(p);
    for (double& one : outputs[0].numbers) one = static_cast<float>(one);
    return outputs;
  };
  CHECK(verdict(stage, run_here(in_floats, stage.probes)).sentence == "All numbers are right to six digits, and differ after that.");
}

TEST_CASE("exercises: two numbers of a law are said so that they differ, and NaN is not minus anything") {
  CHECK(beside(1.60943791, 1.60943792) == "1.60943791");
  CHECK(beside(0.5, 0.25) == "0.5");
  const Stage& stage = exercise("softmax").stages[0];
  std::vector<Outputs> outputs;
  for (const Probe& probe : stage.probes) outputs.push_back(stage.right(probe));
  outputs[0][0].numbers[0] += 0.25;
  outputs[1][0].numbers[0] = -std::numeric_limits<double>::quiet_NaN();
  CHECK(diagnose(stage, outputs).sentence.find("-nan") == std::string::npos);
}

TEST_CASE("exercises: the cache says which call is wrong first, and what read is") {
  const Stage& stage = exercise("kv-cache").stages[0];
  const auto sentence = [&](const auto& change) {
    std::vector<Outputs> outputs;
    for (const Probe& probe : stage.probes) {
      outputs.push_back(stage.right(probe));
      change(outputs.back());
    }
    return diagnose(stage, outputs).sentence;
  };
  CHECK(sentence([](Outputs& outputs) { outputs[1].numbers[0] -= 1; }) == "read is 1 after call 1, not 2.");
  CHECK(sentence([](Outputs& outputs) { outputs[2].numbers[0] += 1; }) == "rows, how many kept_k has, is 3 after call 1, not 2.");
  CHECK(sentence([](Outputs& outputs) { outputs[0].numbers.back() += 1; }) ==
        "y is first wrong in its row 3, in call 2 of 2, before which read was 2, as it should be.");
  CHECK(sentence([](Outputs& outputs) {
          for (double& one : outputs[3].numbers) one += 1;
        }) == "kept_k is wrong at the end, though y is right.");
  CHECK(sentence([](Outputs& outputs) { outputs[0].numbers[0] += 1; }) ==
        "y is first wrong in its row 0, in call 1 of 2, when nothing is kept yet: it is the scale, the mask, the softmax or the turning.");
}

TEST_CASE("exercises: the walk says which edge is wrong") {
  const Stage& stage = exercise("the-walk").stages[0];
  std::vector<Outputs> outputs;
  for (const Probe& probe : stage.probes) {
    outputs.push_back(stage.right(probe));
    outputs.back()[0].numbers[0] /= 3;
  }
  const std::string said = diagnose(stage, outputs).sentence;
  CHECK_MESSAGE(said.find("from entry 1 to entry 0: slope 3, gradient 1; 3 had to be added") != std::string::npos, said);
}

TEST_CASE("exercises: what throws in reshape is known by the shape that it names") {
  const auto aligned_left = [](const Tensor& g, const Shape& shape) -> Tensor {
    Axes axes;
    for (int axis = 0; axis < g.rank(); ++axis) {
      if (axis >= shape.rank() || shape[axis] == 1) axes.push_back(axis);
    }
    return axes.empty() ? g : reshape(sum(g, axes), shape);
  };
  const auto both = [](const Tensor& g, const Tensor&, const Tensor&) { return std::pair<Tensor, Tensor>(g, g); };
  const auto unchanged = [](const Tensor& g, const Shape&, const Axes&) -> Tensor { return g; };
  const Functions functions = exercises::set::rule_broadcast(+aligned_left, +both, +unchanged);
  const Stage& stage = exercise("rule-broadcast").stages[0];
  const Verdict said = verdict(stage, run_here(functions[0], stage.probes));
  CHECK(said.ids == std::vector<std::string>{"op/aligned-left"});
}

TEST_CASE("exercises: a wrong scale of x is not taken for a wrong position") {
  const Stage& stage = exercise("sinusoids").stages[1];
  std::vector<Outputs> outputs;
  for (const Probe& probe : stage.probes) {
    outputs.push_back(stage.right(probe));
    const Array& x = probe["x"];
    for (std::size_t i = 0; i < x.numbers.size(); ++i) outputs.back()[0].numbers[i] += (3 - std::sqrt(columns_of(x))) * x.numbers[i];
  }
  const std::string said = diagnose(stage, outputs).sentence;
  CHECK_MESSAGE(said.find("x is multiplied by √d") != std::string::npos, said);
}

TEST_CASE("exercises: the law of RMSNorm is shown where no ε may be to blame") {
  const Stage& stage = exercise("rms-norm").stages[0];
  std::vector<Outputs> outputs;
  for (const Probe& probe : stage.probes) {  // 0.9 times the mean
    outputs.push_back(stage.right(probe));
    const In x = probe.in("x");
    for (int i = 0; i < x.rows; ++i) {
      double mean = 0;
      for (int j = 0; j < x.columns; ++j) mean += x[i][j] * x[i][j] / x.columns;
      const double factor = std::sqrt((mean + probe.number("eps")) / (0.9 * mean + probe.number("eps")));
      for (int j = 0; j < x.columns; ++j) outputs.back()[0].numbers[static_cast<std::size_t>(i * x.columns + j)] *= factor;
    }
  }
  const Verdict said = diagnose(stage, outputs);
  CHECK_MESSAGE(said.sentence.find("if ε is tiny beside the numbers") != std::string::npos, said.sentence);
  CHECK(said.probe == &stage.probes[1]);
}

TEST_CASE("exercises: a table that begins beyond row 0 numbers its rows") {
  const Exercise& softmax = exercise("softmax");
  Verdict verdict{.kind = Kind::unknown, .sentence = "It differs.", .probe = &softmax.stages[0].probes[0]};
  verdict.expected = {array("y", {6, 1}, {1, 2, 3, 4, 5, 6})};
  verdict.got = {array("y", {6, 1}, {1, 2, 3, 4, 5, 7})};
  const std::string said = screen(softmax, 0, verdict, false);
  CHECK_MESSAGE(said.find("y yours [3]") != std::string::npos, said);
  CHECK_MESSAGE(said.find(" [5]           7▲") != std::string::npos, said);
}

TEST_CASE("exercises: an exchange of roles is named, though it throws where the lengths differ") {
  const Stage& stage = exercise("cross-attention").stages[0];
  const Verdict said = verdict_on(stage, alone(mistake_of(stage, "cross/roles-exchanged")));
  CHECK(said.kind == Kind::mistake);
  CHECK(said.probe == &stage.probes[0]);
  CHECK_FALSE(said.got.empty());
  const auto throws = [](const Probe&) -> Outputs { throw std::runtime_error("shapes"); };
  CHECK(verdict(stage, run_here(throws, stage.probes)).kind == Kind::failed);
}

TEST_CASE("exercises: the book's page has them as they are") {
  const bool same = read_bytes(source_root() + "/docs/made/results/exercises.json") == registry();
  CHECK_MESSAGE(same, "./examples/run exercises registry >docs/made/results/exercises.json, and ./docs/run --write");
  const auto sourced =
      std::count_if(all_published().begin(), all_published().end(), [](const Published& one) { return !one.source.empty(); });
  CHECK(sourced >= 90);
}
