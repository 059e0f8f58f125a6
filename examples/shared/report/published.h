// A chapter's library of wrong answers: what was published with a mistake, measured beside what is right.
#pragma once

#include <fmt/format.h>

#include "core/check.h"
#include "examples/shared/report/chapter.h"

namespace gradus::examples {

struct Published {
  std::string id, line, source;  // "norm/cancellation", what is wrong in it, where that was published
  std::string probe;             // the name of the one that shows it
};

// Something to measure of each version, by which they can be told apart.
struct Probe {
  std::string name, title;  // "nan_rows", "NaN rows of 1000"
  double value;
};

struct Answer {
  Published published;
  std::vector<Probe> probes;  // the same ones of all
};

std::string path_of(const std::string& id);  // "norm.cancellation", among the numbers

// Writes the lines, sources and probes of all as the series `published`, and the numbers probes.right.nan_rows and
// probes.norm.cancellation.nan_rows. The tour shows `bug`, if it is an id, beside the right one.
void write_published(Chapter& chapter, const std::vector<Probe>& right, const std::vector<Answer>& wrong, const std::string& bug);

// The row of this id. ValueError where there is none.
template <typename Row> const Row& published(const std::vector<Row>& rows, const std::string& id) {
  for (const Row& row : rows) {
    if (row.id == id) return row;
  }
  throw ValueError(fmt::format("nothing was published as '{}'", id));
}

// `probes` of the right version and of each wrong one, written as above.
template <typename Row, typename ProbesOf>
void write_published(Chapter& chapter, const Row& right, const std::vector<Row>& wrong, const std::string& bug, const ProbesOf& probes) {
  std::vector<Answer> answers;
  for (const Row& row : wrong) answers.push_back({row, probes(row)});
  write_published(chapter, probes(right), answers, bug);
}

}  // namespace gradus::examples
