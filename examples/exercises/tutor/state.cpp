#include "examples/exercises/tutor/state.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <numeric>
#include <utility>

#include "core/check.h"
#include "core/io/file.h"
#include "examples/shared/report/json_text.h"
#include "examples/shared/report/read_json.h"

namespace gradus::exercises {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// While there is one of a folder, others wait. Where a folder cannot be locked, none does.
class Turn {
 public:
  explicit Turn(const fs::path& folder) : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_ >= 0) ::flock(folder_, LOCK_EX);
  }
  ~Turn() {
    if (folder_ >= 0) ::close(folder_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int folder_;
};

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  return fmt::format("{:%Y-%m-%d}", local);
}

}  // namespace

int State::One::hints_in_all() const {
  return std::accumulate(hints.begin(), hints.end(), 0, [](int sum, const auto& of_function) { return sum + of_function.second; });
}

State::State(const fs::path& folder) : folder_(folder), file_(folder / ".exercises.json") {
  const Turn turn(folder_);
  read();
}

State::One State::of(const Exercise& exercise) const {
  const auto found = all_.find(exercise.id);
  return found == all_.end() ? One{} : found->second;
}

std::size_t State::passed() const {
  const auto& exercises = all_exercises();
  return static_cast<std::size_t>(
      std::count_if(exercises.begin(), exercises.end(), [&](const Exercise& one) { return !of(one).passed.empty(); }));
}

void State::pass(const Exercise& exercise) {
  if (!of(exercise).passed.empty()) return;
  update([&](State& state) { state.all_[exercise.id].passed = today(); });
}

void State::come_to(const Exercise& exercise, const Stage& stage, const std::string& mistake) {
  const One before = of(exercise);
  if (before.function == stage.function && before.mistake == mistake) return;
  update([&](State& state) {
    state.all_[exercise.id].function = stage.function;
    state.all_[exercise.id].mistake = mistake;
  });
}

void State::use_hint(const Exercise& exercise, const Stage& stage, int rung) {
  const auto most = [&](State& state) -> int& { return state.all_[exercise.id].hints[stage.function]; };
  if (most(*this) >= rung) return;
  update([&](State& state) { most(state) = std::max(most(state), rung); });
}

void State::stand_at(const Exercise& exercise) {
  std::error_code error;
  if (current_ == exercise.id && fs::exists(file_, error)) return;  // a file that has vanished comes back
  update([&](State& state) { state.current_ = exercise.id; });
}

std::string State::trouble() { return std::exchange(trouble_, ""); }

// What the file has is added to what is known here: a file that has vanished takes nothing along.
void State::read() {
  readable_ = true;
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file_, error))) return;
  try {
    io::InputFile file(file_.string());
    if (!understand(file.read_string(file.remaining()))) set_aside();
  } catch (const std::exception& failure) {
    readable_ = false;
    trouble_ = fmt::format("{}; so nothing is noted", failure.what());
  }
}

bool State::understand(const std::string& text) {
  const json state = examples::read_json(text);
  if (!examples::has_keys(state, {"exercises", "current"}) || !state["exercises"].is_object() || !state["current"].is_string())
    return false;
  std::map<std::string, One> all = all_;
  for (const auto& [id, one] : state["exercises"].items()) {
    if (!understand(one, all[id])) return false;
  }
  all_ = all;
  current_ = state["current"];
  return true;
}

bool State::understand(const json& one, One& known) {
  if (!examples::has_keys(one, {"passed", "hints"}) || !one["passed"].is_string()) return false;
  const json hints = one["hints"].is_number_integer() ? json::object({{"", one["hints"]}}) : one["hints"];  // once they were of no function
  for (const auto& [function, rung] : hints.items()) {
    if (!rung.is_number_integer()) return false;
    known.hints[function] = std::max(known.hints[function], std::clamp(rung.get<int>(), 0, 4));
  }
  if (known.passed.empty() || !one["passed"].get<std::string>().empty()) known.passed = one["passed"];
  if (one.contains("function") && one["function"].is_string()) known.function = one["function"];
  if (one.contains("mistake") && one["mistake"].is_string()) known.mistake = one["mistake"];
  return true;
}

// It is kept by another name, which nothing has yet.
void State::set_aside() {
  fs::path aside = file_.string() + ".broken";
  std::error_code error;
  for (int n = 1; fs::exists(fs::symlink_status(aside, error)); ++n) aside = fmt::format("{}.broken.{}", file_.string(), n);
  fs::rename(file_, aside, error);
  readable_ = !error;
  trouble_ = fmt::format("{} was no list of exercises{}", file_.string(),
                         error ? ", and cannot be put aside: " + error.message() + "; so nothing is noted"
                               : fmt::format("; it is kept as {}, and a new one begins", aside.filename().string()));
}

std::string State::text() const {
  json exercises = json::object();
  for (const auto& [id, one] : all_) {
    exercises[id] = {{"passed", one.passed}, {"function", one.function}, {"mistake", one.mistake}, {"hints", one.hints}};
  }
  return examples::json_text(json{{"exercises", exercises}, {"current", current_}});
}

void State::update(const Change& change) {
  std::error_code error;
  fs::create_directories(folder_, error);  // if it cannot be, writing tells
  const Turn turn(folder_);
  read();
  change(*this);
  if (!readable_) return;
  try {
    io::write_file(file_.string(), text());
  } catch (const std::exception& failure) {
    trouble_ = fmt::format("{}; so this is not noted", failure.what());
  }
}

}  // namespace gradus::exercises
