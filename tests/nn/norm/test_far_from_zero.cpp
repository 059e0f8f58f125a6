// Norms of rows far from 0: what f64 makes of the same numbers, forward and backward, by the fast path and by the formula.
#include "core/autograd/fused.h"
#include "nn/nn.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Norm = std::function<Tensor(const Tensor& rows)>;  // of [rows, n]

struct NamedNorm {
  const char* name;
  Norm function;
  int64_t least = 1;  // how many values a row needs
  bool centres = true;
};

// [rows, n] as one image for each norm that is not by rows: each row becomes what is normalised together.
Tensor as_channels(const Tensor& rows) { return reshape(transpose(rows, 0, 1), {rows.size(1), rows.size(0), 1}); }

std::vector<NamedNorm> norms() {
  using Form = nn::DeviationForm;
  const auto deviation = [](Form form) { return [=](const Tensor& x) { return nn::layer_norm_std(x, {}, {}, 1e-6, form); }; };
  return {
      {"layer", [](const Tensor& x) { return nn::layer_norm(x, {x.size(-1)}); }},
      {"layer-std", deviation({}), 2},
      {"layer-std, biased", deviation({.unbiased = false})},
      {"layer-std, ε inside", deviation({.eps_outside = false}), 2},
      {"layer-std, biased, ε inside", deviation({.unbiased = false, .eps_outside = false})},
      {"adaptive", [](const Tensor& x) { return nn::adaptive_norm(x, zeros({1}, x.dtype()), zeros({1}, x.dtype())); }},
      {"batch", [](const Tensor& x) { return reshape(transpose(nn::batch_norm(as_channels(x)), 0, 1), x.shape()); }},
      {"group", [](const Tensor& x) { return reshape(nn::group_norm(reshape(x, {1, x.numel(), 1}), x.size(0)), x.shape()); }},
      {"instance", [](const Tensor& x) { return reshape(nn::instance_norm(unsqueeze(x, 0)), x.shape()); }},
      {"center-only", [](const Tensor& x) { return nn::center_only_norm(x); }},
      {"scale-only", [](const Tensor& x) { return nn::scale_only_norm(x); }, 1, false},
      {"rms", [](const Tensor& x) { return nn::rms_norm(x); }, 1, false},
      {"rms-noeps", [](const Tensor& x) { return nn::rms_norm_noeps(x); }, 1, false},
      {"rms-l2", [](const Tensor& x) { return nn::rms_norm_l2(x); }, 1, false},
      {"rms-upcast", [](const Tensor& x) { return nn::rms_norm_upcast(x); }, 1, false},
      {"scale", [](const Tensor& x) { return nn::scale_norm(x, ones({}, x.dtype())); }, 1, false},
  };
}

struct Found {
  Tensor y, dx;  // in f64
};

Found run(const NamedNorm& norm, const Tensor& rows, const Tensor& g, DType dtype) {
  const Tensor x = cast(rows, dtype).detached_copy().set_requires_grad();
  const Tensor y = norm.function(x);
  return {cast(y.detach(), DType::f64), cast(gradient(y, x, cast(g, dtype)), DType::f64)};
}

}  // namespace

TEST_CASE("norms far from 0: a row of spread 1 at any mean gives what f64 gives of the same numbers, and so does its gradient") {
  for (const bool formula : {false, true}) {
    const FormulaOnly scope(formula);
    for (const DType dtype : {DType::f32, DType::f16}) {
      const double tolerance = dtype == DType::f32 ? 1e-5 : 4e-3;
      for (const double middle : {1.0, 100.0, 1e4, 1e5, 1e6, 1e7}) {
        if (dtype == DType::f16 && middle > 100) continue;
        for (const int64_t n : {1, 2, 3, 64, 257, 1024, 4096}) {
          const Tensor rows = cast(cast(middle + draw({2, n}, 3) / 4, dtype), DType::f64);
          const Tensor g = cast(cast(draw({2, n}, 8), dtype), DType::f64);
          for (const NamedNorm& norm : norms()) {
            if (n < norm.least) continue;
            CAPTURE(formula);
            CAPTURE(dtype);
            CAPTURE(middle);
            CAPTURE(n);
            CAPTURE(std::string(norm.name));
            const Found narrow = run(norm, rows, g, dtype), wide = run(norm, rows, g, DType::f64);
            const auto rounded = [=](const Tensor& exact) { return cast(cast(exact, dtype), DType::f64); };
            CHECK(difference(narrow.y, rounded(wide.y), tolerance) == "");
            CHECK(difference(narrow.dx, rounded(wide.dx), tolerance) == "");
          }
        }
      }
    }
  }
}

TEST_CASE("norms far from 0: a constant row gives β, whatever its number") {
  for (const bool formula : {false, true}) {
    const FormulaOnly scope(formula);
    for (const DType dtype : {DType::f32, DType::f64, DType::f16}) {
      for (const double value : {0.1, 3.3, 5.7, 25.7, 100.1, 10000.1, 1234567.8}) {
        if (dtype == DType::f16 && value > 60000) continue;
        for (const int64_t n : {2, 3, 64, 768, 1024, 4096, 100000}) {
          const Tensor rows = full({2, n}, value, dtype);
          for (const NamedNorm& norm : norms()) {
            if (!norm.centres) continue;
            CAPTURE(formula);
            CAPTURE(dtype);
            CAPTURE(value);
            CAPTURE(n);
            CAPTURE(std::string(norm.name));
            CHECK(max(abs(norm.function(rows))).item() == 0);
          }
        }
      }
    }
  }
}

TEST_CASE("norms far from 0: a dL/dy far from 0 hardly moves a constant row, and any other as in f64") {
  for (const bool formula : {false, true}) {
    const FormulaOnly scope(formula);
    for (const double middle : {5.7, 1e4}) {
      for (const int64_t n : {2, 64, 257, 1024, 100352}) {
        const Tensor g = full({2, n}, middle);
        for (const NamedNorm& norm : norms()) {
          if (n < norm.least || (norm.centres && std::string_view(norm.name).starts_with("layer-std"))) continue;  // no gradient there
          CAPTURE(formula);
          CAPTURE(middle);
          CAPTURE(n);
          CAPTURE(std::string(norm.name));
          const Tensor constant =
              run(norm, full({2, n}, 25.7, DType::f64), g, DType::f32).dx;  // 0, but for rounding: g / √ε without centring
          if (norm.centres) CHECK(max(abs(constant)).item() <= 2e-6 * middle / std::sqrt(1e-5));
          const Tensor rows = draw({2, n}, 3) * 4;
          const Found narrow = run(norm, rows, g, DType::f32), wide = run(norm, cast(cast(rows, DType::f32), DType::f64), g, DType::f64);
          CHECK(difference(narrow.dx, wide.dx, 2e-6 * middle) == "");
        }
      }
    }
  }
}

TEST_CASE("norm-batch: a constant channel far from 0 gives β by its running mean, too") {
  for (const double value : {25.7, 100.1, 10000.1}) {
    nn::BatchNorm2d norm(2, {.running = {.momentum = 1}});
    const Tensor x = full({128, 2, 28, 28}, value);
    norm(x);
    norm.eval();
    CAPTURE(value);
    CHECK(max(abs(norm(x))).item() == 0);
  }
}

TEST_CASE("norm-layer-std: the gradient at a constant row far from 0 is (ĝ - mean ĝ) / ε") {
  const Tensor x = full({1, 64}, 3.3).set_requires_grad(), g = cast(draw({1, 64}, 3), DType::f32);
  const Tensor expected = (g - mean(g)) / 1e-6;
  CHECK(difference(gradient(nn::layer_norm_std(x), x, g), expected, 1e-5) == "");
}
