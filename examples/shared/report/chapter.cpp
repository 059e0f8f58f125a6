#include "examples/shared/report/chapter.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/check.h"
#include "core/tensor/generator.h"
#include "examples/shared/report/json_text.h"
#include "examples/shared/report/page.h"
#include "examples/shared/report/printable.h"
#include "examples/shared/report/program.h"
#include "examples/shared/report/signals.h"

namespace gradus::examples {

namespace {

namespace fs = std::filesystem;
using Ordered = nlohmann::ordered_json;

// The place of a dotted path among the numbers, new.
Ordered& place(Ordered& numbers, const std::string& path) {
  Ordered* at = &numbers;
  for (std::size_t from = 0, dot = 0; dot != std::string::npos; from = dot + 1) {
    dot = path.find('.', from);
    at = &(*at)[path.substr(from, dot == std::string::npos ? dot : dot - from)];
    check<ValueError>(at->is_null() || (at->is_object() && dot != std::string::npos), "number '{}': the path is taken", path);
  }
  return *at;
}

Ordered as_json(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

template <typename T> Ordered as_json(const std::vector<T>& values) {
  Ordered list = Ordered::array();
  for (const T& value : values) list.push_back(as_json(value));
  return list;
}

double six_digits(double x) { return std::isfinite(x) ? std::strtod(fmt::format("{:.6g}", x).c_str(), nullptr) : x; }

// A line for each key, but the numbers, which are read by people and compared, indented.
std::string lines_of(const Ordered& all) {
  std::string text;
  for (const auto& [key, value] : all.items()) {
    std::string one = json_text(value, key == "numbers" ? 1 : -1);
    one.pop_back();
    text += fmt::format("{} \"{}\": {}", text.empty() ? "{\n" : ",\n", key, one);
  }
  return text + "\n}\n";
}

// The letter of the answer that is given, asked for until it is one; 0 for none.
char letter_given(std::size_t answers) {
  const char last = static_cast<char>('a' + answers - 1);
  for (std::string line;;) {
    say("> ");
    if (!std::getline(std::cin, line) || line.empty()) return 0;
    const int letter = std::tolower(static_cast<unsigned char>(line[0]));
    if (line.size() == 1 && letter >= 'a' && letter <= last) return static_cast<char>(letter);
    say(fmt::format("A letter from a to {}, or nothing to read on.\n", last));
  }
}

// The trace as if nothing had been computed before it: its first tensor is #1.
inspect::Trace from_one(inspect::Trace trace) {
  const std::uint64_t before = trace.tensors.at(0).number - 1;
  const auto move = [before](std::uint64_t& number) { number -= std::min(before, number); };
  const auto move_all = [&](std::vector<std::uint64_t>& numbers) { std::for_each(numbers.begin(), numbers.end(), move); };
  const auto move_delivery = [&](inspect::Delivery& delivery) { move(delivery.to), move(delivery.made_by); };
  move_all(trace.outputs);
  for (inspect::TracedTensor& tensor : trace.tensors) move(tensor.number), move_all(tensor.inputs), move_all(tensor.severed_by);
  std::for_each(trace.seeds.begin(), trace.seeds.end(), move_delivery);
  for (inspect::Visit& visit : trace.walk) {
    move(visit.tensor);
    std::for_each(visit.deliveries.begin(), visit.deliveries.end(), move_delivery);
  }
  for (inspect::ModuleCall& call : trace.modules) move(call.first), move(call.last);
  if (trace.naive) {
    for (auto& arrival : trace.naive->arrivals) move(arrival.from), move(arrival.to);
  }
  return trace;
}

}  // namespace

struct Chapter::State { Ordered numbers = Ordered::object(), series = Ordered::object(), claims = Ordered::object(), question; };

Chapter::Chapter(const ChapterText& text) : text_(text), state_(std::make_shared<State>()) {}

void Chapter::tell(const std::string& text) {
  say(text + "\n");
  transcript_ += text + "\n";
}

void Chapter::ask(const Question& question) {
  const auto choice = [&](std::size_t i) { return fmt::format("{}  {}", static_cast<char>('a' + i), question.answers.at(i)); };
  std::string lines = question.text;
  for (std::size_t i = 0; i < question.answers.size(); ++i) lines += "\n  " + choice(i);
  char given = 0;
  if (!yes_ && ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0) {
    say("\n" + lines + "\n");
    given = letter_given(question.answers.size());
  }
  const bool answered = given != 0, correct = given == static_cast<char>('a' + question.right);
  const std::string verdict = !answered ? "It is " : correct ? "Right: " : "No, it is ";
  tell(fmt::format("{}{}{}. {}\n", answered ? "" : "\n" + lines + "\n", verdict, choice(question.right), question.because));
  if (answered) state_->numbers["answer"] = std::string(1, given);
  state_->question = {{"text", question.text}, {"answers", question.answers}, {"right", question.right}, {"because", question.because}};
}

void Chapter::number(const std::string& path, double value) { place(state_->numbers, path) = as_json(value); }
void Chapter::number(const std::string& path, const std::vector<double>& values) { place(state_->numbers, path) = as_json(values); }
void Chapter::number(const std::string& path, const std::vector<std::vector<double>>& rows) {
  place(state_->numbers, path) = as_json(rows);
}
void Chapter::word(const std::string& path, const std::string& value) { place(state_->numbers, path) = value; }
void Chapter::words(const std::string& path, const std::vector<std::string>& values) { place(state_->numbers, path) = values; }

void Chapter::series(const std::string& path, double value) { place(state_->series, path) = as_json(value); }
void Chapter::series(const std::string& path, const std::vector<double>& values) { place(state_->series, path) = as_json(values); }
void Chapter::series(const std::string& path, const std::vector<std::vector<double>>& rows) {
  std::vector<std::vector<double>> short_ones = rows;
  for (auto& row : short_ones) std::transform(row.begin(), row.end(), row.begin(), six_digits);
  place(state_->series, path) = as_json(short_ones);
}
void Chapter::series(const std::string& path, const std::string& text) { place(state_->series, path) = text; }
void Chapter::series(const std::string& path, const std::vector<std::string>& texts) { place(state_->series, path) = texts; }
void Chapter::series(const std::string& path, const Band& line) {
  place(state_->series, path) = {{"x", as_json(line.x)}, {"y", as_json(line.y)}};
  if (!line.low.empty()) series(path + ".low", line.low);
  if (!line.high.empty()) series(path + ".high", line.high);
}

void Chapter::claim(const std::string& id, const std::string& quote, Verdict verdict, const std::string& evidence) {
  sentence(id, quote, verdict, evidence);
}
void Chapter::sentence(const std::string& id, const std::string& quote, Verdict verdict, const std::string& evidence) {
  word("claim." + id, seen_here(verdict));
  state_->claims[id] = {{"quote", quote}, {"evidence", evidence}};
}

void Chapter::finish(const std::string& one_number) { one_number_ = fmt::format("ch{}: {}", text_.number, one_number); }

namespace {

std::string date_of_today() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", fmt::localtime(now));
}

}  // namespace

void Chapter::write(double seconds) const {
  const std::string name = "ch" + text_.number;
  Ordered all{{"chapter", name}, {"title", text_.title}, {"full", full_}, {"seed", seed_}, {"one_number", one_number_}};
  all["idea"] = text_.idea;
  all["numbers"] = state_->numbers;
  all["series"] = state_->series;
  all["question"] = state_->question;
  all["claims"] = state_->claims;
  all["transcript"] = transcript_ + one_number_ + "\n";
  all["made"] = {{"command", printable(command_)}, {"machine", machine_text()}, {"seconds", seconds}, {"date", date_of_today()}};
  std::optional<inspect::Trace> tape;
  if (text_.tape) all["tape"] = Ordered::parse(inspect::json(tape.emplace(from_one(text_.tape()))));
  write_together(
      {{fs::path(out_) / (name + ".json"), lines_of(all)}, {fs::path(out_) / "report.html", page_of(all, tape ? &*tape : nullptr)}});
}

int run_chapter(int argc, char** argv, const ChapterText& text, const std::vector<Knob>& knobs, const std::function<void(Chapter&)>& body) {
  keep_standard_streams();
  when_stopped_say("stopped: nothing was written");
  Chapter chapter(text);
  const std::string name = "ch" + text.number;
  chapter.out_ = "runs/" + name;
  CLI::App app(text.title + ": " + text.idea, name);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_flag("--full", chapter.full_, "the thorough version: more seeds, more steps");
  app.add_option("--seed", chapter.seed_, "of all that is random")->capture_default_str()->check(whole_number_error<std::uint64_t>);
  app.add_option("--out", chapter.out_, "directory for report.html and " + name + ".json")->capture_default_str()->check(empty_error);
  app.add_flag("--yes", chapter.yes_, "do not stop for the question");
  std::string tape;
  if (text.tape) {
    app.add_option("--tape", tape, "write the tape of the numbers by hand to this file, for step --trace, and do nothing else")
        ->type_name("FILE")
        ->check(empty_error);
  }
  for (const Knob& knob : knobs) add_knob(app, knob);
  try {
    if (!parse_command_line(app, argc, argv)) return 0;
  } catch (const std::exception& error) {
    return complain(name, error, 2);
  }
  chapter.command_ = command_of(name, argc, argv);

  try {
    if (!tape.empty()) {
      inspect::write_json(tape, from_one(text.tape()));
      return 0;
    }
    open_directory(chapter.out_, {name + ".json", "report.html"}, {{name + ".json", {"chapter", "one_number", "numbers"}}});
    manual_seed(chapter.seed_);
    const auto begun = std::chrono::steady_clock::now();
    chapter.tell(fmt::format("{}  {}\n{}\n", name, text.title, text.idea));
    body(chapter);
    chapter.write(std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
    say(fmt::format("report: {}\n{}\n", (fs::path(chapter.out_) / "report.html").string(), chapter.one_number_));
  } catch (const std::exception& error) {
    return complain(name, error, 1);
  }
  return 0;
}

}  // namespace gradus::examples
