#include "tests/examples/exercises/answers.h"

// What the answers include is included here, so that below they are what they define.
#include "core/core.h"
#include "examples/exercises/rows.h"
#include "examples/exercises/set/functions.h"

namespace answer_rule_mul {
#include "examples/exercises/answers/01_rule_mul.cpp"
}

namespace answer_rule_broadcast {
#include "examples/exercises/answers/02_rule_broadcast.cpp"
}

namespace answer_rule_matmul {
#include "examples/exercises/answers/03_rule_matmul.cpp"
}

namespace answer_the_walk {
#include "examples/exercises/answers/04_the_walk.cpp"
}

namespace answer_gradcheck {
#include "examples/exercises/answers/05_gradcheck.cpp"
}

namespace answer_softmax {
#include "examples/exercises/answers/06_softmax.cpp"
}

namespace answer_cross_entropy {
#include "examples/exercises/answers/07_cross_entropy.cpp"
}

namespace answer_activations {
#include "examples/exercises/answers/08_activations.cpp"
}

namespace answer_swiglu {
#include "examples/exercises/answers/09_swiglu.cpp"
}

namespace answer_rms_norm {
#include "examples/exercises/answers/10_rms_norm.cpp"
}
namespace answer_layer_norm_gradient {
#include "examples/exercises/answers/11_layer_norm_gradient.cpp"
}
namespace answer_batch_norm_running {
#include "examples/exercises/answers/12_batch_norm_running.cpp"
}
namespace answer_sinusoids {
#include "examples/exercises/answers/13_sinusoids.cpp"
}

namespace answer_rope {
#include "examples/exercises/answers/14_rope.cpp"
}

namespace answer_alibi {
#include "examples/exercises/answers/15_alibi.cpp"
}

namespace answer_attention {
#include "examples/exercises/answers/16_attention.cpp"
}

namespace answer_attention_gradient {
#include "examples/exercises/answers/17_attention_gradient.cpp"
}

namespace answer_heads {
#include "examples/exercises/answers/18_heads.cpp"
}

namespace answer_kv_cache {
#include "examples/exercises/answers/19_kv_cache.cpp"
}

namespace answer_block {
#include "examples/exercises/answers/20_block.cpp"
}

namespace answer_cross_attention {
#include "examples/exercises/answers/21_cross_attention.cpp"
}

namespace answer_lstm_step {
#include "examples/exercises/answers/22_lstm_step.cpp"
}

namespace answer_adamw {
#include "examples/exercises/answers/23_adamw.cpp"
}
namespace answer_clip_and_schedule {
#include "examples/exercises/answers/24_clip_and_schedule.cpp"
}
namespace answer_training_loop {
#include "examples/exercises/answers/25_training_loop.cpp"
}

namespace answer_sampling {
#include "examples/exercises/answers/26_sampling.cpp"
}

namespace answer_ring_all_reduce {
#include "examples/exercises/answers/27_ring_all_reduce.cpp"
}

namespace answer_tensor_parallel {
#include "examples/exercises/answers/28_tensor_parallel.cpp"
}

namespace gradus::test {

const std::vector<Answer>& answers() {
  namespace set = exercises::set;
  static const std::vector<Answer> all = {
      {"rule-mul", set::rule_mul(answer_rule_mul::mul_rule, answer_rule_mul::square_rule, answer_rule_mul::times)},
      {"rule-broadcast",
       set::rule_broadcast(answer_rule_broadcast::summed_to, answer_rule_broadcast::mul_rule, answer_rule_broadcast::sum_rule)},
      {"rule-matmul", set::rule_matmul(answer_rule_matmul::matmul_gradient, answer_rule_matmul::stack_gradient,
                                       answer_rule_matmul::vector_gradient, answer_rule_matmul::gram_gradient)},
      {"the-walk", set::the_walk(answer_the_walk::walk)},
      {"gradcheck", set::gradcheck(answer_gradcheck::differences, answer_gradcheck::is_right)},
      {"softmax", set::softmax(answer_softmax::softmax, answer_softmax::softmax_gradient)},
      {"cross-entropy", set::cross_entropy(answer_cross_entropy::cross_entropy, answer_cross_entropy::cross_entropy_gradient,
                                           answer_cross_entropy::kl_divergence, answer_cross_entropy::perplexity)},
      {"activations", set::activations(answer_activations::leaky_relu, answer_activations::leaky_relu_gradient, answer_activations::silu,
                                       answer_activations::silu_gradient, answer_activations::gelu, answer_activations::gelu_gradient)},
      {"swiglu", set::swiglu(answer_swiglu::swiglu, answer_swiglu::gate_gradient, answer_swiglu::swiglu_width, answer_swiglu::clamped_gate,
                             answer_swiglu::expert_weights, answer_swiglu::balance_loss)},
      {"rms-norm", set::rms_norm(answer_rms_norm::rms_norm, answer_rms_norm::rms_norm_gradient)},
      {"layer-norm-gradient",
       set::layer_norm_gradient(answer_layer_norm_gradient::layer_norm, answer_layer_norm_gradient::layer_norm_gradient)},
      {"batch-norm-running", set::batch_norm_running(answer_batch_norm_running::batch_norm, answer_batch_norm_running::batch_norm_in_eval)},
      {"sinusoids", set::sinusoids(answer_sinusoids::sinusoids, answer_sinusoids::add_sinusoids)},
      {"rope", set::rope(answer_rope::rope, answer_rope::rope_gradient, answer_rope::rope_heads, answer_rope::pairs_from_halves)},
      {"alibi", set::alibi(answer_alibi::alibi_slopes, answer_alibi::alibi_scores)},
      {"attention",
       set::attention(answer_attention::attention, answer_attention::attention_in_window, answer_attention::attention_of_heads)},
      {"attention-gradient", set::attention_gradient(answer_attention_gradient::attention_gradient)},
      {"heads", set::heads(answer_heads::split_heads, answer_heads::merge_heads, answer_heads::share_heads)},
      {"kv-cache", set::kv_cache(answer_kv_cache::attend)},
      {"block", set::block(answer_block::pre_norm, answer_block::post_norm, answer_block::deep_norm, answer_block::mhc)},
      {"cross-attention", set::cross_attention(answer_cross_attention::cross_attention)},
      {"lstm-step", set::lstm_step(answer_lstm_step::lstm_step, answer_lstm_step::lstm_gradient)},
      {"adamw", set::adamw(answer_adamw::nesterov, answer_adamw::adamw)},
      {"clip-and-schedule", set::clip_and_schedule(answer_clip_and_schedule::clip, answer_clip_and_schedule::rate)},
      {"training-loop", set::training_loop(answer_training_loop::train)},
      {"sampling",
       set::sampling(answer_sampling::penalize, answer_sampling::keep_top_k, answer_sampling::keep_top_p, answer_sampling::next_id)},
      {"ring-all-reduce",
       set::ring_all_reduce(answer_ring_all_reduce::reduce_scatter, answer_ring_all_reduce::all_gather, answer_ring_all_reduce::average)},
      {"tensor-parallel", set::tensor_parallel(answer_tensor_parallel::copy_to_ranks, answer_tensor_parallel::sum_over_ranks,
                                               answer_tensor_parallel::part_of_layer, answer_tensor_parallel::gradient_length)},
  };
  return all;
}

}  // namespace gradus::test
