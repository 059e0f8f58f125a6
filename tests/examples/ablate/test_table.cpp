// The table of an ablation, of losses that are given: order, differences in spreads, what is grey, what is told; the CSV and
// the JSON say the same.
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "examples/ablate/table.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

Measured measured(const std::string& name, const std::vector<double>& losses) {
  Measured result{.variation = {.values = {name}, .name = name, .cell = small_model(10), .parameters = 12345}, .tuned = {}, .outcomes = {}};
  for (const double loss : losses) {
    Outcome& outcome = result.outcomes.emplace_back();
    outcome.loss = loss;
    outcome.gradients_before = {1, 2};
    outcome.lengths = {{8, loss}, {16, loss + 1}, {32, NAN, "no \"rows\", none"}};
    if (!std::isnan(loss)) outcome.gradients_after = {2, 1}, outcome.curve = {{1, 2}, {5, loss}};
  }
  return result;
}

// σ of the baseline is 0.1 exactly, its mean 2.
std::vector<Measured> six() {
  return {measured("base", {1.9, 2.0, 2.1}),    measured("worse", {2.3, 2.41, 2.5}),   measured("near", {1.8, 1.91, 2.0}),
          measured("same", {1.95, 2.05, 2.12}), measured("odd, one", {1.0, 2.0, 2.1}), measured("broken", {2.0, NAN, 2.0})};
}

Plan plan_of_six() {
  return {.preset = "",
          .given = {{"norm", {"base", "worse", "near", "same", "odd, one", "broken"}}, {"steps", {"10"}}},
          .show = {"curves", "lengths", "gradients"},
          .out = ""};
}

const Row& row_of(const ResultTable& table, std::string_view name) {
  for (const Row& row : table.rows) {
    if (row.of->variation.name == name) return row;
  }
  throw ValueError(fmt::format("no row {}", name));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The columns of the text as it is seen: characters, not bytes.
std::size_t columns_of(const std::string& line) {
  std::size_t count = 0;
  for (const char c : line) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("table: by mean loss, one that diverged at the end; differences in the spread of the baseline's seeds") {
  const std::vector<Measured> all = six();
  const ResultTable table = table_of(all);
  std::vector<std::string> names;
  for (const Row& row : table.rows) names.push_back(row.of->variation.name);
  CHECK(names == std::vector<std::string>{"odd, one", "near", "base", "same", "worse", "broken"});
  CHECK(table.comparisons == 5);
  CHECK(row_of(table, "worse").in_spreads == doctest::Approx(4.0333333));
  CHECK(row_of(table, "near").in_spreads == doctest::Approx(-0.9666667));
  CHECK(std::isnan(row_of(table, "broken").in_spreads));
}

TEST_CASE("table: p, times the comparisons, decides; within two spreads a difference is small and grey, significant or not") {
  const std::vector<Measured> all = six();
  const ResultTable table = table_of(all);
  CHECK(said_of(table, row_of(table, "base")) == "baseline");
  CHECK(said_of(table, row_of(table, "near")) == "slightly lower");  // by 0.1, 0.09, 0.1
  CHECK(said_of(table, row_of(table, "same")) == "no difference seen");
  CHECK(shown_difference(row_of(table, "near")) == "≈ −1.0");
  CHECK(said_of(table, row_of(table, "worse")) == "higher");
  CHECK(shown_difference(row_of(table, "worse")) == "+4.0");
  CHECK(said_of(table, row_of(table, "odd, one")) == "not significant");  // 3 σ, of one seed alone
  CHECK(said_of(table, row_of(table, "broken")) == "diverged");
  CHECK(shown_loss(row_of(table, "broken")) == "diverged 1/3");
  const Row& worse = row_of(table, "worse");  // differences 0.4, 0.41, 0.4: t = 121, two degrees of freedom
  CHECK(worse.difference.p == doctest::Approx(1 - 121 / std::sqrt(121.0 * 121 + 2)).epsilon(1e-6));
  CHECK(worse.p == doctest::Approx(5 * worse.difference.p));
  CHECK(row_of(table, "odd, one").p == 1);  // five times 0.42
}

TEST_CASE("table: lower by the same rule; fewer than three seeds are too few") {
  const std::vector<Measured> better{measured("base", {1.9, 2.0, 2.1}), measured("better", {1.5, 1.61, 1.7})};
  const ResultTable three = table_of(better);
  CHECK(said_of(three, three.rows[0]) == "lower");
  const std::vector<Measured> one{measured("base", {1.9}), measured("better", {1.5})},
      two{measured("base", {1.9, 2.0}), measured("better", {1.5, 1.6})};
  for (const auto* few : {&one, &two}) {
    const ResultTable table = table_of(*few);
    CHECK(said_of(table, table.rows[0]) == "too few seeds");
  }
  Plan plan = plan_of_six();
  plan.seeds = 1;
  const std::string text = terminal_table(plan, table_of(one));
  CHECK(text.find("Fewer than three seeds are too few") != std::string::npos);
  CHECK(text.find("nan") == std::string::npos);
}

TEST_CASE("table: what is not below its own line of pairs has not trained, and is compared with nothing") {
  const auto with_line = [](std::vector<Measured> all, double line) {
    for (Measured& one : all) one.pairs = line;
    return all;
  };
  const std::vector<Measured> three{measured("base", {1.9, 2.0, 2.1}), measured("dead", {3.43, 3.44, 3.42}),
                                    measured("worse", {2.3, 2.41, 2.5})};
  std::vector<Measured> all = with_line(three, 3.4);
  const ResultTable table = table_of(all);
  CHECK(table.comparisons == 1);
  CHECK(said_of(table, row_of(table, "dead")) == "has not trained");
  CHECK(said_of(table, row_of(table, "worse")) == "higher");
  CHECK(shown_difference(row_of(table, "dead")) == "–");
  CHECK(std::isnan(row_of(table, "dead").difference.mean));
  CHECK(terminal_table(plan_of_six(), table).find("†: has not trained") != std::string::npos);
  const std::vector<Measured> both = with_line({three[1], measured("dead, too", {3.41, 3.40, 3.42}), three[0]}, 3.4);
  const ResultTable nothing = table_of(both);
  CHECK(said_of(nothing, row_of(nothing, "dead")) == "has not trained");
  CHECK(said_of(nothing, row_of(nothing, "dead, too")) == "has not trained");
  CHECK(said_of(nothing, row_of(nothing, "base")) == "the baseline has not trained");
  all[2].pairs = 2.4;  // that of its own windows
  CHECK(said_of(table_of(all), row_of(table_of(all), "worse")) == "has not trained");
  CHECK(said_of(table_of(three), row_of(table_of(three), "dead")) != "has not trained");
}

TEST_CASE("table: in the terminal at most 80 columns, long names too, and what is at an edge is said") {
  std::vector<Measured> all = six();
  all.push_back(measured("a name that is much too long, for a column, of a table", {2.2, 2.3, 2.4}));
  all[1].tuned.at_edge = true;
  const std::string text = terminal_table(plan_of_six(), table_of(all));
  for (const std::string& line : lines_of(text)) CHECK(columns_of(line) <= 80);
  CHECK(text.find("much too long, for a column, of a table\n") != std::string::npos);
  CHECK(text.find("*: at the edge") != std::string::npos);
  CHECK(terminal_table(plan_of_six(), table_of(six())).find("at the edge") == std::string::npos);
}

TEST_CASE("table: with equal time the steps and the ratio stand in the place of the parameters") {
  std::vector<Measured> all = six();
  all[1].ratio = 1.25;
  all[1].variation.cell.schedule.total = 480;
  Plan plan = plan_of_six();
  plan.equal = Equal::time;
  const ResultTable table = table_of(all);
  CHECK(shown_size(plan, row_of(table, "worse")) == "480 (1.25×)");
  CHECK(shown_size(plan_of_six(), row_of(table, "worse")) == "12,345");
}

TEST_CASE("files: a row for each variant, and for each run; what has a comma or a quotation mark is quoted") {
  const std::vector<Measured> all = six();
  const ResultTable table = table_of(all);
  const std::vector<std::string> variants = lines_of(table_csv(plan_of_six(), table)), runs = lines_of(runs_csv(plan_of_six(), table));
  REQUIRE(variants.size() == 7);
  CHECK(variants[0] ==
        "rank,variant,norm,parameters,d_ff,steps,time_ratio,rate,at_edge,seeds,diverged,mean,sigma,in_spreads,"
        "difference,p,p_corrected,said");
  CHECK(variants[1].find("1,\"odd, one\",\"odd, one\",12345,") == 0);
  CHECK(variants[4].find(",no difference seen") != std::string::npos);
  CHECK(variants[6].find(",nan,") != std::string::npos);
  REQUIRE(runs.size() == 19);
  CHECK(runs[0] == "variant,norm,seed,rate,steps,loss,loss_at_T,loss_at_2T,loss_at_4T");
  CHECK(runs[4] == "near,near,0,0.006,10,1.8,1.8,2.8,nan");
}

TEST_CASE("files: the JSON has the numbers of the table, each run, and the rule") {
  const std::vector<Measured> all = six();
  const ResultTable table = table_of(all);
  const auto json = nlohmann::json::parse(json_of(plan_of_six(), table, all, {"c", "m", "d", "e"}).dump());
  CHECK(json.at("variants").size() == 6);
  CHECK(json.at("variants")[4].at("in_spreads").get<double>() ==
        doctest::Approx(row_of(table, "worse").in_spreads).epsilon(1e-5));  // six digits
  CHECK(json.at("variants")[4].at("said") == "higher");
  CHECK(json.at("variants")[4].at("runs")[1].at("loss") == 2.41);
  CHECK(json.at("variants")[5].at("losses")[1] == "nan");
  CHECK(json.at("options").at("norm").size() == 6);
  CHECK(json.at("fixed_beforehand").dump().find("multiplied by the number of comparisons, 5,") != std::string::npos);
  CHECK(json.at("baseline").at("name") == "base");
  CHECK(json.at("made").at("commit") == "e");
  for (const auto& variant : json.at("variants")) {
    if (variant.at("name") == "near") CHECK(variant.at("p_corrected").get<double>() > variant.at("p").get<double>());
  }
}

TEST_CASE("table: a baseline, or all, that diverged is said") {
  for (const double other : {2.0, static_cast<double>(NAN)}) {
    const std::vector<Measured> all{measured("base", {NAN, NAN, NAN}), measured("other", {other, other, other})};
    const ResultTable table = table_of(all);
    CHECK(table.rows.back().diverged == 3);
    CHECK(terminal_table(plan_of_six(), table).find("diverged 3/3") != std::string::npos);
    CHECK(said_of(table, table.rows[0]) == (std::isnan(other) ? "baseline" : "too few seeds"));
  }
}
