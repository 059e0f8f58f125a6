// The table of norms that can stand in a block.
#include "core/inspect/compare.h"
#include "nn/norm/norm_table.h"

#include <set>

#include "core/tensor/random.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("norms: the rows") {
  std::set<std::string_view> known{"norm-layer", "norm-nobias",    "norm-layer-std", "norm-center-only", "norm-scale-only",
                                   "norm-rms",   "norm-rms-noeps", "norm-rms-l2",    "norm-upcast",      "norm-scale",
                                   "norm-dyt",   "norm-group",     "norm-batch",     "norm-derf"};
  for (const auto& row : nn::norms().variants) {
    CHECK_MESSAGE(known.erase(row.formula_id) == 1, row.formula_id, " is new here: add it to `known`");
  }
  for (const std::string_view id : known) CHECK_MESSAGE(false, id, " has no row any more");
}

TEST_CASE("norms: in every row the first and second derivatives equal differences") {
  for (const auto& row : nn::norms().variants) {
    CAPTURE(row.name);
    const nn::LayerPtr norm = row.value({.width = 4, .eps = 0.1});
    norm->to(DType::f64);
    CHECK(check_derivatives([&](const Tensors& in) { return (*norm)(in[0]); }, {draw({2, 3, 4}, 3)}) == "");
  }
}

TEST_CASE("norms: ε reaches every row that has one, and is 1e-6 for norm-layer-std, 1e-5 for the others otherwise") {
  for (const auto& row : nn::norms().variants) {
    CAPTURE(row.name);
    const bool without = row.name == "center-only" || row.name == "rms-noeps" || row.name == "dyt" || row.name == "derf";
    const double usual = row.name == "layer-std" ? 1e-6 : 1e-5;
    const auto y = [&](std::optional<double> eps) {
      const nn::LayerPtr norm = row.value({.width = 8, .eps = eps});
      norm->to(DType::f64);
      return (*norm)(draw({2, 3, 8}, 3));
    };
    CHECK(equal(y({}), y(usual)));
    CHECK(equal(y({}), y(0.1)) == without);
  }
}

TEST_CASE("norms: every row learns, is saved and loaded, and takes part in f16") {
  for (const auto& row : nn::norms().variants) {
    CAPTURE(row.name);
    const nn::LayerPtr norm = row.value({.width = 8}), other = row.value({.width = 8});
    const Tensors parameters = norm->parameters();
    const Tensor x = cast(draw({2, 3, 8}, 3), DType::f32), target = cast(draw({2, 3, 8}, 7), DType::f32);
    double first = 0, last = 0;
    for (int step = 0; step < 20; ++step) {
      const Tensor loss = mean(square((*norm)(x)-target));
      (step == 0 ? first : last) = loss.item();
      const Tensors gradients = grad({loss}, parameters);
      for (std::size_t i = 0; i < parameters.size(); ++i) Tensor(parameters[i]).assign(parameters[i].detach() - 0.3 * gradients[i]);
    }
    CHECK(last < first);
    other->load_state_dict(norm->state_dict());
    norm->eval();
    other->eval();
    CHECK(equal((*norm)(x), (*other)(x)));
    norm->to(DType::f16);
    const Tensor half = (*norm)(cast(x, DType::f16));
    CHECK(half.dtype() == DType::f16);
    CHECK(difference(cast(half, DType::f32), (*other)(x), 1e-2) == "");
  }
}

TEST_CASE("compatibility: what every norm says of tokens and scale is what it does") {
  constexpr int64_t kWidth = 8;
  Generator generator(0);
  const Tensor x = uniform({1, 2, kWidth}, -1, 1, DType::f32, generator), first = slice(x, 1, 0, 1);
  const Tensor other = cat({first, slice(x, 1, 1) + 1}, 1);  // another second token
  for (const auto& row : nn::norms().variants) {
    CAPTURE(row.name);
    const nn::LayerPtr norm = row.value({.width = kWidth});
    const bool mixes = max_difference(slice((*norm)(x), 1, 0, 1), slice((*norm)(other), 1, 0, 1)) > 0;
    CHECK(norm->mixes_tokens() == mixes);
    const auto size = [&](double scale) { return max(abs((*norm)(scale * x))).item(); };
    CHECK(norm->removes_scale() == (size(1000) <= 100 * size(1)));
  }
}
