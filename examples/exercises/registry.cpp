#include "examples/exercises/registry.h"

#include <nlohmann/json.hpp>

#include "examples/exercises/grader/diagnose.h"
#include "examples/exercises/grader/source.h"
#include "examples/exercises/in_place/gpt.h"
#include "examples/exercises/mistakes.h"
#include "examples/exercises/tutor/folder.h"
#include "examples/exercises/tutor/order.h"

namespace gradus::exercises {
namespace {

using Json = nlohmann::ordered_json;

// "shown" are the probes on which it is not right, counted from 1.
Json of_mistake(const Stage& stage, const Mistake& mistake) {
  const Published& published = published_as(mistake.id);
  Json shown = Json::array();
  for (std::size_t p = 0; p < stage.probes.size(); ++p) {
    const auto wrong = attempt([&](const Probe& probe) { return stage.with(probe, alone(mistake)); }, stage.probes[p]);
    if (!wrong.outputs || !equal(*wrong.outputs, stage.right(stage.probes[p]))) shown.push_back(p + 1);  // one that throws is seen, too
  }
  Json json = {{"id", mistake.id}, {"line", published.line}, {"shown", shown}};
  if (!published.source.empty()) json["source"] = published.source;
  if (mistake.convention) json["convention"] = true;
  return json;
}

Json of_stage(const Stage& stage) {
  Json mistakes = Json::array(), probes = Json::array(), laws = Json::array();
  for (const Mistake& mistake : stage.mistakes) mistakes.push_back(of_mistake(stage, mistake));
  for (const Probe& probe : stage.probes) probes.push_back(probe.name);
  for (const Law& law : stage.laws) laws.push_back(law.sentence);
  return {{"function", stage.function}, {"probes", probes}, {"laws", laws}, {"mistakes", mistakes}, {"hints", stage.hints}};
}

}  // namespace

std::string registry() {
  Json all = Json::array();
  for (const Exercise& one : all_exercises()) {
    Json stages = Json::array();
    for (const Stage& stage : one.stages) stages.push_back(of_stage(stage));
    all.push_back({{"number", one.number},
                   {"id", one.id},
                   {"title", one.title},
                   {"section", one.section},
                   {"also", one.also},
                   {"minutes", one.minutes},
                   {"needs", one.needs},
                   {"program", program_before(one)},
                   {"part", part_of(one.id)},
                   {"stages", stages},
                   {"file", file_of(one)},
                   {"driver", driver(one, file_of(one))},
                   {"stub", stub_of(one)}});
  }
  return all.dump(1) + "\n";
}

}  // namespace gradus::exercises
