// What the stepper draws: always as wide and as high as the terminal, and the right things in it.
#include "examples/step/screen.h"

#include <algorithm>

#include "examples/shared/terminal/columns.h"
#include "examples/step/rule.h"
#include "examples/step/words.h"
#include "tests/examples/step/press.h"
#include "tests/examples/step/step_traces.h"
#include "tests/support/check.h"
#include "tests/support/sample.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

std::string text_of(const Lines& lines) {
  std::string text;
  for (const StyledLine& line : lines) text += line.text() + "\n";
  return text;
}

std::string drawn(const Stepper& stepper, ScreenSize size = kLeastScreen, bool ascii = false) {
  return text_of(draw(stepper, size, ascii).lines);
}

bool fits(const StyledLine& line, ScreenSize size, bool ascii) {
  const std::string text = line.text();
  return columns(text) == size.columns && (!ascii || std::none_of(text.begin(), text.end(), [](char c) { return c < 0; }));
}

}  // namespace

TEST_CASE("columns: wide characters take two, combining marks none; clipping and ASCII") {
  CHECK(columns("a−∂⊙└") == 5);
  CHECK(columns("漢字") == 4);
  CHECK(columns("x̂") == 1);
  CHECK(columns("\U0001f600") == 2);
  CHECK(columns("\xff\xe2") == 2);
  CHECK(clip("漢字", 3) == "漢…");
  CHECK(clip("漢字", 2) == "…");
  CHECK(clip("abc", 3) == "abc");
  CHECK(clip("abcd", 3, true) == "ab~");
  CHECK(clip("abcd", 0) == "");
  CHECK(to_ascii("a ⊙ bᵀ → −√x²漢") == "a * b^T -> -sqrtx^2?");
  CHECK(StyledLine("漢字").fitted(3, false).width() == 3);
  CHECK(StyledLine(Role::value, "ab").add("cd").fitted(3, false).text() == "ab…");
  CHECK(StyledLine(Role::value, "ab").add("cd").fitted(2, false).text() == "a…");
  CHECK(StyledLine(Role::value, "ab").add("cd").fitted(4, false).text() == "abcd");
  CHECK(StyledLine(Role::gradient, "1").add(" x").coloured() == "\x1b[33m1\x1b[0m x");
}

TEST_CASE("words: numbers with five digits, arrays while there is room, then what can be said of them") {
  CHECK(number(0) == "0");
  CHECK(number(-0.0) == "0");
  CHECK(number(-1.5) == "−1.5");
  CHECK(number(1.0 / 3) == "0.33333");
  CHECK(number(HUGE_VAL) == "∞");
  CHECK(number(-HUGE_VAL) == "−∞");
  CHECK(number(std::nan("")) == "NaN");
  CHECK(brief({.shape = {2, 2}, .all = {1, 2, 3, 4}}) == "[[1, 2], [3, 4]]");
  CHECK(brief({.shape = {2, 2}, .all = {1, 2, 3, 4}}, 10) == "rms 2.74");
  CHECK(brief({.shape = {200}, .all = std::vector<double>(200, 2)}, 20) == "[200] rms 2");
  CHECK(brief({.shape = {3}, .all = {0, 0, 0}}, 5) == "zeros");
  CHECK(brief({.shape = {3}, .all = {std::nan(""), 3, HUGE_VAL}}, 5) == "NaN 1× ∞ 1× rms 3");
  CHECK(brief({.shape = {0}}) == "[]");
}

TEST_CASE("text: lines break between arrays, and inside of one only where it is longer than a line") {
  const StyledLine line = StyledLine("dL/dy = ").add(Role::gradient, "[[1, 2], [3, 4]]").add(" and more");
  CHECK(text_of(wrapped(line, 20, 2)) == "dL/dy =\n  [[1, 2], [3, 4]]\n  and more\n");
  CHECK(text_of(wrapped(line, 14, 2)) == "dL/dy = [[1,\n  2], [3, 4]]\n  and more\n");
}

TEST_CASE("words: a long name loses its head") {
  const inspect::TracedTensor leaf{.number = 47, .kind = inspect::TracedTensor::Kind::leaf, .name = "blocks.0.norm1.gain"};
  CHECK(called(leaf).text() == "#47 blocks.0.norm1.gain");
  CHECK(called(leaf, 15).text() == "#47 …norm1.gain");
  CHECK(called(leaf, 1).text() == "#47 …norm1.gain");
  const inspect::TracedTensor endless{// in a time that grows as the name does, or this would take minutes
                                      .number = 47,
                                      .kind = inspect::TracedTensor::Kind::leaf,
                                      .name = std::string(1'000'000, 'a')};
  CHECK(called(endless, 16).text() == "#47 …" + std::string(11, 'a'));
}

TEST_CASE("words: a formula with numbers is arithmetic, or nothing") {
  const std::map<std::string, std::string> numbers{{"a", "0.5"}, {"b", "−2"}, {"y", "−1"}, {"dL/dy", "3"}};
  CHECK(with_numbers("dL/dy ⊙ b", numbers) == "3 ⊙ (−2)");
  CHECK(with_numbers("-dL/dy ⊙ y / b", numbers) == "-3 ⊙ (−1) / (−2)");
  CHECK(with_numbers("y²", numbers) == "(−1)²");
  CHECK(with_numbers("b", numbers) == "−2");
  CHECK(with_numbers("dL/dy ⊙ b ⊙ a^(b-1)", numbers) == "3 ⊙ (−2) ⊙ 0.5^((−2)-1)");
  CHECK(with_numbers("dL/dy ⊙ sin a", numbers) == "3 ⊙ sin 0.5");
  CHECK(with_numbers("dL/dy, repeated along the summed axes", numbers) == "");
  CHECK(with_numbers("2/√π", numbers) == "");
}

TEST_CASE("screen: at every moment, on every page, no line is wider than the terminal and none is missing") {
  const std::vector<inspect::Trace> traces{
      shared_trace(true), trace_of("tanh(w*x+b)^2", {{"w", "0.5"}, {"x", "2"}, {"b", "-1"}}, true),
      trace_of("sum(softmax(x @ w) * [1, 0]) + b", {{"x", "[1, 2]"}, {"w", "[[1, 0], [0.5, -1]]"}, {"b", "[1, 2]"}}, true),
      trace_of("logsumexp(x * θ) / std(x)", {{"x", "[[1,2,3],[4,5,6]]"}, {"θ", "-1e-9"}}), chain_trace(300)};
  Sample screens(4);
  for (const inspect::Trace& trace : traces) {
    for (const ScreenSize size : {ScreenSize{80, 24}, ScreenSize{120, 40}, ScreenSize{81, 25}, ScreenSize{60, 10}, ScreenSize{1, 1}}) {
      for (const char* keys : {"", "v", "f", "s", "w", "?", "c", "x"}) {
        Stepper stepper(trace);
        for (std::size_t moment = 0; moment <= std::min<std::size_t>(stepper.replay().last_moment(), 30); ++moment) {
          press(stepper, keys);
          for (const bool ascii : {false, true}) {
            if (!screens.takes_next()) continue;
            const Screen screen = draw(stepper, size, ascii);
            CHECK(screen.lines.size() == size.rows);
            CHECK(std::all_of(screen.lines.begin(), screen.lines.end(), [&](const StyledLine& line) { return fits(line, size, ascii); }));
          }
          stepper.press({Key::Kind::escape});
          press(stepper, "d");
        }
      }
    }
  }
}

TEST_CASE("screen: a visit shows its rule with numbers, the sums, the pending map and the leaves") {
  const inspect::Trace trace = shared_trace();
  Stepper stepper(trace);
  CHECK(mentions(drawn(stepper), "the seed"));
  press(stepper, "nnn");
  const std::string text = drawn(stepper);
  CAPTURE(text);
  CHECK(mentions(text, "visit 3 of 7"));
  CHECK(mentions(text, "s add: 6 + 1 = 7, complete"));
  CHECK(mentions(text, "p add") == false);
  CHECK(mentions(text, "y = a + b"));
  CHECK(mentions(text, "core/ops/arithmetic.cpp:"));
  CHECK(mentions(text, "[](const Step& step) { return step.grad; }"));
  CHECK(mentions(text, "dL/du = nothing yet  0 of 2"));
  CHECK(text.find("p mul  6  2 of 2") < text.find("s add  7  2 of 2"));
  CHECK(mentions(text, "↑ #"));
  press(stepper, "d");
  CHECK(mentions(drawn(stepper), "delivery 0 of 2"));
  CHECK(mentions(drawn(stepper), "mul's a = u = 2, b = v = 3, y = 6, dL/dy = 6"));
  CHECK(mentions(drawn(stepper), "· to u: dL/da = dL/dy ⊙ b = 6 ⊙ 3 "));
  CHECK(mentions(drawn(stepper), "u: nothing so far"));
  CHECK_FALSE(mentions(drawn(stepper), "= 18"));  // before it is delivered
  press(stepper, "d");
  CHECK(mentions(drawn(stepper), "✓ to u: dL/da = dL/dy ⊙ b = 6 ⊙ 3 = 18"));
  CHECK(mentions(drawn(stepper), "the first of 2: 18"));
  stepper.press({Key::Kind::end});
  CHECK(mentions(drawn(stepper), "dL/du = 25  complete  ✗ naive 29"));
  CHECK(mentions(drawn(stepper), "7 visits, each tensor once"));
  press(stepper, "w");
  CHECK(mentions(drawn(stepper), "15 arrivals, where the walk makes 7 visits"));
  CHECK(mentions(drawn(stepper), "what came first is handed on again."));
  CHECK(mentions(drawn(stepper), "  1.  the seed"));
}

TEST_CASE("screen: the pages show values, source and the rule's own ops") {
  const inspect::Trace trace = trace_of("sum(tanh(x))", {{"x", "[[1, -2, 3], [4, 5, 6]]"}}, true);
  Stepper stepper(trace);
  press(stepper, "ux\nv");
  CHECK(mentions(drawn(stepper), "   0 │   1  −2   3"));
  CHECK(mentions(drawn(stepper), "its gradient [2, 3]"));
  press(stepper, "v");
  stepper.press({Key::Kind::home});
  press(stepper, "cop=tanh\nf");
  CHECK(mentions(drawn(stepper), "dL/dx = dL/dy ⊙ (1 − y²)"));
  CHECK(mentions(drawn(stepper), "▸ "));
  press(stepper, "fs");
  CHECK(mentions(drawn(stepper, {120, 40}), "= dL/dy ⊙ (1 − y ⊙ y)"));
  const inspect::Trace without = shared_trace();
  Stepper other(without);
  press(other, "ns");
  CHECK(mentions(drawn(other), "create_graph = true"));
}

TEST_CASE("screen: what an op cuts off is named, with the op, and the leaves below it") {
  const inspect::Trace trace = trace_of("w*sign(x) + argmax(x)*0 + v*detach(w)", {{"w", "2"}, {"x", "[3, 1]"}, {"v", "5"}}, true);
  Stepper stepper(trace);
  const std::string text = drawn(stepper, {120, 40});
  CAPTURE(text);
  CHECK(mentions(text, "sign(x) constant"));
  CHECK(mentions(text, "detach(w) constant"));
  CHECK(mentions(text, "cut by sign, argmax: they pass no gradient on"));
  CHECK(trace.unreached.empty());
  stepper.press({Key::Kind::end});
  CHECK(mentions(drawn(stepper, {120, 40}), "dL/dw = 2 "));  // of sign(x) alone
  CHECK_FALSE(mentions(drawn(stepper, {120, 40}), "cut by detach"));
  const inspect::Trace again = inspect::read_trace(inspect::json(trace));
  CHECK(drawn(Stepper(again), {120, 40}) == text);
}

TEST_CASE("screen: a tape longer than its pane says so, and PgDn shows the rest; gradients are not cut") {
  const inspect::Trace chain = chain_trace(60);
  Stepper stepper(chain);
  CHECK(mentions(drawn(stepper), "↓ 4"));
  CHECK_FALSE(mentions(drawn(stepper), "#30 step"));
  for (int i = 0; i < 6; ++i) stepper.press({Key::Kind::page_down});
  CHECK(mentions(drawn(stepper), "#30 step"));
  CHECK(mentions(drawn(stepper), "↑ 30"));
  const inspect::Trace trace = trace_of("sum(tanh(x*w)*x)", {{"x", "[[0.123, 2.5], [3, 4]]"}, {"w", "0.7"}}, true);
  Stepper other(trace);
  other.press({Key::Kind::end});
  CHECK_FALSE(mentions(drawn(other), "…│"));
}

TEST_CASE("screen: a deep tape is shown around the current tensor") {
  const inspect::Trace trace = chain_trace(100'000);
  Stepper stepper(trace);
  press(stepper, "u50000\n");
  CHECK(mentions(drawn(stepper), "#50000 step"));
  CHECK(mentions(drawn(stepper), "visit 50002 of 100001"));
  CHECK_FALSE(mentions(drawn(stepper), "#100001"));
}

TEST_CASE("tree: what is used twice has one branch, and references") {
  const inspect::Trace trace = shared_trace();
  const Stepper stepper(trace);
  int references = 0;
  std::map<std::uint64_t, int> branches;
  for (const Tree::Row& row : stepper.tree().rows()) {
    references += row.reference;
    if (!row.reference) ++branches[row.number];
  }
  CHECK(branches.size() == 7);
  CHECK(std::all_of(branches.begin(), branches.end(), [](const auto& b) { return b.second == 1; }));
  CHECK(references == 4);  // a and b below p; s and p below s p
}
