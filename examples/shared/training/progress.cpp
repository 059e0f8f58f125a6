#include "examples/shared/training/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "examples/shared/options/environment.h"
#include "examples/shared/report/program.h"
#include "examples/shared/report/signals.h"

namespace gradus::examples {
namespace {

bool can_redraw() {
  const char* name = std::getenv("TERM");
  const std::string_view terminal = name != nullptr ? name : "dumb";
  return isatty(STDOUT_FILENO) != 0 && terminal != "dumb" && !is_switched_on("NO_COLOR");
}

}  // namespace

std::string format_duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::lround(std::max(seconds, 0.0)));
  if (whole >= 3600) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

std::string fields_within(std::string status, std::size_t columns) {
  while (status.size() > columns) {
    const std::size_t last = status.rfind("  ");
    status.resize(last == std::string::npos ? 0 : last);
  }
  return status;
}

Progress::Progress(std::int64_t done, std::int64_t total, bool quiet)
    : begun_at_(done), done_(done), total_(total), quiet_(quiet), terminal_(can_redraw()) {}

// If a program is asked to stop, its terminal may have gone.
bool Progress::speaks() const { return !quiet_ && !interrupted(); }

std::string Progress::bar() const {
  constexpr std::int64_t width = 12;
  const double share = total_ > 0 ? static_cast<double>(done_) / static_cast<double>(total_) : 1;
  const auto full = std::min(width, static_cast<std::int64_t>(share * width));
  const double elapsed = std::chrono::duration<double>(Clock::now() - begun_).count();
  const auto steps = std::max<std::int64_t>(done_ - begun_at_, 1);
  const double left = elapsed / static_cast<double>(steps) * static_cast<double>(total_ - done_);
  std::string drawn;
  for (std::int64_t i = 0; i < width; ++i) drawn += i < full ? "━" : "─";
  const std::string numbers = fmt::format(" {:3.0f} %  {}/{}  ", 100 * share, done_, total_),
                    time = fmt::format("  {} left", format_duration(left));
  const auto taken = static_cast<std::size_t>(width) + numbers.size() + time.size();
  constexpr std::size_t columns = 80;
  return drawn + numbers + fields_within(status_, columns - std::min(taken, columns)) + time;
}

void Progress::advance(const std::string& status) {
  ++done_;
  status_ = status;
  draw(done_ == total_);
}

void Progress::tell(const std::string& status) {
  status_ = status;
  draw(false);
}

void Progress::draw(bool at_once) {
  if (!speaks() || !terminal_) return;
  const auto now = Clock::now();
  if (now - drawn_ < std::chrono::milliseconds(100) && !at_once) return;
  drawn_ = now;
  say("\r\033[K" + bar());
}

void Progress::line(const std::string& text) {
  if (!speaks()) return;
  say(terminal_ ? "\r\033[K" + text + "\n" + bar() : text + "\n");
}

void Progress::finish() { say(speaks() && terminal_ ? "\r\033[K" : ""); }

}  // namespace gradus::examples
