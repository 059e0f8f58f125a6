// The journal of a study: what is kept when, what a cut-off line costs, and which lines of before count.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "examples/shared/experiment/commit.h"
#include "examples/shared/experiment/journal.h"
#include "examples/shared/experiment/made.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

namespace fs = std::filesystem;

class TemporaryFile {
 public:
  TemporaryFile() { remove(); }
  ~TemporaryFile() { remove(); }
  std::string text() const {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void remove() const { fs::remove(path); }
  const fs::path path = fs::temp_directory_path() / "gradus_journal_test.jsonl";
};

}  // namespace

TEST_CASE("journal: a value is in the file once add returns, a line each, so that a kill loses none of them") {
  const TemporaryFile file;
  Journal journal(file.path, "one");
  for (int i = 1; i <= 3; ++i) {
    journal.add(std::to_string(i), 0.1 * i);
    const std::string text = file.text();
    CHECK(std::count(text.begin(), text.end(), '\n') == i);
    CHECK(text.back() == '\n');
  }
}

TEST_CASE("journal: goes on where it was, each number as it was, bit by bit; a line that was cut off is measured again") {
  const TemporaryFile file;
  const double third = 1.0 / 3;
  {
    Journal journal(file.path, "one");
    journal.add("a", as_kept(third));
    journal.add("b", as_kept(-HUGE_VAL));
    journal.add("c", as_kept(NAN));
  }
  fs::resize_file(file.path, fs::file_size(file.path) - 5);
  {
    Journal again(file.path, "one");
    CHECK(again.size() == 2);
    CHECK(number_of(again.at("a")) == third);
    CHECK(number_of(again.at("b")) == -HUGE_VAL);
    CHECK_FALSE(again.knows("c"));
    again.add("c", as_kept(NAN));
  }
  CHECK(std::isnan(number_of(Journal(file.path, "one").at("c"))));
}

TEST_CASE("journal: a line that is no measurement is an error that names it, and the file stays as it was") {
  const TemporaryFile file;
  for (const char* text : {"my notes\n{}\n", "{\"key\":7,\"program\":\"one\",\"value\":1}\n", "[1]\n"}) {
    std::ofstream(file.path) << text;
    CHECK_THROWS_AS(Journal(file.path, "one"), IoError);
    CHECK(file.text() == text);
  }
  for (const char* kept : {"\"banana\"", "null", "{}"}) CHECK_THROWS_AS(number_of(nlohmann::json::parse(kept)), IoError);
}

TEST_CASE("journal: of two that write into one file one ends with an error, and no number of the other's is lost") {
  const TemporaryFile file;
  Journal first(file.path, "one"), second(file.path, "one");
  second.add("a", 1.0);
  CHECK_THROWS_AS(first.add("b", 2.0), IoError);
  CHECK_THROWS_AS(first.check_in_place(), IoError);
  second.add("c", 3.0);
  const Journal after(file.path, "one");
  CHECK(after.size() == 2);
  CHECK(after.at("c") == 3.0);
}

TEST_CASE("journal: each number keeps the commit at which it was measured, and what it took") {
  const TemporaryFile file;
  {
    std::ofstream(file.path) << R"({"program":"one","commit":"1ba4faa","key":"a","value":1.0,"seconds":2.5})" << "\n"
                             << R"({"program":"one","key":"old","value":1.0})" << "\n";
    Journal journal(file.path, "one");
    journal.add("b", 2.0, 0.5);
    CHECK(journal.commit_of("a") == "1ba4faa");
    CHECK(journal.commit_of("old") == "unknown");
    CHECK(journal.commit_of("b") == source_commit());
    CHECK(journal.seconds() == 3);
  }
  const Journal again(file.path, "one");
  CHECK(again.commits() == std::set<std::string>{"1ba4faa", "unknown", source_commit()});
  CHECK(made_by("test", 0, nullptr, again, 0).seconds == 3);
  CHECK(text_of(std::set<std::string>{"1ba4faa", "22db1ae"}) == "1ba4faa, 22db1ae");
  CHECK(committed({"1ba4faa"}));
  CHECK_FALSE(committed({"1ba4faa", "22db1ae+"}));
  CHECK_FALSE(committed({"unknown"}));
}

TEST_CASE("journal: lines of another build count only if they are kept, and again once that build is back") {
  const TemporaryFile file;
  Journal(file.path, "one").add("a", 1.0);
  CHECK(Journal(file.path, "two", true).at("a") == 1.0);
  {
    const Journal other(file.path, "two");
    CHECK(other.size() == 0);
    CHECK(other.of_another_build() == 1);
  }
  CHECK(Journal(file.path, "one").at("a") == 1.0);
}

TEST_CASE("journal: what is missing is measured once each, however often it is asked for, by any number of threads") {
  for (const int threads : {1, 3}) {
    const test::Threads so_many(threads);
    Journal journal;
    journal.add("b", 20.0);
    std::atomic<int> measured = 0;
    std::size_t told = 0;
    measure_missing(
        journal, {"a", "b", "c", "a"},
        [&](std::size_t i) {
          ++measured;
          return nlohmann::json(static_cast<double>(i));
        },
        [&](std::size_t) { ++told; });
    CHECK(measured == 2);
    CHECK(told == 2);
    CHECK(journal.at("a") == 0.0);
    CHECK(journal.at("b") == 20.0);
    CHECK(journal.at("c") == 2.0);
  }
}
