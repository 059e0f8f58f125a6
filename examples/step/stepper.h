// The stepper as it stands between two keys: where in the walk, which page, what is being typed. Keys change it; the screen
// is drawn from it. It knows no terminal.
#pragma once

#include <optional>
#include <string>

#include "examples/shared/terminal/keys.h"
#include "examples/step/replay.h"
#include "examples/step/tree.h"

namespace gradus::examples {

class Stepper {
 public:
  enum class Page { walk, values, code, inside, naive, help };
  enum class Question { none, condition, tensor };

  explicit Stepper(const inspect::Trace& trace);  // which must live as long

  void press(const Key& key);
  bool quit() const { return quit_; }

  const inspect::Trace& trace() const { return *trace_; }
  const Replay& replay() const { return replay_; }
  const Tree& tree() const { return tree_; }
  Page page() const { return page_; }
  Question question() const { return question_; }
  const std::string& answer() const { return answer_; }    // as far as it is typed
  const std::string& message() const { return message_; }  // what the last key has to say
  std::size_t row() const { return row_; }                 // how far a page is scrolled
  std::size_t column() const { return column_; }
  std::ptrdiff_t tape_scroll() const { return tape_scroll_; }  // rows of the tape below those around the current tensor
  void limit_scroll(std::size_t last_row,
                    std::size_t last_column);  // the screen says how far there is something to see

  // The tensor that is looked at: that of the visit, before the first the output.
  const inspect::TracedTensor& current() const;

 private:
  void press_in_walk(const Key& key);
  void press_in_page(const Key& key);
  void press_in_question(const Key& key);
  void open(Page page);
  void ask(Question question);
  void go_on_to(const std::string& condition);
  void go_to_tensor(const std::string& name);
  void go(std::size_t moment);

  const inspect::Trace* trace_;
  Replay replay_;
  Tree tree_;
  Page page_ = Page::walk;
  Question question_ = Question::none;
  std::string answer_, message_, last_condition_;
  std::size_t row_ = 0, column_ = 0;
  std::ptrdiff_t tape_scroll_ = 0;
  bool quit_ = false;
};

// A condition to go on to: "op=mul", "name=w", "nan", "zero", "|g|>5". ValueError, which names them all, for another text.
class Condition {
 public:
  explicit Condition(const std::string& text);
  bool holds(const inspect::Trace& trace, const inspect::Visit& visit) const;

 private:
  enum class Kind { op, name, nan, zero, above };
  Kind kind_ = Kind::nan;
  std::string word_;
  double bound_ = 0;
};

}  // namespace gradus::examples
