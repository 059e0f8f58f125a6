// The exercises on tensors in the page: the student's file is linked with this grader and the library, as at home, and called here.
#include "examples/exercises/wasm/lessons.h"

#include "examples/exercises/grader/source.h"
#include "examples/exercises/set/set.h"

extern "C" [[gnu::weak]] const gradus::exercises::Functions* gradus_functions();  // of the student's file, if there is one

namespace gradus::exercises {

const std::vector<Exercise>& all_exercises() {
  static const std::vector<Exercise> all = {
      set::rule_mul_exercise(),      set::rule_broadcast_exercise(),  set::gradcheck_exercise(), set::swiglu_exercise(),
      set::heads_exercise(),         set::kv_cache_exercise(),        set::block_exercise(),     set::cross_attention_exercise(),
      set::training_loop_exercise(), set::tensor_parallel_exercise(),
  };
  return all;
}

const Lesson& lesson(const std::string& id) {
  static Lesson one;  // a module has one student's file
  one = {exercise(id), {}, {}, gradus_functions != nullptr ? *gradus_functions() : Functions()};
  return one;
}

std::string driver(const Lesson& lesson) { return driver(lesson.exercise, file_of(lesson.exercise)); }

}  // namespace gradus::exercises
