// RunFiles: the directory in which a training run keeps its configuration, metrics, checkpoint, sample and report.
#pragma once

#include <filesystem>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "examples/shared/training/line_file.h"

namespace gradus::examples {

class RunFiles {
 public:
  // Makes `directory` for a new run of this configuration, or takes one in which a run ended before its first checkpoint.
  // IoError if it cannot be made, holds a run already, or files of these names that are no run's or no files at all.
  static RunFiles create(const std::filesystem::path& directory, const nlohmann::ordered_json& config);
  // The same in the first of runs/<name>, runs/<name>-2, … that is not there yet.
  static RunFiles create_numbered(const std::string& name, const nlohmann::ordered_json& config);
  // Opens the directory of a run to go on with. IoError if there is none, or if one of its files is a pipe, a device or a folder.
  static RunFiles open(const std::filesystem::path& directory);

  const std::filesystem::path& directory() const { return directory_; }
  std::filesystem::path config() const { return directory_ / "config.json"; }
  const std::filesystem::path& metrics() const { return metrics_.path(); }
  std::filesystem::path checkpoint() const { return directory_ / "checkpoint.safetensors"; }

  // IoError if metrics.jsonl is not as this process left it (LineFile). Nothing here is written without asking that; the
  // checkpoint's writer asks for himself.
  void check_in_place() const { metrics_.check_in_place(); }

  nlohmann::json read_config() const;
  // Each is written whole or not at all; IoError if the disk is full.
  void write_config(const nlohmann::ordered_json& config) const;
  void write_sample(const std::string& text) const { write("sample.txt", text); }

  void write_report(const std::string& page) const { write("report.html", page); }

  // The lines of metrics.jsonl so far, those from before a run was resumed among them; or what keep_metrics_until would keep.
  std::vector<nlohmann::json> read_metrics(std::int64_t step = std::numeric_limits<std::int64_t>::max(), bool goes_on = true) const;
  void add_metrics(const nlohmann::ordered_json& line);  // one line of metrics.jsonl; errors as of LineFile
  // Drops the metrics after `step`, which a resumed run makes again; so it does the line of its end, unless it goes on.
  void keep_metrics_until(std::int64_t step, bool goes_on);

 private:
  explicit RunFiles(const std::filesystem::path& directory) : directory_(directory), metrics_(directory / "metrics.jsonl") {}
  void remove_abandoned() const;  // what a killed process has left
  void check_regular() const;
  void check_ours() const;
  void write(const std::string& file, const std::string& text) const;
  std::string metrics_until(std::int64_t step, bool goes_on) const;

  std::filesystem::path directory_;
  LineFile metrics_;
};

}  // namespace gradus::examples
