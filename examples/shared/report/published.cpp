#include "examples/shared/report/published.h"

namespace gradus::examples {
namespace {

const Probe& named(const std::vector<Probe>& probes, const std::string& name) {
  for (const Probe& probe : probes) {
    if (probe.name == name) return probe;
  }
  throw ValueError(fmt::format("there is no probe '{}'", name));
}

void keep_numbers(Chapter& chapter, const std::string& id, const std::vector<Probe>& probes) {
  for (const Probe& probe : probes) chapter.number(fmt::format("probes.{}.{}", path_of(id), probe.name), probe.value);
}

void put_beside(Chapter& chapter, const std::vector<Probe>& right, const Answer& wrong) {
  const Published& bug = wrong.published;
  const Probe &meant = named(right, bug.probe), &found = named(wrong.probes, bug.probe);
  chapter.word("bug", bug.id);
  chapter.tell(fmt::format("\n--bug {}: {}\n  {}: {}, right: {}", bug.id, bug.line, found.title, shown(found.value), shown(meant.value)));
}

}  // namespace

std::string path_of(const std::string& id) {
  std::string path = id;
  replace_all(path, "/", ".");
  return path;
}

void write_published(Chapter& chapter, const std::vector<Probe>& right, const std::vector<Answer>& wrong, const std::string& bug) {
  std::vector<std::string> ids, lines, sources, shown_by, names, titles;
  for (const Answer& answer : wrong) {
    ids.push_back(answer.published.id);
    lines.push_back(answer.published.line);
    sources.push_back(answer.published.source);
    shown_by.push_back(answer.published.probe);
  }
  for (const Probe& probe : right) {
    names.push_back(probe.name);
    titles.push_back(probe.title);
  }
  chapter.series("published.ids", ids);
  chapter.series("published.lines", lines);
  chapter.series("published.sources", sources);
  chapter.series("published.probe", shown_by);
  chapter.series("published.names", names);
  chapter.series("published.titles", titles);
  keep_numbers(chapter, "right", right);
  for (const Answer& answer : wrong) {
    keep_numbers(chapter, answer.published.id, answer.probes);
    if (answer.published.id == bug) put_beside(chapter, right, answer);
  }
}

}  // namespace gradus::examples
