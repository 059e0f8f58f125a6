// The exercises' definitions, and what they share.
#pragma once

#include <cstdint>

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/compare.h"
#include "examples/exercises/grader/exercise.h"

namespace gradus::exercises {

// Numbers of N(mean, 1) · size, the same for the same seed: [shape].
Array drawn(const std::string& name, std::vector<int> shape, std::uint64_t seed, double size = 1, double mean = 0);

// Between the library's tensors, in f64, and arrays.
Tensor tensor_of(const Array& array);
Array array_of(const std::string& name, const Tensor& tensor);

// What a student's function gave, as array_of: WrongShape if it is undefined or has another shape, or numbers that are not f64.
Array checked(const std::string& name, const Tensor& tensor, const std::vector<int>& shape);
// InputChanged unless the tensor that was made of this input still holds its numbers.
void check_unchanged(const Probe& probe, const std::string& input, const Tensor& tensor);

// A function of what answers/generate.cpp made of an answer, with these mistakes. `made` is where it, and what it calls, look whether a
// wrong line is switched on.
std::function<Outputs(const Probe&, Made)> with_mistakes(const std::vector<Made*>& made, const Function& function);

namespace set {
Exercise rule_mul_exercise();
Exercise rule_broadcast_exercise();
Exercise rule_matmul_exercise();
Exercise the_walk_exercise();
Exercise gradcheck_exercise();
Exercise softmax_exercise();
Exercise cross_entropy_exercise();
Exercise activations_exercise();
Exercise swiglu_exercise();
Exercise rms_norm_exercise();
Exercise layer_norm_gradient_exercise();
Exercise batch_norm_running_exercise();
Exercise sinusoids_exercise();
Exercise rope_exercise();
Exercise alibi_exercise();
Exercise attention_exercise();
Exercise attention_gradient_exercise();
Exercise heads_exercise();
Exercise kv_cache_exercise();
Exercise block_exercise();
Exercise cross_attention_exercise();
Exercise lstm_step_exercise();
Exercise adamw_exercise();
Exercise clip_and_schedule_exercise();
Exercise training_loop_exercise();
Exercise sampling_exercise();
Exercise ring_all_reduce_exercise();
Exercise tensor_parallel_exercise();
}  // namespace set

}  // namespace gradus::exercises
