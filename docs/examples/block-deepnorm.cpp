// DeepNorm as a block: its value and gradient, line by line, and where its two numbers come from.
#include "docs/examples/placed.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// The stream turns in a plane: [1, 1, -1, -1] and its neighbours' numbers [1, -1, -1, 1] stand at a right angle, and a
// sublayer w v P turns it by arctan(w v / α).
void deepnorm() {
  Derivation d("block-deepnorm");
  const Numbers x = d.given("x", {1, 1, -1, -1});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  const double layers = d.given("N", 8)(0);
  constexpr int64_t n = 4;
  const double alpha = std::pow(2 * layers, 0.25), beta = std::pow(8 * layers, -0.25), v = beta, w = beta;
  d.step("h1", "α", alpha);
  d.step("h2", "β", beta);
  d.step("h3", "v w", v * w);
  const Numbers p = each(n, [&](int64_t i) { return right(x, i); });
  d.step("h4", "Px", p);
  const Numbers z = each(n, [&](int64_t i) { return alpha * x(i) + w * v * p(i); });
  d.step("h5", "z", z);
  const double r = deviation(z);
  d.step("h6", "r", r);
  const Numbers y = each(n, [&](int64_t i) { return z(i) / r; });
  d.step("h7", "y", y);
  d.step("h8", "angle", std::atan2(w * v, alpha));

  const auto tangent = [&](double outer) {  // ∂y/∂v, where w is the outer
    const double along = mean_of_product(p, y);
    return each(n, [&](int64_t i) { return outer * (p(i) - y(i) * along) / r; });
  };
  const Numbers dy = tangent(w);
  d.step("1", "∂y/∂v", dy);
  d.step("2", "‖∂y/∂v‖ / ‖x‖", length(dy) / length(x));
  d.step("3", "w / α", w / alpha);
  d.step("4", "dL/dv", sum(n, [&](int64_t i) { return g(i) * dy(i); }));
  const Numbers dz = norm_back(g, y, r);
  d.step("5", "dL/dv", w * sum(n, [&](int64_t i) { return dz(i) * p(i); }));
  d.step("6", "dL/dx", each(n, [&](int64_t j) { return alpha * dz(j) + w * v * left(dz, j); }));
  d.step("7", "√(v² + w²) / α", std::sqrt(v * v + w * w) / alpha);
  d.step("8", "(v² + w²) / α²", (v * v + w * w) / (alpha * alpha));
  d.law("9", "2N (v² + w²) / α²", 2 * layers * (v * v + w * w) / (alpha * alpha), 1);
  d.gradient("dL/dx", [&](const Tensor& t) { return placed("deepnorm", t, {shift(w * v)}, 8); }, x, g);
  d.gradient("dL/dv", [&](const Tensor& t) { return placed("deepnorm", x, {[&](const Tensor& in) { return w * t * shifted(in); }}, 8); }, v,
             g);

  // A whole stack of such sublayers turns by the sum of their angles.
  const Numbers depth = d.given("N", {2, 8, 32, 128});
  const auto of_depth = [&](const std::function<double(double)>& f) { return for_each_of(depth, f); };
  const auto sublayer = [](double a, double b) {  // (∂angle/∂v)² + (∂angle/∂w)² for v = w = b
    const double slope = b / a / (1 + b * b * b * b / (a * a));
    return 2 * slope * slope;
  };
  const auto a_of = [](double N) { return std::pow(2 * N, 0.25); };
  const auto b_of = [](double N) { return std::pow(8 * N, -0.25); };
  d.step("m1", "post-norm", of_depth([&](double N) { return 2 * N * sublayer(1, 1); }));
  d.step("m2", "α alone", of_depth([&](double N) { return 2 * N * sublayer(a_of(N), 1); }));
  d.step("m3", "β alone", of_depth([&](double N) { return 2 * N * sublayer(1, b_of(N)); }));
  d.step("m4", "DeepNorm", of_depth([&](double N) { return 2 * N * sublayer(a_of(N), b_of(N)); }));
  d.step("m5", "DeepNorm, sign step", of_depth([&](double N) { return 2 * N * std::sqrt(2 * sublayer(a_of(N), b_of(N))); }));
  d.step("m6", "GLM", of_depth([&](double N) { return 2 * N * sublayer(std::sqrt(2 * N), 1 / std::sqrt(2 * N)); }));
  // m4 once more, by the tape: the squared gradient of the angle's tangent over all v and w of 16 sublayers.
  {
    const Tensor numbers = full({16, 2}, b_of(8), DType::f64).set_requires_grad();
    std::vector<Function> sublayers;
    for (int64_t l = 0; l < 16; ++l) {
      sublayers.push_back([&numbers, l](const Tensor& in) { return numbers[l][0] * numbers[l][1] * shifted(in); });
    }
    const Tensor top = placed("deepnorm", x, sublayers, 8);
    const Numbers at_top = top;
    const Numbers along = each(4, [&](int64_t i) { return right(at_top, i) / 4; });  // of length ½: angle over movement
    const Numbers slopes = grad({top}, {numbers}, {.seeds = {along.tensor()}})[0];
    d.law("m7", "DeepNorm of 8 layers, by the tape", sum(32, [&](int64_t i) { return slopes(i) * slopes(i); }),
          16 * sublayer(a_of(8), b_of(8)));
  }

  // Where 0.81 and 0.87 come from: N encoder and M decoder layers, here as many.
  const Numbers pairs = d.given("N = M", {6, 12, 100});
  const auto decoder = [](double M) { return M / std::sqrt(12 * M) / std::pow(3 * M, 0.25); };
  d.step("e1", "M β²/α of the decoder", for_each_of(pairs, decoder));
  const auto ratio = [&](double N) { return 1 / (4 * N * decoder(N)); };
  d.step("e2", "(β/α)² of the encoder", for_each_of(pairs, ratio));
  d.step("e3", "α of the encoder", for_each_of(pairs, [&](double N) { return std::pow(2, -0.25) * std::pow(ratio(N), -0.25); }));
  d.step("e4", "β of the encoder", for_each_of(pairs, [&](double N) { return std::pow(2, -0.25) * std::pow(ratio(N), 0.25); }));
  const auto unit = [](double N) { return std::pow(std::pow(N, 5), 1.0 / 16); };  // (N⁴M)^(1/16), M = N
  d.step("e5", "α / (N⁴M)^(1/16)", for_each_of(pairs, [&](double N) { return std::pow(2, -0.25) * std::pow(ratio(N), -0.25) / unit(N); }));
  d.step("e6", "β (N⁴M)^(1/16)", for_each_of(pairs, [&](double N) { return std::pow(2, -0.25) * std::pow(ratio(N), 0.25) * unit(N); }));
  d.step("e7", "the sum with 0.81 and 0.87", for_each_of(pairs, [&](double N) {
    const auto [a, b] =
        nn::deep_norm_scale({.layers = static_cast<int64_t>(N), .kind = nn::StackKind::encoder, .paired_layers = static_cast<int64_t>(N)});
    return decoder(N) * 2 * N * 2 * b * b / (a * a);
  }));
}

}  // namespace

int main() {
  deepnorm();
  return verdict();
}
