// Sinkhorn's rounds: the theorems that hold after each round, and those of the limit.
#include "nn/block/sinkhorn.h"

#include <cmath>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/inspect/gradcheck.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kMany = 400;  // rounds after which the limit is reached to the last digits

double largest_size(const Tensor& x) { return max(abs(x)).item(); }

// Solves K z = b by Gaussian elimination with pivots, in plain numbers.
std::vector<double> eliminate(std::vector<std::vector<double>> k, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i; r < n; ++r) {
      if (std::abs(k[r][i]) > std::abs(k[pivot][i])) pivot = r;
    }
    std::swap(k[i], k[pivot]);
    std::swap(b[i], b[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == i) continue;
      const double factor = k[r][i] / k[i][i];
      for (std::size_t c = i; c < n; ++c) k[r][c] -= factor * k[i][c];
      b[r] -= factor * b[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= k[i][i];
  return b;
}

// dL/dA of the limit P, by the implicit theorem: P ⊙ (G - λ1ᵀ - 1μᵀ), where λ and μ take the sums over rows and columns to 0:
//   λ + P μ = (P ⊙ G) 1      Pᵀ λ + μ = (P ⊙ G)ᵀ 1
// These leave one number free, as λ + c and μ - c are a solution too: the last of μ is 0 here.
Tensor implicit_gradient(const Tensor& p, const Tensor& g) {
  const auto n = static_cast<std::size_t>(p.size(0));
  const std::vector<double> values = to_vector(p), gradient = to_vector(g);
  std::vector<std::vector<double>> k(2 * n - 1, std::vector<double>(2 * n - 1));
  std::vector<double> b(2 * n - 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double of_p = values[i * n + j], h = of_p * gradient[i * n + j];
      k[i][i] = 1;
      b[i] += h;
      if (j + 1 == n) continue;
      k[n + j][n + j] = 1;
      k[i][n + j] = k[n + j][i] = of_p;
      b[n + j] += h;
    }
  }
  std::vector<double> z = eliminate(k, b);
  z.push_back(0);
  Tensor result = zeros_like(p);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      result.set({static_cast<int64_t>(i), static_cast<int64_t>(j)}, values[i * n + j] * (gradient[i * n + j] - z[i] - z[n + j]));
    }
  }
  return result;
}

// dL/dA by the tape, through all rounds.
Tensor gradient_through(const Tensor& logits, const Tensor& g, int64_t rounds) {
  const Tensor a = logits.detached_copy().set_requires_grad();
  return grad({nn::sinkhorn(a, rounds)}, {a}, {.seeds = {g}})[0];
}

}  // namespace

TEST_CASE("block-sinkhorn: all numbers are positive, columns sum to 1 after every round, and rows ever more nearly") {
  for (const int64_t n : {1, 2, 4, 7}) {
    const Tensor logits = draw({5, n, n}, static_cast<std::uint64_t>(n));
    double before = INFINITY;
    for (const int64_t rounds : {1, 2, 5, 20, 100}) {
      CAPTURE(n);
      CAPTURE(rounds);
      const Tensor m = nn::sinkhorn(logits, rounds);
      CHECK(min(m).item() > 0);
      CHECK(largest_size(sum(m, -2) - 1) < 1e-14);
      const double rows = largest_size(sum(m, -1) - 1);
      CHECK((rows < before || rows < 1e-14));
      before = rows;
    }
    CHECK(before < 1e-6);
  }
}

TEST_CASE("block-sinkhorn: two by two the limit is known, p = σ((a - b - c + d) / 2) on the diagonal") {
  const Tensor logits = tensor({{1, -0.5}, {2, 0.25}}, DType::f64);
  const double p = 1 / (1 + std::exp(-(1 + 0.5 - 2 + 0.25) / 2));
  CHECK(difference(nn::sinkhorn(logits, kMany), tensor({{p, 1 - p}, {1 - p, p}}, DType::f64), 1e-14) == "");
}

TEST_CASE("block-sinkhorn: what is doubly stochastic stays; a number added to a row changes nothing, one to a column not the limit") {
  const Tensor a = draw({4, 4}, 3), row = draw({4, 1}, 4), column = draw({4}, 5);
  const Tensor limit = nn::sinkhorn(a, kMany);
  CHECK(difference(nn::sinkhorn(log(limit), 1), limit, 1e-14) == "");
  CHECK(difference(nn::sinkhorn(a + row, 1), nn::sinkhorn(a, 1), 1e-14) == "");
  CHECK(difference(nn::sinkhorn(a + column, kMany), limit, 1e-13) == "");
  CHECK(max_difference(nn::sinkhorn(a + column, 1), nn::sinkhorn(a, 1)) > 0.01);
  // The limit is diag(u) e^A diag(v): its logarithm less A is one number for each row and one for each column.
  const Tensor scaled = log(limit) - a;
  CHECK(largest_size(centered(centered(scaled, 0), 1)) < 1e-13);
}

TEST_CASE("block-sinkhorn: a round brings the rows nearer by the square of the limit's second singular value") {
  const Tensor a = 1.5 * draw({4, 4}, 8), p = nn::sinkhorn(a, kMany);
  Tensor v = centered(draw({4}, 9));  // the power method for PᵀP, on what is perpendicular to 1
  double square_of_second = 0;
  for (int i = 0; i < 500; ++i) {
    const Tensor next = centered(matmul(p, matmul(p, v), {.transpose_a = true}));
    square_of_second = norm(next).item() / norm(v).item();
    v = next / norm(next);
  }
  CHECK(square_of_second < 1);
  const auto error = [&](int64_t rounds) { return largest_size(sum(nn::sinkhorn(a, rounds), -1) - 1); };
  CHECK(error(12) / error(11) == doctest::Approx(square_of_second).epsilon(0.02));
}

TEST_CASE("block-sinkhorn: the fast path is the formula, and both orders of its derivatives agree with differences") {
  for (const int64_t rounds : {1, 2, 20}) {
    const TensorFunction fast = [rounds](const Tensors& in) { return nn::sinkhorn(in[0], rounds); };
    const TensorFunction formula = [rounds](const Tensors& in) { return nn::formula::sinkhorn(in[0], rounds); };
    CHECK(check_fused("sinkhorn", fast, formula, {draw({2, 3, 3}, 1)}) == "");
  }
}

TEST_CASE("block-sinkhorn: the gradient through the rounds goes to that of the implicit theorem at the limit, as rounds grow") {
  for (const int64_t n : {2, 3, 5}) {
    CAPTURE(n);
    const Tensor a = draw({n, n}, 20 + static_cast<std::uint64_t>(n)), g = draw({n, n}, 30 + static_cast<std::uint64_t>(n));
    const Tensor expected = implicit_gradient(nn::sinkhorn(a, kMany), g);
    double before = INFINITY;
    for (const int64_t rounds : {1, 3, 9, 27}) {
      const double error = max_difference(gradient_through(a, g, rounds), expected);
      CHECK(error < 0.5 * before);
      before = error;
    }
    CHECK(max_difference(gradient_through(a, g, kMany), expected) < 1e-13);
    CHECK(largest_size(sum(expected, 0)) < 1e-13);  // what is added to a whole row or column does nothing, so no gradient asks for it
    CHECK(largest_size(sum(expected, 1)) < 1e-13);
    CHECK(max_difference(expected, zeros_like(expected)) > 0.01);
  }
}

TEST_CASE("block-sinkhorn: no sum rounds to 0, however far the logits lie apart; values and gradients are finite, in f32") {
  const Tensor far = tensor({{0, -300, 5}, {0, -400, 2}, {200, -300, -100}}).set_requires_grad();
  const Tensor m = nn::sinkhorn(far);
  CHECK(all(isfinite(m)).item() == 1);
  CHECK(largest_size(sum(m, -2) - 1) < 1e-6);
  CHECK(all(isfinite(grad({m}, {far}, {.seeds = {m.detach()}})[0])).item() == 1);
}
