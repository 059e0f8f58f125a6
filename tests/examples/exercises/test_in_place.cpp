// A student's function in the language model: with the project's answers it learns as with the library's parts.
#include "examples/exercises/in_place/seams.h"

#include "tests/examples/exercises/answers.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::exercises;
using namespace gradus::test;

TEST_CASE("exercises in place: with each answer the losses are the library's, and fall") {
  int places = 0;
  for (const Answer& answer : answers()) {
    if (!has_place(answer.id)) continue;
    CAPTURE(answer.id);
    ++places;
    const InPlace result = in_place(answer.id, answer.functions, 12);
    CHECK_MESSAGE(result.same, "step ", result.step, ": ", result.mine, " for ", result.library, ", first ", result.first);
    CHECK(result.library < 5.4);
  }
  CHECK(places >= 8);
}

TEST_CASE("exercises in place: what differs first is named") {
  const Functions twice = {[](const Probe& p) {
                             Outputs y = {p["x"]};
                             y[0].name = "y";
                             return y;
                           },
                           [](const Probe& p) { return Outputs{p["g"], p["gain"]}; }};
  const InPlace result = in_place("rms-norm", twice, 3);
  CHECK_FALSE(result.same);
  CHECK(result.step == 1);
  CHECK(result.first == "block 0, norm 1");
}
