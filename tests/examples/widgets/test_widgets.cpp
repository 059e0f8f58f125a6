#include <nlohmann/json.hpp>

#include <algorithm>

#include "examples/shared/report/decimal.h"
#include "examples/widgets/training.h"
#include "examples/widgets/widgets.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::widgets;
using Json = nlohmann::json;

namespace {

Json seen(const std::string& asked) {
  std::vector<Widget> all = lab();
  all.insert(all.end(), models().begin(), models().end());
  return Json::parse(answer(all, asked));
}

Json knob_of(const Json& seen, const std::string& name) {
  for (const Json& knob : seen.at("knobs")) {
    if (knob.at("name") == name) return knob;
  }
  return {};
}

std::vector<std::string> idle(const Json& seen) {
  std::vector<std::string> names;
  for (const Json& knob : seen.at("knobs")) {
    if (knob.contains("idle")) names.push_back(knob.at("name"));
  }
  return names;
}

using Names = std::vector<std::string>;

// A training that does nothing.
class Counted {
 public:
  explicit Counted(int options) : options_(options) { ++made; }

  int options() const { return options_; }
  std::int64_t step() const { return step_; }
  void take_step() { ++step_; }

  inline static int made = 0;

 private:
  int options_;
  std::int64_t step_ = 0;
};

}  // namespace

TEST_CASE("decimal: all of the text, and as it is written") {
  CHECK(examples::decimal("80") == 80.0);
  CHECK(examples::decimal("-1e-3") == -1e-3);
  for (const char* text : {"", " 1", "1 ", "0x10", "1e3junk", "inf", "nan", "1e999", "1,5", "-"}) {
    CAPTURE(text);
    CHECK_FALSE(examples::decimal(text).has_value());
  }
}

TEST_CASE("widgets: what is no number in an address is refused") {
  for (const char* text : {"0x10", "%201", "1e3junk", "", "1001"}) {
    CAPTURE(text);
    CHECK(seen(std::string("softmax?c=") + text).contains("error"));
  }
  CHECK_FALSE(seen("softmax?c=1e2").contains("error"));
}

TEST_CASE("widgets: a slider over several powers of ten stops where two digits are enough") {
  const std::vector<double> stops = knob_of(seen("norm?"), "shift").at("stops");
  CHECK(stops.front() == -1000);
  CHECK(stops.back() == 1000);
  CHECK(std::is_sorted(stops.begin(), stops.end()));
  CHECK(std::adjacent_find(stops.begin(), stops.end()) == stops.end());
  CHECK(stops.size() == 2 * 190 + 1);
  for (const double one : {-110, -100, -99, -1, 0, 80, 110}) CHECK(std::count(stops.begin(), stops.end(), one) == 1);
}

TEST_CASE("training_of: goes on where it is, until an answer is due; what is another training, or was earlier, starts anew") {
  const Knobs patient, hurried("", 1);
  const auto at = [](int options, std::int64_t step, const Knobs& knobs) { return training_of<Counted>(options, step, knobs).step(); };
  CHECK(at(1, 5, patient) == 5);
  const std::int64_t on_its_way = at(1, 1'000'000'000, hurried);
  CHECK(on_its_way > 5);
  CHECK(on_its_way < 1'000'000'000);
  CHECK(at(1, 1'000'000'000, hurried) == on_its_way + 1);  // it is late already, and still gets on
  CHECK(Counted::made == 1);
  CHECK(at(1, 3, patient) == 3);
  CHECK(Counted::made == 2);
  CHECK(at(2, 3, patient) == 3);
  CHECK(Counted::made == 3);
}

TEST_CASE("widgets: a knob that changes nothing says so") {
  CHECK(idle(seen("tape?")) == Names{"c", "model"});
  CHECK(idle(seen("tape?what=a%20model")) == Names{"c", "text"});
  CHECK(idle(seen("norm?")).empty());
  CHECK(idle(seen("norm?norm=center-only")) == Names{"eps"});
  CHECK(idle(seen("race?surface=banana&step=1")) == Names{"kappa", "seed"});
  CHECK(idle(seen("race?surface=noisy%20bowl&step=1&adam=0")) == Names{"lr", "beta2"});
}

TEST_CASE("widgets: the step of the tape ends with the walk") {
  CHECK(knob_of(seen("tape?"), "step").at("end") == 7);
  CHECK(knob_of(seen("tape?text=a*b"), "step").at("end") == 3);
  CHECK(seen("tape?text=a*b&step=20").at("step") == 3);
}
