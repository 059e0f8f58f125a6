#include <limits>

#include "core/core.h"
#include "core/inspect/trace.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;
using inspect::Trace;

namespace {

// A trace with something of everything.
Trace rich_trace() {
  const Tensor table = tensor({{1, 2}, {3, 4}, {5, 6}}, DType::f64).set_requires_grad();
  const Tensor bias = tensor({0.5, -1}, DType::f64).set_requires_grad();
  const Tensor lost = tensor(1).set_requires_grad();
  inspect::CallLog log;
  log.enter("", "Model");
  const Tensor x = index_select(table, 0, tensor({2, 0, 2}, DType::i64)) + bias;
  log.enter("layer", "Layer(2)");
  const Tensor y = sum(tanh(x) * expand(randn({1, 1}, DType::f64), {3, 2}));
  log.leave();
  const Trace trace = inspect::trace(y, {.title = "\"a\" → b",
                                         .names = {{"bias", bias}, {"lost", lost}},
                                         .dimensions = {{"C", 2}},
                                         .whole = 5,
                                         .create_graph = true,
                                         .naive = true});
  log.leave();
  return trace;
}

}  // namespace

TEST_CASE("trace: as JSON and back it is the same, to the letter") {
  const Trace trace = rich_trace();
  const std::string text = inspect::json(trace);
  const Trace again = inspect::read_trace(text);
  CHECK(inspect::json(again) == text);
  CHECK(again.title == "\"a\" → b");
  CHECK(again.dimensions.at("C") == 2);
  CHECK(again.unreached == std::vector<std::string>{"lost"});
  CHECK(again.naive->visits == trace.naive->visits);
  CHECK(again.tensors.size() == trace.tensors.size());
  CHECK(again.walk.size() == trace.walk.size());
  CHECK(again.ops.at("add").formulas == std::vector<std::string>{"y = a + b", "dL/da = dL/dy", "dL/db = dL/dy"});
}

TEST_CASE("trace: numbers in JSON are as short as their dtype allows, and come back the same") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto values_of = [](const Tensor& x) {
    const std::string text = inspect::json(inspect::trace(sum(x)));
    const auto from = text.find("\"all\":[") + 7;
    return text.substr(from, text.find(']', from) - from);
  };
  const auto leaf = [](const Nested& values, DType dtype) { return tensor(values, dtype).set_requires_grad(); };
  CHECK(values_of(leaf({0.1, -3, 1e-30, 16777216}, DType::f32)) == "0.1,-3,1e-30,16777216");
  CHECK(values_of(leaf({0.1, 1.0 / 3, 1e300}, DType::f64)) == "0.1,0.3333333333333333,1e+300");
  CHECK(values_of(leaf({0.1, 65504, 5.96e-8}, DType::f16)) == "0.1,65504,6e-08");
  CHECK(values_of(leaf({nan, inf, -inf, -0.0}, DType::f32)) == "\"nan\",\"inf\",\"-inf\",-0.0");
  const Tensor draws = randn({60}).set_requires_grad();
  const Trace again = inspect::read_trace(inspect::json(inspect::trace(sum(draws))));
  const std::vector<double>& all = again.tensor(draws.number()).values.all;
  for (int64_t i = 0; i < 60; ++i) CHECK(static_cast<float>(all[static_cast<std::size_t>(i)]) == draws.data<float>()[i]);
}

TEST_CASE("trace: a tensor is of the innermost call that made it; what is still open lasts") {
  const Trace trace = rich_trace();
  REQUIRE(trace.modules.size() == 2);
  CHECK(trace.modules[1].path == "layer");
  CHECK(trace.modules[1].type == "Layer(2)");
  for (const inspect::TracedTensor& x : trace.tensors) {
    if (x.kind != inspect::TracedTensor::Kind::op || x.of_walk) {
      CHECK(x.module == -1);
    } else {
      CHECK(x.module == (x.op == "index_select" || x.op == "add" ? 0 : 1));
    }
  }
}

TEST_CASE("read_trace: what is not a trace of this version is refused with the place") {
  const std::string text = inspect::json(rich_trace());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    REQUIRE(mentions(changed, from));
    return inspect::read_trace(changed.replace(changed.find(from), from.size(), to));
  };
  CHECK_THROWS_WITH_AS(inspect::read_trace("[1"), doctest::Contains("read_trace: this is no trace: parse error at line 1, column 3"),
                       ValueError);
  CHECK_THROWS_WITH_AS(inspect::read_trace("{}"), "read_trace: this is not a trace of Gradus", ValueError);
  CHECK_THROWS_WITH_AS(with("\"gradus_trace\": 1", "\"gradus_trace\": 2"), doctest::Contains("version 2 of the form is not known"),
                       ValueError);
  CHECK_THROWS_WITH_AS(with("\"outputs\"", "\"outputz\""), doctest::Contains("'outputs' not found"), ValueError);
  CHECK_THROWS_WITH_AS(with("\"kind\":\"leaf\"", "\"kind\":\"lief\""), doctest::Contains("no such kind: 'lief'"), ValueError);
  CHECK_THROWS_WITH_AS(with("{\"all\":[0.5,-1]}", "{\"all\":[0.5]}"), doctest::Contains("1 values for the shape [2]"), ValueError);
  CHECK_THROWS_WITH_AS(with("{\"all\":[0.5,-1]}", "{\"all\":[0.5,\"one\"]}"), doctest::Contains("a number was expected, not 'one'"),
                       ValueError);
  CHECK_THROWS_WITH_AS(with("\"walk\": [\n{\"tensor\":", "\"walk\": [\n{\"tensor\":9"), doctest::Contains("there is no tensor #9"),
                       ValueError);
}

TEST_CASE("read_trace: a naive walk of fewer visits than arrivals is refused") {
  const Tensor a = tensor(2, DType::f64).set_requires_grad();
  std::string text = inspect::json(inspect::trace(a * a, {.naive = true}));
  const std::size_t visits = text.find("\"visits\":3");
  REQUIRE(visits != std::string::npos);
  for (const char* fewer : {"1", "-1", "-9223372036854775808"}) {
    CHECK_THROWS_WITH_AS(inspect::read_trace(std::string(text).replace(visits + 9, 1, fewer)),
                         fmt::format("read_trace: naive: {} visits with 3 arrivals", fewer).c_str(), ValueError);
  }
  CHECK(inspect::read_trace(text.replace(visits + 9, 1, "4")).naive->visits == 4);
}

TEST_CASE("read_trace: what names no tensor, or is out of order, is refused before anybody walks it") {
  const Tensor a = tensor(2, DType::f64).set_requires_grad();
  const Tensor y = a * a;
  const std::string text = inspect::json(inspect::trace(y));
  const std::string inputs = fmt::format("\"inputs\":[{0},{0}]", a.number());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    REQUIRE(mentions(changed, from));
    return inspect::read_trace(changed.replace(changed.find(from), from.size(), to));
  };
  CHECK_THROWS_WITH_AS(with(inputs, fmt::format("\"inputs\":[{0},{0}]", y.number())), doctest::Contains("which is not older"), ValueError);
  CHECK_THROWS_WITH_AS(with(inputs, "\"inputs\":[999999999999]"), doctest::Contains("is not older"), ValueError);
  CHECK_THROWS_WITH_AS(with("\"input\":0", "\"input\":7"), doctest::Contains("delivers to input 7 of 2"), ValueError);
  CHECK_THROWS_WITH_AS(with("\"requires_grad\":true", "\"module\":3"), doctest::Contains("is of module 3 of 0"), ValueError);
  CHECK_THROWS_WITH_AS(with("\"walk\": [", "\"walk\": [[1],"), doctest::Contains("read_trace:"), ValueError);
  CHECK_THROWS_WITH_AS(with("\"shape\":[]", "\"shape\":[1,1,1,1,1,1,1]"), doctest::Contains("read_trace: shape"), ValueError);
  for (const char* number : {"1.5", "-1", "1e300", "18446744073709551616", "\"1\"", "[1]"}) {
    CAPTURE(number);
    CHECK_THROWS_WITH_AS(with("\"number\":", fmt::format("\"number\":{},\"was\":", number)),
                         doctest::Contains("read_trace: a whole number was expected, not"), ValueError);
  }
  CHECK_THROWS_WITH_AS(with("\"input\":0", "\"input\":2147483648"), doctest::Contains("a whole number was expected"), ValueError);
  CHECK_THROWS_WITH_AS(with("\"shape\":[]", "\"shape\":[1e300]"), doctest::Contains("a whole number was expected"), ValueError);
  CHECK_THROWS_WITH_AS(with("\"outputs\": [", "\"dimensions\": {\"B\": 0.5},\n\"outputs\": ["),
                       doctest::Contains("a whole number was expected, not 0.5"), ValueError);
  CHECK_THROWS_WITH_AS(with("\"outputs\": [", "\"dimensions\": [2],\n\"outputs\": ["),
                       doctest::Contains("an object was expected, not array"), ValueError);
  CHECK_THROWS_WITH_AS(inspect::read_trace(text + std::string("\0 hidden", 8)), "read_trace: the JSON holds a zero byte", ValueError);
  const std::string deep(100'000, '[');
  CHECK_THROWS_WITH_AS(with("\"modules\": []", "\"modules\": " + deep), "read_trace: the JSON is nested too deep", ValueError);
}

TEST_CASE("trace: a name that is no UTF-8 is written with replacement characters") {
  const Tensor a = tensor(2).set_requires_grad();
  const std::string text = inspect::json(inspect::trace(a * a, {.title = "\xff",
                                                                .names = {{"\xfe"
                                                                           "a",
                                                                           a}}}));
  CHECK(inspect::read_trace(text).tensor(a.number()).name == "\uFFFDa");
}

TEST_CASE("trace: a file is written whole, and read again") {
  const TemporaryDirectory folder;
  const Trace trace = rich_trace();
  inspect::write_json(folder.file("walk.json"), trace);
  CHECK(inspect::json(inspect::load_trace(folder.file("walk.json"))) == inspect::json(trace));
  CHECK_THROWS_WITH_AS(inspect::load_trace(folder.file("none.json")), doctest::Contains("none.json"), IoError);
  CHECK_THROWS_WITH_AS(inspect::write_json(folder.file("none/walk.json"), trace), doctest::Contains("none"), IoError);
}
