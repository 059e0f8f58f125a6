// step: steps through the backward walk of an expression, of a chapter's numbers by hand, or of a saved trace.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "core/inspect/trace.h"
#include "examples/shared/options/environment.h"
#include "examples/shared/report/printable.h"
#include "examples/shared/report/program.h"
#include "examples/shared/terminal/terminal.h"
#include "examples/step/chapter_trace.h"
#include "examples/step/options.h"
#include "examples/step/problem.h"
#include "examples/step/screen.h"
#include "examples/step/text.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

std::vector<std::string> written(const Lines& lines, bool coloured) {
  std::vector<std::string> texts;
  for (const StyledLine& line : lines) texts.push_back(coloured ? line.coloured() : line.text());
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
  std::string all;
  for (const StyledLine& line : lines) all += (ascii ? line.in_ascii().text() : line.text()) + "\n";
  say(all);
}

void write_files(const inspect::Trace& trace, const StepOptions& options) {
  if (!options.json.empty()) inspect::write_json(options.json, trace);
  if (!options.html.empty()) inspect::write_html(options.html, trace);
}

// An error names the file.
inspect::Trace read(const std::string& path) {
  try {
    return inspect::load_trace(path);
  } catch (const ValueError& error) {
    throw ValueError(fmt::format("--trace: {}: {}", path, error.what()));
  }
}

// A trace from a file says what it likes; a terminal shows no more of it than letters.
inspect::Trace load_for_terminal(const std::string& path) {
  inspect::Trace trace = read(path);
  const auto clean = [](std::string& text) {
    text = printable(text);
    std::replace(text.begin(), text.end(), '\n', ' ');
  };
  clean(trace.title);
  for (inspect::TracedTensor& x : trace.tensors) {
    clean(x.name);
    clean(x.op);
  }
  for (inspect::ModuleCall& call : trace.modules) {
    clean(call.path);
    clean(call.type);
  }
  for (auto& [op, source] : trace.ops) {
    clean(source.file);
    for (auto* texts : {&source.formulas, &source.parameters}) std::for_each(texts->begin(), texts->end(), clean);
    source.code = printable(source.code);
  }
  for (auto* texts : {&trace.unreached, &trace.notes}) std::for_each(texts->begin(), texts->end(), clean);
  return trace;
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
  if (!options.trace.empty()) return step_through(load_for_terminal(options.trace), options, on_terminal);
  if (!options.chapter.empty()) return step_through(trace_of_chapter(options.chapter), options, on_terminal);
  const StepProblem problem(options);
  const inspect::Trace trace = problem.trace(options.create_graph || on_terminal, options.naive || on_terminal);
  const int status = step_through(trace, options, on_terminal);
  if (!on_terminal) print_lines(problem.differences(trace), options.ascii);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    return complain("step", error, 2);
  }
}
