#include "examples/exercises/tutor/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/check.h"
#include "core/options/edit_distance.h"
#include "examples/exercises/grader/exercise.h"
#include "examples/shared/report/knob.h"

namespace gradus::exercises {
namespace {

constexpr const char* kWhat =
    "Exercises: write what a chapter explains, and be told what is wrong with it, by\n"
    "name. In a terminal it shows the current exercise, watches its file, and checks\n"
    "it each time it is saved; into a pipe, or with --plain, it checks it once.\n\n"
    "  ./examples/run exercises                  the current exercise, watched\n"
    "  ./examples/run exercises list             all of them, and which have passed\n"
    "  ./examples/run exercises new ID           put it into the folder; never in place of a file\n"
    "  ./examples/run exercises check [ID [FILE]]  check it once; \"check all\": what is written\n"
    "  ./examples/run exercises hint ID          one hint more, for the function you are at\n"
    "  ./examples/run exercises reset ID         the file as it was given; yours is kept\n"
    "  ./examples/run exercises solution ID      the project's own, once yours has passed\n"
    "  ./examples/run exercises mine ID [FILE]   what yours does, once it has passed\n"
    "  ./examples/run exercises mine all         a GPT of all that has passed\n"
    "  ./examples/run ch04 --mine ID [FILE]      yours beside its published mistakes\n\n"
    "An ID is a name, a number or a file: rms-norm, 10, my/10_rms_norm.cpp.\n"
    "The folder is my/ in the project, or GRADUS_MY. It ends with 0 if all that was\n"
    "checked passed, with 1 if not, and with 2 for bad input.";

// How many words may follow each command.
struct Command {
  const char* name;
  std::size_t least, most;
  bool of_tests = false;  // of the book's tests alone
};
constexpr Command kCommands[] = {{"list", 0, 0},     {"new", 0, 1},  {"check", 0, 2},          {"hint", 1, 1},         {"reset", 1, 1},
                                 {"solution", 1, 1}, {"mine", 0, 2}, {"registry", 0, 0, true}, {"answers", 2, 2, true}};

void check_words(const std::vector<std::string>& words) {
  if (words.empty()) return;
  std::vector<std::string> names;
  for (const Command& command : kCommands) {
    if (!command.of_tests) names.emplace_back(command.name);
    if (words[0] != command.name) continue;
    const std::size_t given = words.size() - 1;
    check<ValueError>(given >= command.least, "{}: of which exercise? {} rms-norm, say", command.name, command.name);
    check<ValueError>(given <= command.most, "{}: '{}' is one word too many", command.name, words[std::min(command.most + 1, given)]);
    return;
  }
  const std::vector<Exercise>& all = all_exercises();
  if (std::any_of(all.begin(), all.end(), [&](const Exercise& one) { return one.id == words[0]; })) {
    throw ValueError(fmt::format("which command for {}? 'new {}' begins, 'check {}' checks", words[0], words[0], words[0]));
  }
  throw ValueError(fmt::format("there is no command '{}'; did you mean '{}'? The commands are {}", words[0], nearest(words[0], names),
                               fmt::join(names, ", ")));
}

}  // namespace

bool read_options(int argc, const char* const* argv, Options& options) {
  CLI::App app(kWhat, "exercises");
  std::vector<std::string> words;
  app.add_option("command", words, "list, new, check, hint, reset, solution or mine, and what it needs")->type_name("");
  app.add_flag("--json", options.json, "check: a line of JSON");
  app.add_flag("--name", options.name, "check: say at once what a known mistake is");
  app.add_flag("--plain", options.plain, "no colours and no keys, in a terminal too");
  app.add_option("--in", options.chapter, "mine: beside the published mistakes of a chapter, such as ch04")->type_name("CHAPTER");
  if (!examples::parse_command_line(app, argc, argv)) return false;
  check_words(words);
  words.resize(3);
  options.command = words[0];
  options.id = words[1];
  options.file = words[2];
  check<ValueError>(options.chapter.empty() || options.command == "mine", "--in: only mine goes to a chapter");
  check<ValueError>(options.chapter.empty() || !options.id.empty(), "mine: of which exercise? mine rms-norm, say");
  check<ValueError>(!options.json || options.command == "check", "--json: only check writes JSON");
  check<ValueError>(!options.name || options.command == "check", "--name: only check names mistakes");
  return true;
}

}  // namespace gradus::exercises
