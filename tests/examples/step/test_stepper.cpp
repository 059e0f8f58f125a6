// The stepper without a terminal: where keys lead, and what is true of each moment of a walk.
#include "examples/step/stepper.h"

#include "core/core.h"
#include "tests/examples/step/press.h"
#include "tests/examples/step/step_traces.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;
using Kind = Key::Kind;

namespace {

std::string called(const Stepper& stepper) {
  const auto& tensor = stepper.current();
  return tensor.name.empty() ? tensor.op : tensor.name;
}

std::vector<std::string> pending(const Replay& replay) {
  std::vector<std::string> names;
  for (const auto number : replay.pending()) {
    const auto& tensor = replay.trace().tensor(number);
    names.push_back(fmt::format("{} {}/{} {}", tensor.name.empty() ? tensor.op : tensor.name, replay.arrived(number),
                                replay.expected(number), replay.gradient(number)->all.at(0)));
  }
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("replay: the pending map in the engine's order, with the sums so far") {
  const inspect::Trace trace = shared_trace();
  Replay replay(trace);
  CHECK(trace.walk.size() == 7);
  CHECK(pending(replay) == Names{"add 1/1 1"});
  replay.go(1);  // its turn: taken off
  CHECK(pending(replay).empty());
  replay.go(replay.next_end());
  CHECK(pending(replay) == Names{"mul 1/1 1", "add 1/1 1"});
  replay.go(replay.next_end());
  CHECK(pending(replay) == Names{"add 1/1 1", "p 1/2 5", "s 1/2 6"});
  replay.go(replay.next_end());
  CHECK(pending(replay) == Names{"p 2/2 6", "s 2/2 7"});
  replay.go(replay.next_end());
  CHECK(pending(replay) == Names{"s 2/2 7", "v 1/2 12", "u 1/2 18"});
  replay.go(replay.next_end());
  CHECK(pending(replay) == Names{"v 2/2 19", "u 2/2 25"});
  replay.go(SIZE_MAX);
  CHECK(replay.over());
  CHECK(pending(replay).empty());
  CHECK(replay.next_end() == replay.last_moment());
}

TEST_CASE("replay: back is the same as never having gone on") {
  const inspect::Trace trace = shared_trace();
  std::vector<Names> on;
  Replay replay(trace);
  for (std::size_t i = 0; i <= replay.last_moment(); ++i) {
    replay.go(i);
    on.push_back(pending(replay));
  }
  for (std::size_t i = replay.last_moment() + 1; i-- > 0;) {
    replay.go(i);
    CHECK(pending(replay) == on[i]);
  }
  CHECK(replay.previous_end() == 0);
}

TEST_CASE("stepper: n and p go by visits, d and D by deliveries, Home and End to the ends") {
  const inspect::Trace trace = shared_trace();
  Stepper stepper(trace);
  CHECK(stepper.replay().visit() == nullptr);
  press(stepper, "n");
  CHECK(stepper.replay().visit_index() == 0);
  CHECK(stepper.replay().delivered() == 2);
  press(stepper, "d");
  CHECK(called(stepper) == "mul");
  CHECK(stepper.replay().delivered() == 0);
  press(stepper, "dd");
  CHECK(stepper.replay().delivered() == 2);
  press(stepper, "D");
  CHECK(stepper.replay().delivered() == 1);
  press(stepper, "n");  // to the end of this one
  CHECK(stepper.replay().visit_index() == 1);
  CHECK(stepper.replay().delivered() == 2);
  press(stepper, "p");
  CHECK(stepper.replay().visit_index() == 0);
  press(stepper, "pp");
  CHECK(stepper.replay().moment() == 0);
  CHECK(stepper.message() == "this is the beginning");
  for (const Kind kind : {Kind::right, Kind::down, Kind::enter}) stepper.press({kind});
  CHECK(stepper.replay().visit_index() == 2);
  for (const Kind kind : {Kind::left, Kind::up}) stepper.press({kind});
  CHECK(stepper.replay().visit_index() == 0);
  stepper.press({Kind::end});
  CHECK(stepper.replay().over());
  press(stepper, "n");
  CHECK(stepper.message() == "the walk is over");
  press(stepper, "d");
  CHECK(stepper.message() == "the walk is over");
  stepper.press({Kind::home});
  CHECK(stepper.replay().moment() == 0);
}

TEST_CASE("stepper: c goes on to the next visit that meets a condition") {
  const inspect::Trace trace = shared_trace();
  Stepper stepper(trace);
  press(stepper, "cop=mul\n");
  CHECK(called(stepper) == "mul");
  press(stepper, "c\n");  // the same again
  CHECK(called(stepper) == "p");
  press(stepper, "c\n");
  CHECK(stepper.message() == "no later visit has op=mul; the last was visit 4, this one");
  CHECK(called(stepper) == "p");
  press(stepper, "cname=u\n");
  CHECK(called(stepper) == "u");
  press(stepper, "c op=add\n");
  CHECK(stepper.message() == "no later visit has  op=add; the last was visit 5");
  stepper.press({Kind::home});
  press(stepper, "c|g|>6.5\n");
  CHECK(called(stepper) == "s");
  press(stepper, "cnan\n");
  CHECK(stepper.message() == "no later visit has nan");
  press(stepper, "cop=mull\n");
  CHECK(stepper.message() == "no later visit has op=mull; the nearest op is mul");
  press(stepper, "cfoo\n");
  CHECK(stepper.message() == "'foo' is none of: op=mul  name=u  nan  zero  |g|>5");
  for (const char* bad : {"|g|>", "|g|>x", "op=", "name=", "g>5", "|g|>5x"}) {
    CHECK_THROWS_AS(Condition{bad}, ValueError);
  }
  const inspect::Trace broken = trace_of("log(x) * 0 + tanh(y)*0", {{"x", "-1"}, {"y", "3"}});
  Stepper other(broken);
  press(other, "czero\n");
  CHECK(called(other) == "tanh");
  other.press({Kind::home});
  const inspect::Trace infinite = trace_of("sqrt(x) * 2", {{"x", "0"}});
  Stepper third(infinite);
  press(third, "cnan\n");
  CHECK(called(third) == "x");
}

TEST_CASE("stepper: u goes to the turn of a tensor by name or number, back as well") {
  const inspect::Trace trace = shared_trace();
  Stepper stepper(trace);
  press(stepper, "us\n");
  CHECK(called(stepper) == "s");
  press(stepper, fmt::format("u#{}\n", trace.outputs[0]));
  CHECK(stepper.replay().visit_index() == 0);
  CHECK(stepper.message() == "back: its turn was visit 1");
  press(stepper, "us\nus\n");
  CHECK(stepper.message() == "you are there");
  CHECK(called(stepper) == "s");
  press(stepper, fmt::format("u#{}\n", trace.outputs[0]));
  press(stepper, "uq");
  CHECK(stepper.question() == Stepper::Question::tensor);
  CHECK_FALSE(stepper.quit());  // q is a letter there
  stepper.press({Kind::backspace});
  press(stepper, "x\n");
  CHECK(stepper.message().rfind("the walk visits no tensor 'x'; the nearest name is", 0) == 0);
  press(stepper, "uabc");
  stepper.press({Kind::escape});
  CHECK(stepper.question() == Stepper::Question::none);
  CHECK(stepper.replay().visit_index() == 0);
}

TEST_CASE("stepper: pages open and close, scroll, and step on while they are open") {
  const inspect::Trace trace = shared_trace();
  Stepper stepper(trace);
  using Page = Stepper::Page;
  for (const auto& [letter, page] :
       {std::pair{"v", Page::values}, {"f", Page::code}, {"s", Page::inside}, {"w", Page::naive}, {"?", Page::help}}) {
    press(stepper, letter);
    CHECK(stepper.page() == page);
    press(stepper, letter);
    CHECK(stepper.page() == Page::walk);
    press(stepper, letter);
    press(stepper, "q");
    CHECK(stepper.page() == Page::walk);
    CHECK_FALSE(stepper.quit());
    press(stepper, letter);
    stepper.press({Kind::escape});
    CHECK(stepper.page() == Page::walk);
  }
  press(stepper, "vn");
  CHECK(stepper.page() == Page::values);
  CHECK(stepper.replay().visit_index() == 0);
  for (int i = 0; i < 3; ++i) stepper.press({Kind::down});
  stepper.press({Kind::right});
  CHECK(stepper.row() == 3);
  CHECK(stepper.column() == 1);
  stepper.limit_scroll(2, 0);
  CHECK(stepper.row() == 2);
  CHECK(stepper.column() == 0);
  press(stepper, "n");
  CHECK(stepper.row() == 0);
  press(stepper, "f");
  CHECK(stepper.page() == Page::code);
  press(stepper, "qq");
  CHECK(stepper.quit());
}

TEST_CASE("stepper: a key without a meaning says so") {
  const inspect::Trace trace = shared_trace();
  Stepper stepper(trace);
  press(stepper, "x");
  CHECK(stepper.message() == "'x' is no key here; ? names them");
}

TEST_CASE("stepper: a walk of 100,000 visits goes to its end, back and to a tensor") {
  const inspect::Trace trace = chain_trace(100'000);
  Stepper stepper(trace);
  stepper.press({Kind::end});
  CHECK(stepper.replay().over());
  press(stepper, "u50000\n");
  CHECK(stepper.current().number == 50'000);
  stepper.press({Kind::home});
  press(stepper, "cname=x\n");
  CHECK(stepper.replay().over());
}

TEST_CASE("keys: escape sequences, in pieces too, and the escape key alone") {
  const auto kinds = [](std::string bytes, bool silent) {
    std::vector<int> found;
    for (const Key& k : take_keys(bytes, silent)) found.push_back(static_cast<int>(k.kind));
    return found;
  };
  const auto n = [](Kind kind) { return static_cast<int>(kind); };
  CHECK(kinds("\x1b[A\x1bOBn\r\x7f", false) ==
        std::vector<int>{n(Kind::up), n(Kind::down), n(Kind::character), n(Kind::enter), n(Kind::backspace)});
  CHECK(kinds("\x1b[1~\x1b[F\x1b[5~\x1b[6~", false) == std::vector<int>{n(Kind::home), n(Kind::end), n(Kind::page_up), n(Kind::page_down)});
  CHECK(kinds("\x1b", false).empty());
  CHECK(kinds("\x1b", true) == std::vector<int>{n(Kind::escape)});
  CHECK(kinds("\x1b[1;5Cn\x01", false) == std::vector<int>{n(Kind::character)});  // Ctrl-right and Ctrl-A mean nothing
  std::string bytes = "\x1b[";
  CHECK(take_keys(bytes, false).empty());
  bytes += "D";
  CHECK(take_keys(bytes, false).at(0).kind == Kind::left);
  CHECK(bytes.empty());
  bytes = "θ";
  CHECK(take_keys(bytes, false).at(0).is("θ"));
}
