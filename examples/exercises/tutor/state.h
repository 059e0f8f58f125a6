// What is known of a student's work, kept beside it in .exercises.json: what has passed and when, how far they have come in what
// has not, hints used, where they were.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

class State {
 public:
  struct One {
    std::string passed;                // the day: "2026-11-27"; "" if it has not
    std::string function;              // the first that is not right yet, as the last check has it; "" before that
    std::string mistake;               // what it found there, if that has a name
    std::map<std::string, int> hints;  // how many of each function
    int hints_in_all() const;
  };

  explicit State(const std::filesystem::path& folder);  // in it, once there is something to keep

  One of(const Exercise& exercise) const;
  std::size_t passed() const;                       // how many of all exercises
  std::string current() const { return current_; }  // an id, or ""

  // Each writes the file, whole, with what another tutor has written meanwhile kept. What cannot be kept is known here all the
  // same, and told by trouble().
  void pass(const Exercise& exercise);
  void come_to(const Exercise& exercise, const Stage& stage, const std::string& mistake);
  void use_hint(const Exercise& exercise, const Stage& stage, int rung);
  void stand_at(const Exercise& exercise);

  // What went wrong since it was asked last: "" or a sentence.
  std::string trouble();

 private:
  using Change = std::function<void(State&)>;
  void read();
  bool understand(const std::string& text);
  static bool understand(const nlohmann::json& one, One& known);
  void set_aside();
  void update(const Change& change);
  std::string text() const;

  std::filesystem::path folder_, file_;
  std::map<std::string, One> all_;
  std::string current_, trouble_;
  bool readable_ = true;  // else it is somebody's, and is not written over
};

}  // namespace gradus::exercises
