#include "nn/init_table.h"

#include <cmath>

#include "nn/init.h"

namespace gradus::nn {
namespace {

// #region init-gpt2
// N(0, 0.02²). The variances of what n sublayers add to one stream sum up, so the matrices that write into it are smaller
// by √n: √(2L) for L layers of two (Radford et al., 2019).
Init gpt2(const InitOptions& o) {
  constexpr double kStd = 0.02;
  const double smaller = kStd / std::sqrt(static_cast<double>(o.added_sublayers));
  return [=](Tensor& weight, Role role) { init_normal(weight, role == Role::writes_stream ? smaller : kStd); };
}
// #endregion init-gpt2

// One that looks at the shape alone.
template <typename Draw> MakeInit by_shape(const Draw& draw) {
  return [draw](const InitOptions&) { return [draw](Tensor& weight, Role) { draw(weight); }; };
}

}  // namespace

const Table<MakeInit>& inits() {
  static const Table<MakeInit> family{
      "init",
      {
          {"gpt2", "init-gpt2", gpt2},
          {"xavier-normal", "init-xavier-normal", by_shape([](Tensor& w) { init_xavier_normal(w); })},
          {"xavier-uniform", "init-xavier-uniform", by_shape([](Tensor& w) { init_xavier_uniform(w); })},
          {"kaiming", "init-kaiming", by_shape([](Tensor& w) { init_kaiming_normal(w); })},
          {"lecun", "init-lecun", by_shape([](Tensor& w) { init_lecun_normal(w); })},
          {"trunc-normal", "init-trunc-normal", by_shape([](Tensor& w) { init_trunc_normal(w, 0.02); })},  // BERT's
          {"orthogonal", "init-orthogonal", by_shape([](Tensor& w) { init_orthogonal(w); })},
      }};
  return family;
}

}  // namespace gradus::nn
