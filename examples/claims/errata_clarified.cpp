// Sentences of the notes that are right as they are meant, taken at their word.
#include "examples/claims/all_claims.h"
#include "examples/claims/clarified_measures.h"
#include "examples/claims/lab.h"

namespace gradus::examples {
namespace {

Criterion off_by(const std::string& statistic) { return {.statistic = statistic, .side = Side::below, .bound = 1e-6, .sample = "draws"}; }

Claim powers_overflow() {
  return {.id = "erratum-14",
          .sources = {{0, 228}},
          .quote = "当 $x_i$ 很大时（例如 100），结果会变成无穷大",
          .says = "e^x becomes infinite where x is large, 100 for example.",
          .meant =
              "In f16, which ends at e^11.09, and in f32, which ends at e^88.72. f64 ends at e^709.78: there e^100 = "
              "2.7·10⁴³ is an ordinary number.",
          .predicted = Verdict::depends,
          .because = "The greatest numbers of IEEE 754 are 65504, 3.4·10³⁸ and 1.8·10³⁰⁸.",
          .rule = off_by("share of the numbers e^x, x from 100 to 700, that are finite"),
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"type", {"f16", "f32", "f64"}}}), [](const Where& where, std::uint64_t seed) {
              const std::string& type = level(where, "type");
              return finite_powers(type == "f16" ? DType::f16 : type == "f32" ? DType::f32 : DType::f64, seed);
            });
          }};
}

Claim backward_updates_batch_norm() {
  return {.id = "erratum-15",
          .sources = {{2, 154}},
          .quote = "在train模式下参数会随着网络的反向传播进行梯度更新，计算每一个batch里的方差和平均值",
          .says = "In training, backpropagation updates batch norm's parameters, and with them each batch's mean and variance.",
          .meant = "γ and β move by gradients. μ and σ² are computed in the forward pass, which also moves the running values.",
          .predicted = Verdict::depends,
          .because = "Ioffe and Szegedy (2015), algorithms 1 and 2: γ and β are learned, the statistics are counted.",
          .rule = off_by("share of a training step's movement that the forward pass makes"),
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"what moves", {"γ", "β", "running mean", "running variance"}}}),
                            [](const Where& where, std::uint64_t seed) {
                              const std::string& of = level(where, "what moves");
                              return moved_before_backward(of == "γ"              ? Moving::gain
                                                           : of == "β"            ? Moving::shift
                                                           : of == "running mean" ? Moving::running_mean
                                                                                  : Moving::running_variance,
                                                           seed);
                            });
          }};
}

Claim softmax_without_the_maximum() {
  return {.id = "erratum-16",
          .sources = {{2, 316}},
          .quote = "$f(x) = \\frac{e^x}{\\sum_i^Ne^{x_i}}$",
          .says = "Softmax is computed as e^x / Σe^x.",
          .meant =
              "The formula is right. A program that computes it as it stands gives ∞/∞ = NaN once e^x overflows; softmax "
              "subtracts the maximum first, as note 0 has it.",
          .predicted = Verdict::depends,
          .because = "softmax(x) = softmax(x − c), and no e^(x − max) exceeds 1.",
          .rule = off_by("‖e^x/Σe^x − softmax(x)‖ / ‖softmax(x)‖, and 1 if one of the former is not finite"),
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"scores", {"−5 to 5", "100 to 200"}}, {"type", {"f32", "f64"}}}), [](const Where& where,
                                                                                                           std::uint64_t seed) {
              const bool small = level(where, "scores") == "−5 to 5";
              return written_softmax_off(small ? -5 : 100, small ? 5 : 200, level(where, "type") == "f32" ? DType::f32 : DType::f64, seed);
            });
          }};
}

Claim two_forms_of_rms_norm() {
  return {.id = "erratum-17",
          .sources = {{1, 21}, {1, 19}, {1, 17}},
          .quote = "或者 $y = \\frac{x}{\\sqrt{||x||_2^2 + \\epsilon}} \\cdot \\gamma$",
          .says = "RMSNorm divides by the root of the mean of the squares, “or” by the root of their sum.",
          .meant = "Both are one family of functions, whose γ are √n apart. With γ from 1 they start as different functions.",
          .predicted = Verdict::depends,
          .because = "‖x‖ = √n RMS(x), so the second form starts √n times smaller, unless its γ starts at √n.",
          .rule = off_by("‖the second form − the first‖ / ‖the first‖"),
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"second γ", {"1", "√n"}}, {"n", {"4", "64"}}}), [](const Where& where, std::uint64_t seed) {
              const auto gain = level(where, "second γ") == "1" ? EuclideanGain::one : EuclideanGain::root_n;
              return euclidean_norm_off(gain, std::stoll(level(where, "n")), seed);
            });
          }};
}

Claim gelu_is_the_tanh_formula() {
  return {.id = "erratum-18",
          .sources = {{1, 54}, {1, 52}},
          .quote = "GELU(gate)建议直接套用`F.gelu(gate)`实现",
          .says = "F.gelu computes the tanh formula that stands above it.",
          .meant =
              "F.gelu computes xΦ(x) by erf unless it is asked for approximate='tanh'. The note's “≈” is right: the tanh "
              "formula is an approximation.",
          .predicted = Verdict::refuted,
          .because = "Hendrycks and Gimpel (2016) give both; they differ by 4.7·10⁻⁴ at most.",
          .rule = off_by("‖tanh formula − F.gelu‖ / ‖F.gelu‖, of normal values"),
          .measure = [](Lab& lab) { return lab.each({{}}, [](const Where&, std::uint64_t seed) { return tanh_formula_off(seed); }); }};
}

Claim epsilon_in_the_variance() {
  return {.id = "erratum-19",
          .sources = {{2, 101}, {2, 103}, {4, 49}},
          .quote =
              "$\\sigma \\leftarrow \\sqrt{\\operatorname{Var}(x)}=\\sqrt{\\frac{1}{H} \\sum_{i = 1}^{H}"
              "\\left(x_{i}-\\mu\\right)^{2}+\\epsilon}$",
          .says = "Layer norm divides by √Var(x), which is a root with ε in it; note 4 has ε inside of σ².",
          .meant = "It divides by √(Var(x) + ε). A variance has no ε in it.",
          .predicted = Verdict::refuted,
          .because = "√(1 + ε/Var) − 1, about ε/(2 Var): 5·10⁻⁶ for rows of variance 1, and 0.41 for rows of variance ε.",
          .rule = off_by("‖result with √Var(x) − result with √(Var(x) + ε)‖ / ‖the latter‖, ε = 10⁻⁵"),
          .measure = [](Lab& lab) {
            return lab.each(crossed({{"variance", {"1", "ε"}}}), [](const Where& where, std::uint64_t seed) {
              return root_without_epsilon_off(level(where, "variance") == "1" ? 1 : kEpsilon, seed);
            });
          }};
}

Claim add_and_norm() {
  return {
      .id = "erratum-20",
      .sources = {{4, 98}, {4, 139}},
      .quote = "Transformer 模型（如 BERT、GPT）的核心组件“Add & Norm”中，Layer Norm 是标配",
      .says = "The note's code, h = x + attention(norm(x)), is a Transformer's “Add & Norm”.",
      .meant = "“Add & Norm” is norm(x + f(x)): add, then norm, post-norm. The code is pre-norm, another block.",
      .predicted = Verdict::refuted,
      .because = "Vaswani et al. (2017), 3.1: “LayerNorm(x + Sublayer(x))”.",
      .rule = off_by("‖x + f(norm(x)) − norm(x + f(x))‖ / ‖norm(x + f(x))‖"),
      .measure = [](Lab& lab) { return lab.each({{}}, [](const Where&, std::uint64_t seed) { return pre_norm_off_add_and_norm(seed); }); }};
}

}  // namespace

std::vector<Claim> clarified_errata() {
  return {powers_overflow(),       backward_updates_batch_norm(), softmax_without_the_maximum(),
          two_forms_of_rms_norm(), gelu_is_the_tanh_formula(),    epsilon_in_the_variance(),
          add_and_norm()};
}

}  // namespace gradus::examples
