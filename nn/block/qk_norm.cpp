#include "nn/block/qk_norm.h"

#include <cmath>
#include <limits>

#include "nn/check_inputs.h"
#include "nn/norm/affine.h"
#include "nn/norm/rms_norm_variants.h"

namespace gradus::nn {

HeadNorms::HeadNorms(int64_t head_dim, const NormChoice& norm, bool keys) : q_norm_(norm.make({.width = head_dim})) {
  if (keys) k_norm_ = norm.make({.width = head_dim});
}

// #region norm-qk
std::pair<Tensor, Tensor> HeadNorms::forward(const Tensor& q, const Tensor& k) {
  return {(*q_norm_)(q), k_norm_ != nullptr ? (*k_norm_)(k) : k};
}
// #endregion norm-qk

void HeadNorms::members(Members& m) {
  m.child("q_norm", *q_norm_);
  if (k_norm_ != nullptr) m.child("k_norm", *k_norm_);
}

CosineQKNorm::CosineQKNorm(int64_t head_dim, int64_t heads, double eps, bool keys) : head_dim_(head_dim), eps_(eps), keys_(keys) {
  check<ValueError>(head_dim > 0 && heads > 0, "CosineQKNorm: head_dim and heads must be positive, got {} and {}", head_dim, heads);
  check_eps(eps);
  log_scale = full({heads}, std::log(kStart));
}

// #region norm-qk-cosine
std::pair<Tensor, Tensor> CosineQKNorm::forward(const Tensor& q, const Tensor& k) {
  check_inputs({{"q", q}, {"k", keys_ ? k : q}, {"log_scale", log_scale}});
  for (const Tensor& x : {q, keys_ ? k : q}) {
    check<ShapeError>(x.rank() == 4 && x.size(3) == head_dim_, "expected [B, T, H, {}], got {}", head_dim_, x.shape());
  }
  check<ShapeError>(q.size(2) == log_scale.numel(), "has a scale for each of {} heads, got queries of {}", log_scale.numel(), q.size(2));
  const auto unit = [&](const Tensor& x) { return rms_norm_l2(x, {}, eps_); };
  const Tensor g = exp(clamp(log_scale, -std::numeric_limits<double>::infinity(), std::log(kLargest)));
  return {unsqueeze(g, -1) * unit(q), keys_ ? unit(k) : k};
}
// #endregion norm-qk-cosine

void CosineQKNorm::members(Members& m) { m.parameter("log_scale", log_scale, Role::other); }

std::string CosineQKNorm::describe() const { return fmt::format("CosineQKNorm({} heads, from {})", log_scale.numel(), kStart); }

SphereQKNorm::SphereQKNorm(int64_t head_dim, int64_t heads, bool keys) : keys_(keys) {
  check<ValueError>(head_dim > 0 && heads > 0, "SphereQKNorm: head_dim and heads must be positive, got {} and {}", head_dim, heads);
  scale = full({heads, head_dim}, 1 / std::sqrt(static_cast<double>(heads * head_dim)));
}

std::pair<Tensor, Tensor> SphereQKNorm::forward(const Tensor& q, const Tensor& k) {
  check_inputs({{"q", q}, {"k", keys_ ? k : q}, {"scale", scale}});
  check<ShapeError>(q.rank() == 4 && q.shape().slice(2, 4) == scale.shape(), "expected queries [B, T, {}, {}], got {}", scale.size(0),
                    scale.size(1), q.shape());
  check<ShapeError>(!keys_ || (k.rank() == 4 && k.size(3) == q.size(3)), "expected keys [B, S, G, {}], got {}", q.size(3), k.shape());
  const auto unit = [](const Tensor& x) { return rms_norm_l2(x, {}, 1e-12); };
  return {unit(q), keys_ ? unit(k) : k};
}

Tensor SphereQKNorm::after_position(const Tensor& q) const {
  const auto width = static_cast<double>(scale.numel());
  return q * (width * square(scale));
}

MakeQKNorm head_norms(const NormChoice& norm) {
  return {[norm](const QKNormOptions& o) {
            const auto make = [&](const NormOptions& own) {
              return norm.make({.width = own.width, .eps = o.eps, .one_plus_gain = o.one_plus_gain});
            };
            return std::make_unique<HeadNorms>(o.head_dim, make, o.keys);
          },
          norm.value.traits};
}

const Table<MakeQKNorm>& qk_norms() {
  static const Table<MakeQKNorm> family = [] {
    Table<MakeQKNorm> rows{"qk-norm", {}};
    for (const auto& norm : norms().variants) rows.variants.push_back({norm.name, "norm-qk", head_norms(norm.name)});
    rows.variants.push_back({"cosine", "norm-qk-cosine", [](const QKNormOptions& o) {
                               return std::make_unique<CosineQKNorm>(o.head_dim, o.heads, o.eps.value_or(1e-12), o.keys);
                             }});
    rows.variants.push_back(
        {"sphere", "block-sphere", [](const QKNormOptions& o) { return std::make_unique<SphereQKNorm>(o.head_dim, o.heads, o.keys); }});
    return rows;
  }();
  return family;
}

}  // namespace gradus::nn
