#include "examples/support/run_files.h"

#include <nlohmann/json.hpp>
#include <system_error>

#include "core/io/file.h"
#include "core/tensor/check.h"

namespace gradus::examples {

namespace fs = std::filesystem;

RunFiles RunFiles::create(const fs::path& directory) {
  check<IoError>(!fs::exists(RunFiles(directory).checkpoint()),
                 "--out: {} already holds a run; go on with it by --resume {}, or choose another directory",
                 directory.string(), directory.string());
  std::error_code error;
  fs::create_directories(directory, error);
  check<IoError>(!error, "--out: cannot make the directory {}: {}", directory.string(), error.message());
  io::remove_abandoned(directory.string());
  RunFiles files(directory);
  files.keep_metrics_until(-1);
  return files;
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
  io::remove_abandoned(directory.string());
  return files;
}

nlohmann::json RunFiles::read_config() const {
  std::ifstream file(config());
  const auto json = nlohmann::json::parse(file, nullptr, false);
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
  std::ifstream file(directory_ / "metrics.jsonl");
  for (std::string line; std::getline(file, line);) {
    auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_object()) lines.push_back(std::move(json));
  }
  return lines;
}

void RunFiles::add_metrics(const nlohmann::ordered_json& line) {
  metrics_ << line.dump() << "\n" << std::flush;
  check<IoError>(metrics_.good(), "cannot write {}: is the disk full?", (directory_ / "metrics.jsonl").string());
}

void RunFiles::keep_metrics_until(std::int64_t step) {
  const fs::path path = directory_ / "metrics.jsonl";
  std::string kept;
  std::ifstream before(path);
  for (std::string line; std::getline(before, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || json.value("step", step + 1) > step) continue;
    const bool before_the_first = json.value("step", std::int64_t{1}) == 0 && step > 0;
    if (json.contains("loss") || before_the_first) kept += line + "\n";
  }
  before.close();
  write("metrics.jsonl", kept);
  metrics_.open(path, std::ios::app);
}

}  // namespace gradus::examples
