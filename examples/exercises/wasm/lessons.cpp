#include "examples/exercises/wasm/lessons.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/check.h"
#include "examples/exercises/grader/exercise.h"
#include "examples/exercises/set/functions.h"
#include "examples/exercises/set/set.h"
#include "examples/exercises/wasm/bridge.h"

namespace gradus::exercises {
namespace {

const std::vector<Lesson>& all_lessons() {
  static const std::vector<Lesson> all = {
      lesson_of(set::rule_matmul_exercise(), set::rule_matmul),
      lesson_of(set::the_walk_exercise(), set::the_walk<Entry>),
      lesson_of(set::softmax_exercise(), set::softmax),
      lesson_of(set::cross_entropy_exercise(), set::cross_entropy),
      lesson_of(set::activations_exercise(), set::activations),
      lesson_of(set::rms_norm_exercise(), set::rms_norm),
      lesson_of(set::layer_norm_gradient_exercise(), set::layer_norm_gradient),
      lesson_of(set::batch_norm_running_exercise(), set::batch_norm_running),
      lesson_of(set::sinusoids_exercise(), set::sinusoids),
      lesson_of(set::rope_exercise(), set::rope),
      lesson_of(set::alibi_exercise(), set::alibi),
      lesson_of(set::attention_exercise(), set::attention),
      lesson_of(set::attention_gradient_exercise(), set::attention_gradient),
      lesson_of(set::lstm_step_exercise(), set::lstm_step),
      lesson_of(set::adamw_exercise(), set::adamw),
      lesson_of(set::clip_and_schedule_exercise(), set::clip_and_schedule),
      lesson_of(set::sampling_exercise(), set::sampling),
      lesson_of(set::ring_all_reduce_exercise(), set::ring_all_reduce),
  };
  return all;
}

}  // namespace

const std::vector<Exercise>& all_exercises() {
  static const std::vector<Exercise> all = [] {
    std::vector<Exercise> exercises;
    for (const Lesson& one : all_lessons()) exercises.push_back(one.exercise);
    return exercises;
  }();
  return all;
}

const Lesson& lesson(const std::string& id) {
  for (const Lesson& one : all_lessons()) {
    if (one.exercise.id == id) return one;
  }
  throw ValueError(fmt::format("the exercise '{}' is none of those that can be written in the page", id));
}

std::string driver(const Lesson& lesson) {
  std::string cases;
  const auto& stages = lesson.exercise.stages;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    std::vector<std::string> arguments;
    for (int i = 0; i < lesson.parameters[s]; ++i) arguments.push_back(fmt::format("a[{}]", i));
    const std::string call = fmt::format("static_cast<{}>(::{})({})", lesson.types[s], stages[s].function, fmt::join(arguments, ", "));
    const bool returns = lesson.types[s].rfind("void", 0) != 0;
    cases += fmt::format("  if (function == {}) {}{};\n", s, returns ? "return " : "", call);
  }
  return fmt::format(
      "#include \"{}\"\n#include \"examples/exercises/wasm/callable.h\"\n"
      "extern \"C\" [[clang::export_name(\"call\")]] double call(int function, [[maybe_unused]] const Slot* a) {{\n{}  return 0;\n}}\n",
      file_of(lesson.exercise), cases);
}

}  // namespace gradus::exercises
