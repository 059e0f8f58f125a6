// The state of a widget: where its knobs stand, as an address has it.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.h"
#include "examples/shared/widgets/seen.h"

namespace gradus::widgets {

struct Range {
  double least, most, step;
  double play = 0;          // by how much a button "Play" raises it at a time; 0: it has none
  bool two_digits = false;  // its slider stops where no more than two digits are needed: 1, 2, …, 99, 100, 110, …
};

// What a reader can move. A widget asks for each of its knobs, which so become known to the page.
class Knobs {
 public:
  // "c=88&dtype=f16": those that are not where they stand at first. ValueError for what is no such list. An answer is due after
  // `milliseconds`; 0: it takes the time that it needs.
  explicit Knobs(std::string_view state = "", int milliseconds = 0);

  bool answer_is_due() const { return due_ && Clock::now() >= *due_; }

  // Where this knob stands. `words` is what the page calls it. ValueError for a value out of range, or of another kind.
  double number(const std::string& name, const std::string& words, double first, Range range);
  std::int64_t whole(const std::string& name, const std::string& words, std::int64_t first, Range range);
  bool on(const std::string& name, const std::string& words, bool first);
  std::string choice(const std::string& name, const std::string& words, const std::string& first, const std::vector<std::string>& names);
  std::string text(const std::string& name, const std::string& words, const std::string& first, std::size_t most_bytes);
  // Numbers in the shape of `first`, f64; a vector may have from `fewest` to `most` of them.
  Tensor numbers(const std::string& name, const std::string& words, const Tensor& first, Range range);
  Tensor row(const std::string& name, const std::string& words, const Tensor& first, Range range, std::int64_t fewest, std::int64_t most);

  // Noted for knobs that were asked for: that they change nothing where the others stand, and why; how far this one reaches there.
  void set_idle(const std::vector<std::string>& names, const std::string& why);
  void set_end(const std::string& name, double end);

  void check_all_known() const;  // ValueError for a knob that the widget has not
  std::string json() const;      // of those that were asked for, in their order

 private:
  using Clock = std::chrono::steady_clock;

  struct Noted {
    std::string name;
    Seen seen;
  };

  const std::string* given(const std::string& name) const;
  void note(const std::string& name, const Seen& seen) { noted_.push_back({name, seen}); }
  Seen& noted(const std::string& name);

  std::map<std::string, std::string> given_;
  std::optional<Clock::time_point> due_;
  mutable std::vector<std::string> known_;
  std::vector<Noted> noted_;
};

}  // namespace gradus::widgets
