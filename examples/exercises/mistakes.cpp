#include "examples/exercises/mistakes.h"

#include <algorithm>

#include "examples/exercises/grader/exercise.h"
#include "examples/shared/mistakes/attentions.h"
#include "examples/shared/mistakes/recipes.h"
#include "examples/shared/mistakes/rotations.h"
#include "examples/shared/mistakes/wrong_norms.h"

namespace gradus::exercises {
namespace {

bool has(const std::vector<Published>& all, const std::string& id) {
  return std::any_of(all.begin(), all.end(), [&](const Published& one) { return one.id == id; });
}

template <typename Rows> void append(std::vector<Published>& all, const Rows& rows) { all.insert(all.end(), rows.begin(), rows.end()); }

}  // namespace

const std::vector<Published>& all_published() {
  static const std::vector<Published> all = [] {
    std::vector<Published> rows;
    append(rows, examples::wrong_norms());
    append(rows, examples::wrong_rotations(8));
    append(rows, examples::wrong_attentions());
    append(rows, examples::wrong_recipes());
    for (const Exercise& exercise : all_exercises()) {
      for (const Stage& stage : exercise.stages) {
        for (const Mistake& mistake : stage.mistakes) {
          if (!mistake.line.empty() && !has(rows, mistake.id)) rows.push_back({mistake.id, mistake.line, mistake.source, ""});
        }
      }
    }
    return rows;
  }();
  return all;
}

const Published& published_as(const std::string& id) { return examples::published(all_published(), id); }

}  // namespace gradus::exercises
