// tests/formula_ids.txt names every formula, convention, erratum and claim by its id. Each id has its places: the region
// that is the formula, a test whose title begins with it. And what has a place is on the list.
#include <sstream>

#include "tests/core/sources.h"
#include "tests/support/check.h"

using namespace gradus::test;

namespace {

const std::string kList = "tests/formula_ids.txt";

// The ids of the list under each of its headings, which begin with "## ".
std::map<std::string, Names> listed() {
  std::map<std::string, Names> result;
  std::istringstream list(text_of(kList));
  std::string heading;
  for (std::string line; std::getline(list, line);) {
    if (line.rfind("## ", 0) == 0) {
      heading = line.substr(3, line.find(':') - 3);
    } else if (!line.empty() && line[0] != '#') {
      CHECK_MESSAGE(result[heading].insert(line).second, line, " is listed twice");
    }
  }
  return result;
}

Names under(const std::string& heading) {
  const Names ids = listed()[heading];
  CHECK_MESSAGE(!ids.empty(), "no id under the heading '", heading, "'");
  return ids;
}

Names all_listed() {
  Names all;
  for (const auto& [heading, ids] : listed()) all.insert(ids.begin(), ids.end());
  return all;
}

// Ids with the file that each was last seen in.
using Places = std::map<std::string, std::string>;

Places regions() {
  Places result;
  for (const auto& [path, text] : sources({"core", "nn", "optim", "examples"})) {
    for (const std::string& id : found(text, "// #region (\\S+)$")) result[id] = path;
  }
  return result;
}

// The formula id of a table's row, {"name", "id", value}; and a claim wherever a program names it.
Places rows() {
  Places result;
  for (const auto& [path, text] : sources({"core", "nn", "optim", "examples"})) {
    if (path.rfind("examples/exercises/", 0) == 0) continue;  // their ids are of exercises and mistakes
    for (const std::string& id : found(text, "\\{\"[a-z0-9-]+\",\\s*\"([a-z0-9]+-[a-z0-9-]+)\"(?!,\\s*\")")) result[id] = path;
    for (const std::string& id : found(text, "\"(claim-[a-z0-9-]+)\"")) result[id] = path;
  }
  return result;
}

// The title that follows TEST_CASE(, which may be several literals one after the other.
std::string title_at(const std::string& text, std::size_t at) {
  std::string title;
  while ((at = text.find_first_not_of(" \n", at)) != std::string::npos && text[at] == '"') {
    const std::size_t end = text.find('"', at + 1);
    title += text.substr(at + 1, end - at - 1);
    at = end + 1;
  }
  return title;
}

// The ids at the head of a test's title: "norm-rms, norm-layer: what is asserted". Among other heads ("house: …") only those
// count that look like an id of a family on the list.
Places tags() {
  Names families;
  for (const std::string& id : all_listed()) families.insert(id.substr(0, id.find('-')));
  Places result;
  const std::string begin = "TEST_CASE(";
  for (const auto& [path, text] : sources({"tests"}, {".cpp"})) {
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
      const std::string title = title_at(text, at + begin.size());
      for (const std::string& id : found(title.substr(0, title.find(':')), "(?:^|, )([a-z0-9]+(?:-[a-z0-9]+)+)(?=,|$)")) {
        if (families.count(id.substr(0, id.find('-'))) != 0) result[id] = path;
      }
    }
  }
  return result;
}

// "norm-rms.kernel" is the fast path's loop, of the formula norm-rms.
std::string formula_of(const std::string& region) { return region.substr(0, region.find(".kernel")); }

}  // namespace

TEST_CASE("formula ids: every region, row of a table and tag of a test is on the list, once") {
  const Names all = all_listed();
  for (const Places& places : {regions(), rows(), tags()}) {
    CHECK(places.size() > 50);
    for (const auto& [id, path] : places) {
      CHECK_MESSAGE(all.count(formula_of(id)) != 0, path, ": ", id, " is not in ", kList);
    }
  }
}

TEST_CASE("formula ids: a formula, an op that the book shows and a part of core that it walks through are regions, each with a test") {
  const Places region = regions(), tag = tags();
  for (const char* heading : {"a formula", "an op that the book shows", "a part of core that the book walks through"}) {
    for (const std::string& id : under(heading)) {
      CHECK_MESSAGE(region.count(id) != 0, "no region is called ", id);
      CHECK_MESSAGE(tag.count(id) != 0, "no test's title begins with ", id);
    }
  }
}

TEST_CASE("formula ids: a convention and an erratum have a test, a claim a test or an experiment") {
  const Places tag = tags(), row = rows();
  for (const char* heading : {"a convention", "an erratum"}) {
    for (const std::string& id : under(heading)) CHECK_MESSAGE(tag.count(id) != 0, "no test's title begins with ", id);
  }
  for (const std::string& id : under("a claim")) {
    CHECK_MESSAGE((tag.count(id) != 0 || row.count(id) != 0), "no test and no program decides ", id);
  }
}

TEST_CASE("formula ids: a claim that a chapter judges is a claim of the notes") {
  const Names claims = under("a claim");
  std::size_t judged = 0;
  for (const auto& [path, text] : sources({"examples"})) {
    for (const std::string& id : found(text, "chapter\\.claim\\(\\s*\"([a-z0-9-]+)\"")) {
      CHECK_MESSAGE(claims.count("claim-" + id) != 0, path, ": there is no claim-", id);
      ++judged;
    }
  }
  CHECK(judged >= 10);
}
