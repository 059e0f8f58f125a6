#include "nn/init_table.h"

#include <cmath>

#include "core/options/range.h"
#include "nn/init.h"

namespace gradus::nn {
namespace {

// The variances of what n sublayers add to one stream sum up, so the matrices that write into it are smaller by √n: √(2L)
// for L layers of two (Radford et al., 2019).
double share_of_stream(const InitOptions& o) {
  return 1 / std::sqrt(static_cast<double>(check_size("added_sublayers", o.added_sublayers, "InitOptions")));
}

// #region init-gpt2
// N(0, 0.02²), and N(0, 0.02² / n) what writes into the stream.
Init gpt2(const InitOptions& o) {
  constexpr double kStd = 0.02;
  return [smaller = kStd * share_of_stream(o)](Tensor& weight, Role role) {
    init_normal(weight, role == Role::writes_stream ? smaller : kStd);
  };
}
// #endregion init-gpt2

// #region init-depth-scaled
// N(0, 1/fan_in), and N(0, 1/(n fan_in)) what writes into the stream. The rows of an embedding have length 1 or so.
Init depth_scaled(const InitOptions& o) {
  return [smaller = share_of_stream(o)](Tensor& weight, Role role) {
    const double std = 1 / std::sqrt(static_cast<double>(weight.size(1)));
    init_normal(weight, role == Role::writes_stream ? smaller * std : std);
  };
}
// #endregion init-depth-scaled

// One that looks at the shape alone; an embedding is no linear map, and has rows of length 1 or so.
template <typename Draw> MakeInit by_shape(const Draw& draw) {
  return [draw](const InitOptions&) {
    return [draw](Tensor& weight, Role role) { role == Role::table ? init_lecun_normal(weight) : draw(weight); };
  };
}

// N(0, 0.02²) without what lies beyond two deviations (Devlin et al., 2019).
Init bert(const InitOptions&) {
  return [](Tensor& weight, Role) { init_trunc_normal(weight, 0.02); };
}

}  // namespace

const Table<MakeInit>& inits() {
  static const Table<MakeInit> family{
      "init",
      {
          {"depth-scaled", "init-depth-scaled", depth_scaled},
          {"gpt2", "init-gpt2", gpt2},
          {"xavier-normal", "init-xavier-normal", by_shape([](Tensor& w) { init_xavier_normal(w); })},
          {"xavier-uniform", "init-xavier-uniform", by_shape([](Tensor& w) { init_xavier_uniform(w); })},
          {"kaiming", "init-kaiming", by_shape([](Tensor& w) { init_kaiming_normal(w); })},
          {"lecun", "init-lecun", by_shape([](Tensor& w) { init_lecun_normal(w); })},
          {"trunc-normal", "init-trunc-normal", bert},
          {"orthogonal", "init-orthogonal", by_shape([](Tensor& w) { init_orthogonal(w); })},
      },
  };
  return family;
}

}  // namespace gradus::nn
