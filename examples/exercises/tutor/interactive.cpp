#include "examples/exercises/tutor/interactive.h"

#include <chrono>
#include <vector>

#include "examples/exercises/tutor/tutor.h"
#include "examples/exercises/tutor/tutor_screen.h"
#include "examples/shared/terminal/terminal.h"

namespace gradus::exercises {

// Draw what is new, wait for a key or the next look at the file, let it act. After a wait that was cut short all is drawn again:
// the size has changed, or the program had been stopped.
int watch(bool coloured) {
  const Folder folder;
  State state(folder.path());
  std::filesystem::create_directories(folder.path());
  const OnlyTutor only(folder.path());
  Tutor tutor(folder, state, coloured);
  examples::Terminal terminal;
  std::vector<std::string> before;
  while (!tutor.quit() && terminal.ended_by() == 0) {
    tutor.tick();
    const auto [columns, rows] = terminal.size();
    const TutorScreen screen = draw(tutor, columns, rows);
    tutor.limit_scroll(screen.last_scroll);
    std::vector<std::string> lines;
    for (const examples::StyledLine& line : screen.lines) lines.push_back(coloured ? line.coloured() : line.text());
    if (lines != before) terminal.show(lines);
    const auto since = std::chrono::steady_clock::now();
    const int patience = tutor.patience();
    for (const examples::Key& key : terminal.keys(patience)) tutor.press(key);
    const bool in_full = std::chrono::steady_clock::now() - since >= std::chrono::milliseconds(patience);
    before = in_full ? lines : std::vector<std::string>();
  }
  return terminal.ended_by() == 0 ? 0 : 128 + terminal.ended_by();
}

}  // namespace gradus::exercises
