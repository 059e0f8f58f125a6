#include "examples/support/report/chapter.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/edit_distance.h"
#include "core/io/file.h"
#include "core/tensor/check.h"
#include "core/tensor/generator.h"
#include "core/tensor/threads.h"

namespace gradus::examples {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The place of a dotted path among the numbers, new.
Json& place(Json& numbers, const std::string& path) {
  Json* at = &numbers;
  for (std::size_t from = 0, dot = 0; dot != std::string::npos; from = dot + 1) {
    dot = path.find('.', from);
    at = &(*at)[path.substr(from, dot == std::string::npos ? dot : dot - from)];
    check<ValueError>(at->is_null() || (at->is_object() && dot != std::string::npos), "number '{}': the path is taken", path);
  }
  return *at;
}

Json as_json(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

Json as_json(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(as_json(x));
  return list;
}

// A chapter that is stopped has written nothing yet, and says so.
void say_stopped(int signal) {
  constexpr char text[] = "\nstopped: nothing was written\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, sizeof text - 1);
  ::_exit(128 + signal);
}

std::string quoted_for_shell(const std::string& word) {
  return word.find_first_of(" '\"$*;|&<>()") == std::string::npos ? word : "'" + word + "'";
}

}  // namespace

struct Chapter::State {
  Json numbers = Json::object();
};

Chapter::Chapter(const ChapterText& text)
    : report(text.number, text.title, text.idea), text_(text), state_(std::make_shared<State>()) {}

void Chapter::tell(const std::string& text) {
  fmt::print("{}\n", text);
  transcript_ += text + "\n";
}

void Chapter::ask(const Question& question) {
  std::string lines = question.text;
  for (std::size_t i = 0; i < question.answers.size(); ++i) lines += fmt::format("\n  {}  {}", static_cast<char>('a' + i), question.answers[i]);
  const std::string right = fmt::format("{}  {}", static_cast<char>('a' + question.right), question.answers.at(question.right));
  std::string given;
  if (!yes_ && ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0) {
    fmt::print("\n{}\n> ", lines);
    std::fflush(stdout);
    std::getline(std::cin, given);
  }
  const bool answered = !given.empty(), correct = answered && std::tolower(given[0]) == static_cast<int>('a' + question.right);
  const std::string verdict = !answered ? "It is " : correct ? "Right: " : "No, it is ";
  tell(fmt::format("{}{}{}. {}\n", answered ? "" : "\n" + lines + "\n", verdict, right, question.because));
  if (answered) state_->numbers["answer"] = given.substr(0, 1);
  std::string choices;
  for (const std::string& answer : question.answers) choices += "<br>· " + escaped(answer);
  report.predict(escaped(question.text) + choices,
                 escaped(question.answers[question.right]) + ". " + escaped(question.because) +
                     (answered ? fmt::format(" You answered {}.", escaped(given.substr(0, 1))) : ""));
}

void Chapter::show_tape() {
  const inspect::Trace trace = text_.tape();
  report.embed("The tape of " + trace.title + ", to step through", inspect::html({trace}));
  report.text(fmt::format("In the terminal: <code>./examples/run step --chapter ch{}</code>", text_.number));
}

void Chapter::number(const std::string& path, double value) { place(state_->numbers, path) = as_json(value); }
void Chapter::number(const std::string& path, const std::vector<double>& values) { place(state_->numbers, path) = as_json(values); }
void Chapter::number(const std::string& path, const std::vector<std::vector<double>>& rows) {
  Json& list = place(state_->numbers, path) = Json::array();
  for (const auto& row : rows) list.push_back(as_json(row));
}
void Chapter::word(const std::string& path, const std::string& value) { place(state_->numbers, path) = value; }

void Chapter::finish(const std::string& one_number) { one_number_ = fmt::format("ch{}: {}", text_.number, one_number); }

void Chapter::write(double seconds) const {
  const std::string name = "ch" + text_.number;
  Report page = report;
  page.section("terminal", "In the terminal");
  page.transcript(transcript_ + one_number_ + "\n");
  const std::time_t now = std::time(nullptr);
  const std::string html = page.html({{"command", "<code>" + escaped(command_) + "</code>"},
                                      {"seed", std::to_string(seed_)},
                                      {"machine", fmt::format("{} threads", num_threads())},
                                      {"took", fmt::format("{:.1f} s, on {:%Y-%m-%d}", seconds, fmt::localtime(now))},
                                      {"numbers", fmt::format("<code>{}.json</code> holds each number of this page at a path", name)}});
  Json all{{"chapter", name}, {"title", text_.title}, {"full", full_}, {"seed", seed_}, {"one_number", one_number_}};
  all["numbers"] = state_->numbers;
  io::write_file((fs::path(out_) / (name + ".json")).string(), all.dump(1) + "\n");
  io::write_file((fs::path(out_) / "report.html").string(), html);
}

int run_chapter(int argc, char** argv, const ChapterText& text, const std::vector<Knob>& knobs,
                const std::function<void(Chapter&)>& body) {
  Chapter chapter(text);
  const std::string name = "ch" + text.number;
  chapter.out_ = "runs/" + name;
  CLI::App app(text.title + ": " + text.idea, name);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_flag("--full", chapter.full_, "the thorough version: more seeds, more steps");
  app.add_option("--seed", chapter.seed_, "of all that is random")->capture_default_str();
  app.add_option("--out", chapter.out_, "directory for report.html and " + name + ".json")->capture_default_str();
  app.add_flag("--yes", chapter.yes_, "do not stop for the question");
  std::string tape;
  if (text.tape) {
    app.add_option("--tape", tape, "write the tape of the numbers by hand to this file, for step --trace, and do nothing else")
        ->type_name("FILE");
  }
  for (const Knob& knob : knobs) {
    std::visit([&](auto* value) {
      if constexpr (std::is_same_v<decltype(value), bool*>) app.add_flag(knob.flag, *value, knob.help);
      else app.add_option(knob.flag, *value, knob.help)->capture_default_str();
    }, knob.value);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ExtrasError&) {
    std::vector<std::string> flags;
    for (const CLI::Option* known : app.get_options()) flags.push_back(known->get_name());
    const std::string given = app.remaining().at(0);
    fmt::print(stderr, "{}: unknown option '{}'; did you mean '{}'? --help names all\n", name, given, nearest(given, flags));
    return 2;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return 2;
  }
  chapter.command_ = "./examples/run " + name;
  for (int i = 1; i < argc; ++i) chapter.command_ += " " + quoted_for_shell(argv[i]);

  try {
    if (!tape.empty()) {
      inspect::write_json(tape, text.tape());
      return 0;
    }
    std::error_code error;
    fs::create_directories(chapter.out_, error);
    check<IoError>(!error && ::access(chapter.out_.c_str(), W_OK | X_OK) == 0, "--out: cannot write into {}{}{}", chapter.out_,
                   error ? ": " : "", error ? error.message() : "");
    io::remove_abandoned(chapter.out_);
    for (const int signal : {SIGINT, SIGTERM}) ::signal(signal, say_stopped);
    manual_seed(chapter.seed_);
    const auto begun = std::chrono::steady_clock::now();
    chapter.tell(fmt::format("{}  {}\n{}\n", name, text.title, text.idea));
    body(chapter);
    chapter.write(std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return 1;
  }
  fmt::print("report: {}\n{}\n", (fs::path(chapter.out_) / "report.html").string(), chapter.one_number_);
  return 0;
}

}  // namespace gradus::examples
