// norm-qk: the largest score of 32 tokens against the size of their queries and keys, as JSON. The picture is drawn of these.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "nn/nn.h"

using namespace gradus;

namespace {

constexpr int64_t tokens = 32, head_dim = 64;

double largest_score(const Tensor& q, const Tensor& k) { return max(abs(matmul(q, k, {.transpose_b = true}))).item(); }

}  // namespace

int main() {
  Generator random(0);
  const Tensor q = randn({tokens, head_dim}, DType::f64, random), k = randn({tokens, head_dim}, DType::f64, random);
  nn::CosineQKNorm cosine(head_dim, 1);
  cosine.to(DType::f64);
  std::vector<double> sizes, none, rms, by_cosine;
  for (double e = -2; e <= 3.01; e += 0.25) {
    const double a = std::pow(10, e);
    const auto as_heads = [](const Tensor& x) { return reshape(x, {1, tokens, 1, head_dim}); };
    const auto as_rows = [](const Tensor& x) { return reshape(x, {tokens, head_dim}); };
    const auto [cosine_q, cosine_k] = cosine(as_heads(a * q), as_heads(a * k));
    sizes.push_back(a);
    none.push_back(largest_score(a * q, a * k) / 8);  // √64
    rms.push_back(largest_score(nn::rms_norm(a * q), nn::rms_norm(a * k)) / 8);
    by_cosine.push_back(largest_score(as_rows(cosine_q), as_rows(cosine_k)));
  }
  const auto list = [](const std::vector<double>& values) { return fmt::format("[{:.4g}]", fmt::join(values, ", ")); };
  fmt::print("{{\"size\": {},\n \"none\": {},\n \"rms\": {},\n \"cosine\": {}}}\n", list(sizes), list(none), list(rms), list(by_cosine));
}
