// Progress of a long run: one bar that redraws itself on a terminal (but not with TERM=dumb or NO_COLOR), plain lines
// elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace gradus::examples {

class Progress {
 public:
  // Counts from `done` to `total`. Writes nothing when quiet.
  Progress(std::int64_t done, std::int64_t total, bool quiet);

  // One step further; `status` stands after the bar, as many of its fields as there is room for: fields_within(). On a
  // terminal redrawn at most ten times a second.
  void advance(const std::string& status);
  // What goes on within a step.
  void tell(const std::string& status);
  void expect(std::int64_t more) { total_ += more; }  // than was said; fewer, if it is negative
  // A line of its own, above the bar.
  void line(const std::string& text);
  void finish();

  bool on_terminal() const { return terminal_; }

 private:
  bool speaks() const;
  std::string bar() const;
  void draw(bool at_once);

  using Clock = std::chrono::steady_clock;
  std::int64_t begun_at_, done_, total_;
  bool quiet_, terminal_;
  Clock::time_point begun_ = Clock::now(), drawn_{};
  std::string status_;
};

// A status, "loss 2.3  lr 1e-3", has two blanks between its fields. The first of them that fit into `columns` columns: a field that
// was cut off could be a wrong number.
std::string fields_within(std::string status, std::size_t columns);

// "1 min 5 s"
std::string format_duration(double seconds);

}  // namespace gradus::examples
