// What makes a student's functions the grader's, and the exercises that they belong to. An answer is compiled with this.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "examples/exercises/grader/function.h"

namespace gradus {
class Shape;
class Tensor;
struct Axes;
using Tensors = std::vector<Tensor>;
}  // namespace gradus

namespace gradus::exercises {
struct Exercise;
}

namespace gradus::exercises::set {

Functions rule_mul(std::pair<Tensor, Tensor> (*mul_rule)(const Tensor& g, const Tensor& a, const Tensor& b),
                   Tensor (*square_rule)(const Tensor& g, const Tensor& x), Tensor (*times)(const Tensor& a, const Tensor& b));
Exercise rule_mul_exercise();

Functions rule_broadcast(Tensor (*summed_to)(const Tensor& g, const Shape& shape),
                         std::pair<Tensor, Tensor> (*mul_rule)(const Tensor& g, const Tensor& a, const Tensor& b),
                         Tensor (*sum_rule)(const Tensor& g, const Shape& shape, const Axes& axes));
Exercise rule_broadcast_exercise();

Functions rule_matmul(void (*matmul)(In g, In a, In b, Out da, Out db), void (*stack)(int matrices, In g, In a, In b, Out da, Out db),
                      void (*vector)(In g, In a, In v, Out da, Out dv), void (*gram)(In g, In x, Out dx));
Exercise rule_matmul_exercise();

using Walk = std::function<void(const Probe& tape, int y, Out grad)>;
Functions the_walk(const Walk& walk);
// Entry is what the student's file has: two places and two slopes.
template <typename Entry> Functions the_walk(void (*walk)(const Entry* tape, int y, Out grad)) {
  return the_walk([walk](const Probe& p, int y, Out grad) {
    const In inputs = p.in("inputs"), slopes = p.in("slopes");
    std::vector<Entry> tape;
    for (int at = 0; at < inputs.columns; ++at) {
      tape.push_back({{static_cast<int>(inputs[0][at]), static_cast<int>(inputs[1][at])}, {slopes[0][at], slopes[1][at]}});
    }
    walk(tape.data(), y, grad);
  });
}
Exercise the_walk_exercise();

using TensorOp = std::function<Tensor(const Tensor& x)>;                     // from x to y
using TensorRule = std::function<Tensor(const Tensor& g, const Tensor& x)>;  // from dL/dy to dL/dx
using Differences = std::function<Tensor(const TensorOp& f, const Tensor& x, const Tensor& g, double h)>;
using CentralDifferences = Tensor(const TensorOp& f, const Tensor& x, const Tensor& g, double h);
using IsRight = bool(const TensorOp& f, const TensorRule& rule, const Tensor& x, const Differences& central);
Functions gradcheck(CentralDifferences* differences, IsRight* is_right);
Exercise gradcheck_exercise();

Functions softmax(void (*value)(In x, Out y), void (*gradient)(In g, In y, Out dx));
Exercise softmax_exercise();

Functions cross_entropy(double (*value)(In z, const int* target, double smoothing),
                        void (*gradient)(double g, In z, const int* target, double smoothing, Out dz),
                        double (*kl_divergence)(In log_p, In log_q), double (*perplexity)(In sum, In count));
Exercise cross_entropy_exercise();

using LeakyValue = void (*)(In x, double slope, Out y);
using LeakyGradient = void (*)(In g, In x, double slope, Out dx);
using CurveValue = void (*)(In x, Out y);
using CurveGradient = void (*)(In g, In x, Out dx);
Functions activations(LeakyValue leaky_relu, LeakyGradient leaky_relu_gradient, CurveValue silu, CurveGradient silu_gradient,
                      CurveValue gelu, CurveGradient gelu_gradient);
Exercise activations_exercise();

Functions swiglu(Tensor (*value)(const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3),
                 Tensors (*gate_gradient)(const Tensor& g, const Tensor& a, const Tensor& b), int64_t (*width)(int64_t d, int64_t multiple),
                 Tensor (*clamped)(const Tensor& a, const Tensor& b, double limit),
                 Tensor (*expert_weights)(const Tensor& z, const Tensor& b, int64_t k),
                 Tensor (*balance_loss)(const Tensor& s, const Tensor& w));
Exercise swiglu_exercise();

Functions rms_norm(void (*value)(In x, In gain, double eps, Out y), void (*gradient)(In g, In x, In gain, double eps, Out dx, Out dgain));
Exercise rms_norm_exercise();

Functions layer_norm_gradient(void (*value)(In x, In gain, In bias, double eps, Out y),
                              void (*gradient)(In g, In x, In gain, double eps, Out dx, Out dgain, Out dbias));
Exercise layer_norm_gradient_exercise();

Functions batch_norm_running(void (*training)(In x, In gain, In bias, double eps, double momentum, Out mean, Out variance, Out y),
                             void (*eval)(In x, In mean, In variance, In gain, In bias, double eps, Out y));
Exercise batch_norm_running_exercise();

Functions sinusoids(void (*waves)(In positions, double base, Out y), void (*added)(In x, int texts, double base, Out y));
Exercise sinusoids_exercise();

Functions rope(void (*value)(In x, In positions, int width, double theta, Out y),
               void (*gradient)(In g, In positions, int width, double theta, Out dx),
               void (*of_heads)(In q, In k, In v, In positions, int heads, double theta, Out new_q, Out new_k, Out new_v),
               void (*order)(In w, int heads, Out y));
Exercise rope_exercise();

Functions alibi(void (*slopes)(Out m), void (*scores)(In products, In slopes, In queries, In keys, int d, Out e));
Exercise alibi_exercise();

Functions attention(void (*whole)(In q, In k, In v, Out y), void (*in_window)(In q, In k, In v, int window, double cap, Out y),
                    void (*of_heads)(In q, In k, In v, int heads, Out y));
Exercise attention_exercise();

Functions attention_gradient(void (*gradient)(In q, In k, In v, In g, Out dq, Out dk, Out dv));
Exercise attention_gradient_exercise();

Functions heads(Tensor (*split)(const Tensor& x, int64_t heads), Tensor (*merge)(const Tensor& x),
                Tensor (*share)(const Tensor& x, int64_t heads));
Exercise heads_exercise();

using Rotate = std::function<Tensor(const Tensor& x, const Tensor& positions)>;
using Attend = Tensor(const Tensor& q, const Tensor& k, const Tensor& v, const Rotate& rotate, int64_t most, Tensor& kept_k, Tensor& kept_v,
                      int64_t& read);
Functions kv_cache(Attend* attend);
Exercise kv_cache_exercise();

using Part = std::function<Tensor(const Tensor&)>;  // a sublayer, or a norm
using Placed = Tensor(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2);
using PlacedDeep = Tensor(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2, double alpha);
Functions block(Placed* pre, Placed* post, PlacedDeep* deep,
                Tensor (*mhc)(const Tensor& h, const Tensor& a, const Tensor& b, const Tensor& y, int64_t rounds));
Exercise block_exercise();

using CrossAttention = Tensor(const Tensor& x, const Tensor& memory, const Tensor& w_q, const Tensor& w_k, const Tensor& w_v,
                              const Tensor& w_o, const Tensor& is_word, int64_t heads);
Functions cross_attention(CrossAttention* attention);
Exercise cross_attention_exercise();

Functions lstm_step(void (*step)(In x, In h, In c, In w, In u, In b, Out h_new, Out c_new),
                    void (*gradient)(In a, In c, In g, In gc, Out da, Out dc));
Exercise lstm_step_exercise();

Functions adamw(void (*nesterov_step)(In g, double lr, double mu, Out theta, Out u),
                void (*adamw_step)(In g, int t, double lr, double beta1, double beta2, double eps, double decay, Out theta, Out m, Out v));
Exercise adamw_exercise();

Functions clip_and_schedule(double (*clip)(In g, double most, Out clipped),
                            double (*rate)(int t, int warmup, int total, double high, double low));
Exercise clip_and_schedule_exercise();

using Loss = std::function<Tensor(const Tensor& x, const Tensor& y)>;
using Switch = std::function<void(bool on)>;
using Train = Tensor(const Loss& loss, const Switch& dropout, const Tensors& parameters, const Tensor& text, const Tensor& held, int part,
                     double most);
Functions training_loop(Train* train);
Exercise training_loop_exercise();

Functions sampling(void (*penalize)(In scores, const int* seen, int count, double penalty, Out y),
                   void (*keep_top_k)(In given, int k, Out left), void (*keep_top_p)(In given, double top_p, Out left),
                   void (*next_id)(In scores, double temperature, int k, double top_p, Out room, Out p));
Exercise sampling_exercise();

Functions ring_all_reduce(void (*reduce_scatter)(Out x), void (*all_gather)(Out x), void (*average)(Out g, In tokens, double most));
Exercise ring_all_reduce_exercise();

using OverRanks = std::pair<Tensors, Tensors>(const Tensors& x, const Tensors& g);  // {y, dL/dx}
using PartOfLayer = Tensor(const Tensor& x, const Tensor& u, const Tensor& a, const Tensor& v, const Tensor& b, int64_t rank,
                           int64_t ranks);
Functions tensor_parallel(OverRanks* copy_to_ranks, OverRanks* sum_over_ranks, PartOfLayer* part_of_layer,
                          double (*gradient_length)(const Tensors& split, const Tensors& whole));
Exercise tensor_parallel_exercise();

}  // namespace gradus::exercises::set
