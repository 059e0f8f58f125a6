// step: steps through the backward walk of an expression, or of a saved trace.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "core/inspect/trace.h"
#include "examples/support/environment.h"
#include "examples/support/step/options.h"
#include "examples/support/step/problem.h"
#include "examples/support/step/screen.h"
#include "examples/support/step/text.h"
#include "examples/support/step/terminal.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

std::vector<std::string> written(const Lines& lines, bool coloured) {
  std::vector<std::string> texts;
  for (const Line& line : lines) texts.push_back(coloured ? line.coloured() : line.text());
  return texts;
}

// Draw, wait for a key, let it act.
int interactive(const inspect::Trace& trace, bool ascii) {
  const bool coloured = !ascii && !is_switched_on("NO_COLOR");
  Stepper stepper(trace);
  Terminal terminal;
  while (!stepper.quit() && terminal.ended_by() == 0) {
    const auto [columns, rows] = terminal.size();
    const Screen screen = draw(stepper, {columns, rows}, ascii);
    stepper.limit_scroll(screen.last_row, screen.last_column);
    terminal.show(written(screen.lines, coloured));
    for (const Key& key : terminal.keys()) stepper.press(key);
  }
  return terminal.ended_by() == 0 ? 0 : 128 + terminal.ended_by();
}

void print_lines(const Lines& lines, bool ascii) {
  for (const Line& line : lines) fmt::print("{}\n", ascii ? line.in_ascii().text() : line.text());
}

void write_files(const inspect::Trace& trace, const StepOptions& options) {
  if (!options.json.empty()) inspect::write_json(options.json, trace);
  if (!options.html.empty()) inspect::write_html(options.html, trace);
}

int step_through(const inspect::Trace& trace, const StepOptions& options, bool on_terminal) {
  write_files(trace, options);
  if (on_terminal) return interactive(trace, options.ascii);
  print_lines(walk_text(trace, options.ascii), options.ascii);
  return 0;
}

int run(int argc, char** argv) {
  StepOptions options;
  if (!read_step_options(argc, argv, options)) return 0;
  const bool on_terminal = !options.text && Terminal::available();
  if (!options.trace.empty()) return step_through(inspect::load_trace(options.trace), options, on_terminal);
  const StepProblem problem(options);
  const inspect::Trace trace = problem.trace(options.create_graph || on_terminal);
  const int status = step_through(trace, options, on_terminal);
  if (!on_terminal) print_lines(problem.differences(trace), options.ascii);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "step: {}\n", error.what());
    return 2;
  }
}
