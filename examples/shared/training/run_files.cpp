#include "examples/shared/training/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <span>
#include <sstream>
#include <system_error>

#include "core/check.h"
#include "core/io/file.h"
#include "examples/shared/report/read_json.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFiles[] = {"config.json", "metrics.jsonl", "checkpoint.safetensors", "sample.txt", "report.html"};
constexpr std::size_t kNeeded = 4;  // the first of them; the run does without the others, its page and its picture

std::string text_of(const fs::path& path) {
  io::InputFile file(path.string());
  return file.read_string(file.remaining());
}

// Is it a line as add_metrics writes them: numbers, but for what is suspected?
bool tells_step(const nlohmann::json& line) {
  if (!line.is_object() || !line.contains("step") || !line["step"].is_number_integer()) return false;
  if (line["step"].get<std::int64_t>() < 0) return false;
  return std::all_of(line.items().begin(), line.items().end(),
                     [](const auto& item) { return item.key() == "suspicion" ? item.value().is_string() : item.value().is_number(); });
}

}  // namespace

RunFiles RunFiles::create(const fs::path& directory, const nlohmann::ordered_json& config) {
  std::error_code error;
  fs::create_directories(directory, error);
  check<IoError>(!error, "--out: cannot make the directory {}: {}", directory.string(), error.message());
  RunFiles files(directory);
  files.lock();
  check<IoError>(!fs::is_regular_file(files.checkpoint()),
                 "--out: {} already holds a run; go on with it by --resume {}, or choose another directory", directory.string(),
                 quoted_for_shell(directory.string()));
  files.check_ours();
  files.check_regular();
  files.write_config(config);  // first of all: by this the other files are known as ours
  files.keep_metrics_until(-1, false);
  return files;
}

void RunFiles::lock() {
  lock_ = std::make_unique<FileLock>(
      directory_, fmt::format("another process is training in {}; wait for it, or choose another directory", directory_.string()));
  io::remove_abandoned(directory_.string(),
                       [](const std::string& name) { return std::find(std::begin(kFiles), std::end(kFiles), name) != std::end(kFiles); });
}

void RunFiles::check_in_place() const {
  check<IoError>(lock_->still_at(directory_), "{}: was moved or replaced while this process trains in it; nothing more is written there",
                 directory_.string());
}

void RunFiles::in_place(const std::function<void()>& write) const {
  check_in_place();
  try {
    write();
  } catch (const IoError&) {
    check_in_place();  // that a name is gone is not the reason, but a consequence
    throw;
  }
}

// What the run will read and write, so that none of it fails when the training is done.
void RunFiles::check_regular() const {
  for (const char* name : std::span(kFiles).first(kNeeded)) {
    const fs::path path = directory_ / name;
    check<IoError>(!fs::exists(path) || fs::is_regular_file(path), "{}: not a regular file", path.string());
  }
}

// Files of our names belong to a run only beside its configuration.
void RunFiles::check_ours() const {
  const bool ours = fs::is_regular_file(config()) && has_keys(read_json(text_of(config())), {"d_model", "placement", "prompt"});
  if (ours) return;
  for (const char* name : kFiles) {
    check<IoError>(!fs::exists(directory_ / name), "--out: {} is there already, and is no run's; choose another directory",
                   (directory_ / name).string());
  }
}

RunFiles RunFiles::create_numbered(const std::string& name, const nlohmann::ordered_json& config) {
  fs::path directory = fs::path("runs") / name;
  for (int number = 2;; ++number) {
    try {
      if (!fs::exists(RunFiles(directory).checkpoint())) return create(directory, config);
    } catch (const AlreadyLocked&) {  // by a run that has not saved yet
    }
    directory = fs::path("runs") / (name + "-" + std::to_string(number));
  }
}

RunFiles RunFiles::open(const fs::path& directory) {
  RunFiles files = look_at(directory);
  files.lock();
  return files;
}

RunFiles RunFiles::look_at(const fs::path& directory) {
  RunFiles files(directory);
  for (const fs::path& needed : {files.config(), files.checkpoint()}) {
    check<IoError>(fs::exists(needed), "--resume: there is no run in {}: {} is missing", directory.string(), needed.filename().string());
  }
  files.check_regular();
  return files;
}

nlohmann::json RunFiles::read_config() const {
  const auto json = read_json(text_of(config()));
  check<IoError>(json.is_object(), "--resume: {} is not a run's configuration: it is no JSON object, or one with a key twice",
                 config().string());
  return json;
}

void RunFiles::write_config(const nlohmann::ordered_json& config) const { write("config.json", config.dump(2) + "\n"); }

void RunFiles::write(const std::string& name, const std::string& text) const {
  in_place([&] { io::write_file((directory_ / name).string(), text); });
}

std::vector<nlohmann::json> RunFiles::read_metrics(std::int64_t step, bool goes_on) const {
  std::vector<nlohmann::json> lines;
  std::istringstream text(metrics_until(step, goes_on));
  for (std::string line; std::getline(text, line);) lines.push_back(read_json(line));
  return lines;
}

void RunFiles::add_metrics(const nlohmann::ordered_json& line, const std::function<void()>& if_gone) {
  const bool in_place = metrics_in_use_->still_at(metrics());
  if (!in_place) if_gone();
  check_in_place();
  check<IoError>(in_place, "{}: was moved, removed or replaced while this process trains; nothing more is written there",
                 metrics().string());
  metrics_ << line.dump() << "\n" << std::flush;
  check<IoError>(metrics_.good(), "cannot write {}: {}", metrics().string(), std::strerror(errno));
}

std::string RunFiles::metrics_until(std::int64_t step, bool goes_on) const {
  std::string kept;
  std::int64_t last = 0;
  bool ended = true;  // is the last line of `kept` an end?
  std::istringstream before(fs::exists(metrics()) ? text_of(metrics()) : "");
  for (std::string line; std::getline(before, line);) {
    const auto json = read_json(line);
    if (!tells_step(json)) continue;
    const auto at = json["step"].get<std::int64_t>();
    const bool is_step = json.contains("loss"), is_begin = kept.empty() && at == 0 && step > 0;
    const bool is_end = !ended && at == last && (at < step || goes_on);
    if (at > step || !(is_step ? at > last : is_begin || is_end)) continue;
    kept += line + "\n";
    last = at;
    ended = !is_step;
  }
  return kept;
}

void RunFiles::keep_metrics_until(std::int64_t step, bool goes_on) {
  write("metrics.jsonl", metrics_until(step, goes_on));
  metrics_.open(metrics(), std::ios::app);
  check_in_place();  // before a line is added to another's
  check<IoError>(metrics_.is_open(), "cannot write {}: {}", metrics().string(), std::strerror(errno));
  metrics_in_use_ = std::make_unique<FileLock>(metrics(), fmt::format("another process holds {}", metrics().string()));
}

}  // namespace gradus::examples
