// The tutor as it stands between two keys: which exercise, what was said of its file, what is asked. Keys and the file change it;
// the screen is drawn from it. It knows no terminal.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "examples/exercises/tutor/check.h"
#include "examples/exercises/tutor/folder.h"
#include "examples/exercises/tutor/state.h"
#include "examples/exercises/tutor/watch.h"
#include "examples/shared/terminal/keys.h"

namespace gradus::exercises {

class Tutor {
 public:
  enum class Page { exercise, list, solution };

  Tutor(const Folder& folder, State& state, bool coloured);  // both of which must live as long

  void press(const examples::Key& key);
  void tick();  // has the file changed, has a check ended?
  bool quit() const { return quit_; }
  int patience() const { return running_ ? 50 : 250; }  // milliseconds until the next tick

  const Folder& folder() const { return *folder_; }
  const State& state() const { return *state_; }
  const Exercise& exercise() const { return *exercise_; }
  Page page() const { return page_; }
  bool asks_for_reset() const { return asks_for_reset_; }
  bool checking() const { return running_ != nullptr; }
  const Exercise* checked_now() const { return running_ ? running_of_ : nullptr; }
  const std::optional<Checked>& checked() const { return checked_; }  // what was said of the file as it is
  const std::map<std::string, Checked>& all_checked() const { return all_checked_; }
  const Stage& stage() const;                              // the function that its hints are of
  bool named() const { return named_; }                    // is the name of the mistake shown?
  int hint() const { return hint_; }                       // the rung that is shown, from 1; 0: none
  const std::string& message() const { return message_; }  // what the last key has to say
  std::size_t scroll() const { return scroll_; }
  void limit_scroll(std::size_t last);  // the screen says how far there is something to see

 private:
  void press_in_question(const examples::Key& key);
  bool moves(const examples::Key& key);
  void act(char letter);
  void go(const Exercise& exercise);
  void begin();
  void next();
  void previous();
  void more_help();
  void show_solution();
  void check_all();
  void start(const Exercise& exercise);
  void take_result();

  const Folder* folder_;
  State* state_;
  const Exercise* exercise_;
  bool coloured_, quit_ = false, asks_for_reset_ = false;
  Page page_ = Page::exercise;
  std::unique_ptr<CheckBeside> running_;
  const Exercise* running_of_ = nullptr;
  std::optional<Checked> checked_;
  std::vector<const Exercise*> waiting_;  // to be checked after this one
  std::map<std::string, Checked> all_checked_;
  Stamp seen_, last_;  // of the file: as it was checked, and at the last tick
  int hint_ = 0;
  bool named_ = false;
  std::string message_;
  std::size_t scroll_ = 0;
};

}  // namespace gradus::exercises
