#include "examples/exercises/set/set.h"

namespace gradus::exercises {

const std::vector<Exercise>& all_exercises() {
  static const std::vector<Exercise> all = {
      set::rule_mul_exercise(),
      set::rule_broadcast_exercise(),
      set::rule_matmul_exercise(),
      set::the_walk_exercise(),
      set::gradcheck_exercise(),
      set::softmax_exercise(),
      set::cross_entropy_exercise(),
      set::activations_exercise(),
      set::swiglu_exercise(),
      set::rms_norm_exercise(),
      set::layer_norm_gradient_exercise(),
      set::batch_norm_running_exercise(),
      set::sinusoids_exercise(),
      set::rope_exercise(),
      set::alibi_exercise(),
      set::attention_exercise(),
      set::attention_gradient_exercise(),
      set::heads_exercise(),
      set::kv_cache_exercise(),
      set::block_exercise(),
      set::cross_attention_exercise(),
      set::lstm_step_exercise(),
      set::adamw_exercise(),
      set::clip_and_schedule_exercise(),
      set::training_loop_exercise(),
      set::sampling_exercise(),
      set::ring_all_reduce_exercise(),
      set::tensor_parallel_exercise(),
  };
  return all;
}

}  // namespace gradus::exercises
