// Journal: what a long study has measured so far, one line each, so that it goes on where it was stopped.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "examples/shared/training/line_file.h"

namespace gradus::examples {

// The same for the same build of this program, and for no other.
std::string program_fingerprint();

class Journal {
 public:
  Journal();  // of this process alone
  // Goes on with a file, or begins it. With each number goes the sources' commit, and how long it took. Lines that another build
  // of the program wrote stay, but count only if `keep`; a last line that was cut off is dropped. IoError if the file cannot be
  // read or written, and for any other line that is no measurement; then nothing is changed.
  explicit Journal(const std::filesystem::path& file, const std::string& program = program_fingerprint(), bool keep = false);
  ~Journal();

  std::size_t size() const;
  std::size_t of_another_build() const { return of_another_build_; }  // lines that do not count
  bool knows(const std::string& key) const;
  const nlohmann::json& at(const std::string& key) const;      // ValueError for a key that it does not know
  const std::string& commit_of(const std::string& key) const;  // at which it was measured; "unknown" in an old file
  std::set<std::string> commits() const;                       // of all that count
  double seconds() const;                                      // that all of them took, on one thread each
  void check_in_place() const;                                 // IoError as of LineFile
  // Kept once this returns, even if the process is killed. IoError as of LineFile.
  void add(const std::string& key, const nlohmann::json& value, double seconds = 0);

 private:
  bool read(bool keep);  // false if its last line was cut off

  struct Entry;
  const Entry& entry(const std::string& key) const;

  std::map<std::string, Entry> entries_;
  std::vector<std::string> lines_;  // while it is read
  std::optional<LineFile> file_;
  std::string program_, commit_;
  std::size_t of_another_build_ = 0;
};

// Measures it and keeps it.
void measure_into(Journal& journal, const std::string& key, const std::function<nlohmann::json()>& measure);

// Measures what the journal does not know of `keys`, as many at a time as there are threads, each by one: so numbers do not
// depend on the machine's cores. `done` hears the index of each as it is kept, one at a time.
void measure_missing(Journal& journal, const std::vector<std::string>& keys, const std::function<nlohmann::json(std::size_t)>& measure,
                     const std::function<void(std::size_t)>& done = {});

// As the journal keeps numbers: JSON has no NaN and no ∞.
nlohmann::json as_kept(double x);
double number_of(const nlohmann::json& kept);

}  // namespace gradus::examples
