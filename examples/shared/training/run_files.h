// RunFiles: the directory in which a training run keeps its configuration, metrics, checkpoint, sample and report.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "examples/shared/training/file_lock.h"

namespace gradus::examples {

class RunFiles {
 public:
  // Makes `directory` for a new run of this configuration, or takes one in which a run ended before its first checkpoint.
  // IoError if it cannot be made, holds a run already, or files of these names that are no run's or no files at all, or if
  // another process is training there.
  static RunFiles create(const std::filesystem::path& directory, const nlohmann::ordered_json& config);
  // The same in the first of runs/<name>, runs/<name>-2, … that holds no checkpoint, and in which nobody trains.
  static RunFiles create_numbered(const std::string& name, const nlohmann::ordered_json& config);
  // Opens the directory of a run to go on with. IoError if there is none, if one of its files is a pipe, a device or a folder,
  // or if another process is training there.
  static RunFiles open(const std::filesystem::path& directory);
  // The same to read only, beside others: nothing is locked, and nothing is to be written.
  static RunFiles look_at(const std::filesystem::path& directory);

  const std::filesystem::path& directory() const { return directory_; }
  std::filesystem::path config() const { return directory_ / "config.json"; }
  std::filesystem::path metrics() const { return directory_ / "metrics.jsonl"; }
  std::filesystem::path checkpoint() const { return directory_ / "checkpoint.safetensors"; }

  // Calls `write`. IoError if the locked directory is not the one of this name, before or afterwards: it was moved away, and
  // another may have its name.
  void in_place(const std::function<void()>& write) const;

  nlohmann::json read_config() const;
  // Each is written whole or not at all; IoError if the disk is full.
  void write_config(const nlohmann::ordered_json& config) const;
  void write_sample(const std::string& text) const { write("sample.txt", text); }

  void write_report(const std::string& page) const { write("report.html", page); }

  // The lines of metrics.jsonl so far, those from before a run was resumed among them; or what keep_metrics_until would keep.
  std::vector<nlohmann::json> read_metrics(std::int64_t step = std::numeric_limits<std::int64_t>::max(), bool goes_on = true) const;
  // One line of metrics.jsonl. IoError if the disk is full, and if the file, or its directory, was moved, removed or replaced;
  // `if_gone` is called before that is said.
  void add_metrics(const nlohmann::ordered_json& line, const std::function<void()>& if_gone = [] {});
  // Drops the metrics after `step`, which a resumed run makes again; so it does the line of its end, unless it goes on.
  void keep_metrics_until(std::int64_t step, bool goes_on);

 private:
  explicit RunFiles(std::filesystem::path directory) : directory_(std::move(directory)) {}
  void lock();  // and removes what a killed process has left
  void check_regular() const;
  void check_ours() const;
  void check_in_place() const;
  void write(const std::string& file, const std::string& text) const;
  std::string metrics_until(std::int64_t step, bool goes_on) const;

  std::filesystem::path directory_;
  std::unique_ptr<FileLock> lock_, metrics_in_use_;
  std::ofstream metrics_;
};

}  // namespace gradus::examples
