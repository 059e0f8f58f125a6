#include "examples/support/run_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "core/io/file.h"
#include "core/tensor/check.h"

namespace gradus::examples {

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
  io::InputFile file(path.string());
  return file.read_string(file.remaining());
}

nlohmann::json parsed(const std::string& text) { return nlohmann::json::parse(text, nullptr, false); }

}  // namespace

RunFiles RunFiles::create(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  check<IoError>(!error, "--out: cannot make the directory {}: {}", directory.string(), error.message());
  RunFiles files(directory);
  files.lock();
  check<IoError>(!fs::exists(files.checkpoint()),
                 "--out: {} already holds a run; go on with it by --resume {}, or choose another directory",
                 directory.string(), directory.string());
  files.check_ours();
  files.keep_metrics_until(-1);
  return files;
}

void RunFiles::lock() {
  lock_ = std::make_unique<FileLock>(
      directory_, fmt::format("another process is training in {}; wait for it, or choose another directory", directory_.string()));
  io::remove_abandoned(directory_.string());
}

// Files of our names belong to a run only beside its configuration.
void RunFiles::check_ours() const {
  if (fs::exists(config()) && fs::is_regular_file(config()) && parsed(text_of(config())).contains("d_model")) return;
  for (const char* name : {"config.json", "metrics.jsonl", "sample.txt", "report.html", "loss.svg"}) {
    check<IoError>(!fs::exists(directory_ / name), "--out: {} is there already, and is no run's; choose another directory",
                   (directory_ / name).string());
  }
}

RunFiles RunFiles::create_numbered(const std::string& name) {
  fs::path directory = fs::path("runs") / name;
  for (int number = 2; fs::exists(RunFiles(directory).checkpoint()); ++number) {
    directory = fs::path("runs") / (name + "-" + std::to_string(number));
  }
  return create(directory);
}

RunFiles RunFiles::open(const fs::path& directory) {
  RunFiles files(directory);
  for (const fs::path& needed : {files.config(), files.checkpoint()}) {
    check<IoError>(fs::exists(needed), "--resume: there is no run in {}: {} is missing", directory.string(),
                   needed.filename().string());
  }
  files.lock();
  return files;
}

nlohmann::json RunFiles::read_config() const {
  const auto json = parsed(text_of(config()));
  check<IoError>(json.is_object(), "--resume: {} is not a run's configuration", config().string());
  return json;
}

void RunFiles::write_config(const nlohmann::ordered_json& config) const { write("config.json", config.dump(2) + "\n"); }

void RunFiles::write(const std::string& name, const std::string& text) const {
  io::write_file((directory_ / name).string(), text);
}

void RunFiles::write_picture(const std::string& svg) const {
  if (svg.empty()) fs::remove(directory_ / "loss.svg");
  else write("loss.svg", svg);
}

std::vector<nlohmann::json> RunFiles::read_metrics() const {
  std::vector<nlohmann::json> lines;
  if (!fs::exists(metrics())) return lines;
  std::istringstream text(text_of(metrics()));
  for (std::string line; std::getline(text, line);) {
    auto json = parsed(line);
    if (json.is_object()) lines.push_back(std::move(json));
  }
  return lines;
}

void RunFiles::add_metrics(const nlohmann::ordered_json& line) {
  metrics_ << line.dump() << "\n" << std::flush;
  check<IoError>(metrics_.good(), "cannot write {}: {}", metrics().string(), std::strerror(errno));
}

void RunFiles::keep_metrics_until(std::int64_t step) {
  std::string kept;
  std::istringstream before(fs::exists(metrics()) ? text_of(metrics()) : "");
  for (std::string line; std::getline(before, line);) {
    const auto json = parsed(line);
    if (!json.is_object() || !json.contains("step") || !json["step"].is_number_integer()) continue;
    const auto at = json["step"].get<std::int64_t>();
    if (at <= step && (json.contains("loss") || (at == 0 && step > 0))) kept += line + "\n";
  }
  write("metrics.jsonl", kept);
  metrics_.open(metrics(), std::ios::app);
}

}  // namespace gradus::examples
