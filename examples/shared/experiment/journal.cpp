#include "examples/shared/experiment/journal.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "core/check.h"
#include "core/machine/threads.h"
#include "examples/shared/experiment/commit.h"
#include "examples/shared/report/read_json.h"

namespace gradus::examples {

using Json = nlohmann::json;

std::string program_fingerprint() {
  std::ifstream program("/proc/self/exe", std::ios::binary);
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a (Fowler, Noll, Vo, 1991), of words of eight bytes
  for (std::uint64_t word = 0; program.read(reinterpret_cast<char*>(&word), sizeof word);) {
    hash = (hash ^ word) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

struct Journal::Entry {
  Json value;
  std::string commit;
  double seconds;
};

Journal::Journal() : commit_(source_commit()) {}
Journal::~Journal() = default;

Journal::Journal(const std::filesystem::path& file, const std::string& program, bool keep) : program_(program), commit_(source_commit()) {
  check<IoError>(!std::filesystem::exists(file) || std::filesystem::is_regular_file(file), "{} is no regular file", file.string());
  file_.emplace(file);
  if (!read(keep)) {
    std::string whole;
    for (const std::string& line : lines_) whole += line + "\n";
    file_->replace(whole);
  }
  lines_.clear();
}

void Journal::check_in_place() const {
  if (file_) file_->check_in_place();
}

bool Journal::read(bool keep) {
  std::ifstream before(file_->path());
  for (std::string line; std::getline(before, line);) {
    const bool cut_off = before.eof();
    const Json entry = read_json(line);
    const bool measured = entry.is_object() && entry.contains("value") && entry.value("key", Json()).is_string() &&
                          entry.value("program", Json()).is_string();
    check<IoError>(measured || cut_off, "{}: line {} is no measurement; take it out, or choose another --out", file_->path().string(),
                   lines_.size() + 1);
    if (measured) {
      lines_.push_back(line);
      if (keep || entry.at("program") == program_) {
        const Json &commit = entry.value("commit", Json("unknown")), &seconds = entry.value("seconds", Json(0.0));
        check<IoError>(commit.is_string() && seconds.is_number(),
                       "{}: line {} has no commit or no seconds; take it out, or choose "
                       "another --out",
                       file_->path().string(), lines_.size());
        entries_[entry.at("key")] = {entry.at("value"), commit, seconds};
      } else {
        ++of_another_build_;
      }
    }
    if (cut_off) return false;
  }
  return true;
}

std::size_t Journal::size() const { return entries_.size(); }
bool Journal::knows(const std::string& key) const { return entries_.contains(key); }

const Journal::Entry& Journal::entry(const std::string& key) const {
  const auto found = entries_.find(key);
  check<ValueError>(found != entries_.end(), "it was not measured: {}", key);
  return found->second;
}

const Json& Journal::at(const std::string& key) const { return entry(key).value; }
const std::string& Journal::commit_of(const std::string& key) const { return entry(key).commit; }

std::set<std::string> Journal::commits() const {
  std::set<std::string> all;
  for (const auto& [key, entry] : entries_) all.insert(entry.commit);
  return all;
}

double Journal::seconds() const {
  double sum = 0;
  for (const auto& [key, entry] : entries_) sum += entry.seconds;
  return sum;
}

void Journal::add(const std::string& key, const Json& value, double seconds) {
  if (file_) file_->add(Json{{"program", program_}, {"commit", commit_}, {"key", key}, {"value", value}, {"seconds", seconds}}.dump());
  entries_[key] = {value, commit_, seconds};
}

namespace {

// What it measures, and how long that took, in thousandths of a second.
std::pair<Json, double> timed(const std::function<Json()>& measure) {
  const auto begun = std::chrono::steady_clock::now();
  Json value = measure();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  return {std::move(value), std::round(1000 * took.count()) / 1000};
}

}  // namespace

void measure_into(Journal& journal, const std::string& key, const std::function<Json()>& measure) {
  const auto [value, seconds] = timed(measure);
  journal.add(key, value, seconds);
}

void measure_missing(Journal& journal, const std::vector<std::string>& keys, const std::function<Json(std::size_t)>& measure,
                     const std::function<void(std::size_t)>& done) {
  std::vector<std::size_t> missing;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!journal.knows(keys[i]) && seen.insert(keys[i]).second) missing.push_back(i);
  }
  std::atomic<std::size_t> next = 0;
  std::mutex one_at_a_time;
  run_on_team(num_threads(), [&](std::int64_t) {
    for (std::size_t n = next++; n < missing.size(); n = next++) {
      const auto [value, seconds] = timed([&] { return measure(missing[n]); });
      const std::lock_guard lock(one_at_a_time);
      journal.add(keys[missing[n]], value, seconds);
      if (done) done(missing[n]);
    }
  });
}

Json as_kept(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

double number_of(const Json& kept) {
  if (kept.is_number()) return kept.get<double>();
  if (kept == "nan") return std::numeric_limits<double>::quiet_NaN();
  check<IoError>(kept == "inf" || kept == "-inf", "cells.jsonl holds {} in place of a number: it is damaged", told(kept));
  return kept == "inf" ? HUGE_VAL : -HUGE_VAL;
}

}  // namespace gradus::examples
