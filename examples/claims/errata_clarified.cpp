// Sentences of the notes that are right as they are meant, taken at their word.
#include "examples/claims/all_claims.h"
#include "examples/claims/clarified_measures.h"
#include "examples/claims/lab.h"

namespace gradus::examples {
Experiments clarified_errata() {
  return {
      {"erratum-14",
       each({{"type", {"f16", "f32", "f64"}}},
            [](const Where& where, std::uint64_t seed) { return finite_powers(dtype_from_name(level(where, "type")), seed); })},

      {"erratum-15", each({{"what moves", {"γ", "β", "running mean", "running variance"}}},
                          [](const Where& where, std::uint64_t seed) {
                            const std::string& of = level(where, "what moves");
                            return moved_before_backward(of == "γ"              ? Moving::gain
                                                         : of == "β"            ? Moving::shift
                                                         : of == "running mean" ? Moving::running_mean
                                                                                : Moving::running_variance,
                                                         seed);
                          })},

      {"erratum-16", each({{"scores", {"−5 to 5", "100 to 200"}}, {"type", {"f32", "f64"}}},
                          [](const Where& where, std::uint64_t seed) {
                            const bool small = level(where, "scores") == "−5 to 5";
                            return written_softmax_off(small ? -5 : 100, small ? 5 : 200, dtype_from_name(level(where, "type")), seed);
                          })},

      {"erratum-17", each({{"second γ", {"1", "√n"}}, {"n", {"4", "64"}}},
                          [](const Where& where, std::uint64_t seed) {
                            const auto gain = level(where, "second γ") == "1" ? EuclideanGain::one : EuclideanGain::root_n;
                            return euclidean_norm_off(gain, whole_at(where, "n"), seed);
                          })},

      {"erratum-18", each({}, [](const Where&, std::uint64_t seed) { return tanh_formula_off(seed); })},

      {"erratum-19", each({{"variance", {"1", "ε"}}},
                          [](const Where& where, std::uint64_t seed) {
                            return root_without_epsilon_off(level(where, "variance") == "1" ? 1 : kEpsilon, seed);
                          })},

      {"erratum-20", each({}, [](const Where&, std::uint64_t seed) { return pre_norm_off_add_and_norm(seed); })},
  };
}

}  // namespace gradus::examples
