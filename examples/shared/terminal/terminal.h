// A terminal that a program draws on: raw keys, a screen of its own, and everything as it was when the program ends, however
// it ends.
#pragma once

#include <string>
#include <vector>

#include "examples/shared/terminal/keys.h"

namespace gradus::examples {

class Terminal {
 public:
  static bool available();  // are stdin and stdout a terminal that can move its cursor?

  Terminal();  // one at a time. IoError where there is none
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  struct Size { std::size_t columns, rows; };
  Size size() const;

  void show(const std::vector<std::string>& lines);  // in place of what is there

  // Waits for keys, for `milliseconds` or for ever (-1). None: the time is over, the size has changed, or the program was stopped
  // and goes on; draw again. A stop (Ctrl-Z) is done here, with the terminal given back meanwhile.
  std::vector<Key> keys(int milliseconds = -1);

  int ended_by() const { return ended_by_; }  // the signal that asks to end, or that the terminal is gone; 0: none

 private:
  void take();
  void give_back();
  void suspend();
  bool wait(int milliseconds);  // is there input?

  std::string bytes_;
  int ended_by_ = 0;
};

}  // namespace gradus::examples
