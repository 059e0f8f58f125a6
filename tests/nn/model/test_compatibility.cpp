// The cross product norm × feed-forward × position × placement: every cell works and its gradient is right, or it is
// refused with a reason. The families come from their tables, so a new variant is covered from its first day.
#include "nn/model/compatibility.h"

#include <array>
#include <cmath>

#include "core/autograd/engine.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/loss/cross_entropy.h"
#include "nn/model/language_model.h"
#include "nn/norm/norm_table.h"
#include "tests/support/check.h"
#include "tests/support/sample.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::LanguageModelOptions smallest() { return {.vocabulary = 7, .context = 4, .d_model = 8, .layers = 1, .heads = 2, .d_ff = 8}; }

// The slope along a direction of length 1 from four values, wrong by the order of h⁴ and, as values are near 1, by
// 1e-16 / h: 1e-11 at the first h. Where a kink, as ReLU's, or a steep turn, as that of a norm over two values, lies within
// 2h, a smaller h is free of it, and wrong by no more than 1e-8.
constexpr std::array kSteps{1e-5, 1e-6, 1e-7};
constexpr double kTolerance = 1e-7;

double inner(const Tensor& a, const Tensor& b) { return sum(a * b).item(); }

class Cell {
 public:
  explicit Cell(const nn::LanguageModelOptions& options) : model_(options) {
    model_.to(DType::f64);
    model_.eval();  // one function, call after call: a power iteration would go on in training
    parameters_ = model_.named_parameters();
    Generator generator(1);
    double squares = 0;
    for (auto& [path, parameter, role] : parameters_) {
      // Away from gains of 1 and scales of 0, which hide what stands behind them.
      start_.push_back((parameter.detach() + 0.2 * randn(parameter.shape(), DType::f64, generator)).detach());
      direction_.push_back(randn(parameter.shape(), DType::f64, generator));
      squares += inner(direction_.back(), direction_.back());
    }
    for (Tensor& part : direction_) part = part / std::sqrt(squares);
    move_to(0);
  }

  // "" or what is wrong.
  std::string check_gradients() {
    const Tensor value = loss();
    if (!std::isfinite(value.item())) return "the loss is not finite";
    double slope = 0;
    const Tensors gradients = grad({value}, model_.parameters());  // GraphError if one is not reached
    for (std::size_t i = 0; i < gradients.size(); ++i) slope += inner(gradients[i], direction_[i]);
    if (!std::isfinite(slope)) return "a gradient is not finite";
    std::string differences;
    for (const double h : kSteps) {
      const double numeric = (8 * (loss_at(h) - loss_at(-h)) - (loss_at(2 * h) - loss_at(-2 * h))) / (12 * h);
      if (std::abs(numeric - slope) <= kTolerance * std::max(1.0, std::abs(slope))) return "";
      differences += fmt::format(" {:.10g} (h = {:.0e})", numeric, h);
    }
    return fmt::format("slope {:.10g} by the tape, but{} by differences", slope, differences);
  }

 private:
  Tensor loss() { return nn::cross_entropy(model_(ids_), targets_); }
  void move_to(double step) {
    for (std::size_t i = 0; i < start_.size(); ++i) {
      Tensor parameter = parameters_[i].tensor;
      parameter.assign(step == 0 ? start_[i] : start_[i] + step * direction_[i]);
    }
  }
  double loss_at(double step) {
    const NoGrad off;
    move_to(step);
    return loss().item();
  }

  nn::LanguageModel model_;
  nn::NamedTensors parameters_;
  Tensor ids_ = tensor({{1, 6, 1, 3}}, DType::i64), targets_ = tensor({{6, 1, 3, 0}}, DType::i64);
  Tensors start_, direction_;
};

std::string visit(const nn::LanguageModelOptions& options) {
  manual_seed(1);  // a cell's start does not depend on the cells before it
  try {
    return Cell(options).check_gradients();
  } catch (const Error& error) {
    return error.what();
  }
}

template <typename Visit> void for_each_cell(const Visit& visit_cell) {
  nn::LanguageModelOptions options = smallest();
  for (const auto& norm : nn::norms().variants) {
    options.norm = norm.name;
    for (const auto& feed_forward : nn::feed_forwards().variants) {
      options.feed_forward = feed_forward.name;
      for (const auto& position : nn::position_encodings().variants) {
        options.position = position.name;
        for (const auto& placement : nn::placements().variants) {
          options.placement = placement.name;
          visit_cell(options);
        }
      }
    }
  }
}

std::string name_of(const nn::LanguageModelOptions& o) {
  return fmt::format("{} × {} × {} × {}", o.norm.of(0).name, o.feed_forward.of(0).name, o.position.of(0).name, o.placement.of(0).name);
}

}  // namespace

TEST_CASE("compatibility: every cell of norm × feed-forward × position × placement learns rightly, or is refused") {
  int accepted = 0, refused = 0, visited = 0, wrong = 0;
  Sample sample(8);
  for_each_cell([&](const nn::LanguageModelOptions& options) {
    const std::string reason = nn::why_not(options);
    if (!reason.empty()) {
      ++refused;
      return;
    }
    ++accepted;
    if (!sample.takes_next()) return;
    ++visited;
    const std::string problem = visit(options);
    if (problem.empty()) return;
    if (++wrong <= 20) FAIL_CHECK(name_of(options) << ": " << problem);
  });
  CHECK(wrong == 0);
  CHECK(accepted > 10 * refused);  // the product is there to be used
  CHECK(visited > accepted / 10);
  MESSAGE(accepted << " cells accepted, " << visited << " of them tried, " << refused << " refused");
}

TEST_CASE("compatibility: a refused model is not built, and the reason is told") {
  nn::LanguageModelOptions mixing = smallest(), growing = smallest();
  mixing.norm = "batch";
  CHECK(nn::why_not(mixing) == "norm 'batch' mixes tokens, so that each would see those it is to predict; take 'layer' or 'rms'");
  CHECK_THROWS_WITH_AS(nn::LanguageModel{mixing}, ("LanguageModel: " + nn::why_not(mixing)).c_str(), ValueError);
  nn::LanguageModelOptions mixing_queries = smallest();
  mixing_queries.qk_norm = "batch";
  CHECK(nn::why_not(mixing_queries) ==
        "qk_norm 'batch' mixes tokens, so that each would see those it is to predict; take 'layer' or 'rms'");
  CHECK_THROWS_WITH_AS(nn::LanguageModel{mixing_queries}, ("LanguageModel: " + nn::why_not(mixing_queries)).c_str(), ValueError);
  growing.norm = "center-only";
  growing.placement = "deepnorm";
  CHECK(nn::why_not(growing) ==
        "placement 'deepnorm' multiplies the stream in every block, and norm 'center-only' does not take the scale out, so "
        "that it would grow exponentially with depth; take norm 'layer' or 'rms'");
  CHECK(nn::why_not(smallest()) == "");
  growing.placement = "post";
  CHECK(nn::why_not(growing) == "");
}

TEST_CASE("compatibility: a stack that is not causal may mix tokens") {
  using nn::StackKind;
  CHECK(nn::why_not({.norm = "batch", .placement = "pre", .qk_norm = "batch"}, StackKind::encoder) == "");
  CHECK(nn::why_not({.norm = "batch", .placement = "pre"}) != "");
  CHECK(nn::why_not({.norm = "rms", .placement = "pre", .qk_norm = "batch"}) != "");
  CHECK(nn::why_not({.norm = "center-only", .placement = "deepnorm"}, StackKind::encoder) != "");
}

TEST_CASE("compatibility: an unknown variant is refused with the nearest name") {
  const auto with = [](auto change) {
    nn::LanguageModelOptions options = smallest();
    change(options);
    nn::why_not(options);
  };
  using Options = nn::LanguageModelOptions;
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.norm = "rsm"; }), "unknown norm 'rsm'; did you mean 'rms'?", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.placement = "per"; }), "unknown placement 'per'; did you mean 'pre'?", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.position = "ripe"; }), "unknown position 'ripe'; did you mean 'rope'?", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.qk_norm = "rsm"; }), "unknown qk-norm 'rsm'; did you mean 'rms'?", ValueError);
  CHECK_THROWS_WITH_AS(with([](Options& o) { o.feed_forward = "swiglo"; }), "unknown feed-forward 'swiglo'; did you mean 'swiglu'?",
                       ValueError);
}

TEST_CASE("compatibility: no placement, and no position, lets a token see a later one") {
  nn::LanguageModelOptions options = smallest();
  const Tensor ids = tensor({{1, 6, 1, 3}}, DType::i64), other = tensor({{1, 6, 1, 5}}, DType::i64);
  for (const auto& placement : nn::placements().variants) {
    options.placement = placement.name;
    for (const auto& position : nn::position_encodings().variants) {
      options.position = position.name;
      CAPTURE(name_of(options));
      nn::LanguageModel model(options);
      CHECK(equal(slice(model(ids), 1, 0, 3), slice(model(other), 1, 0, 3)));
      CHECK_FALSE(equal(slice(model(ids), 1, 3), slice(model(other), 1, 3)));
    }
  }
}

TEST_CASE("compatibility: no norm of queries and keys that is accepted lets a token see a later one") {
  nn::LanguageModelOptions options = smallest();
  const Tensor ids = tensor({{1, 6, 1, 3}}, DType::i64), other = tensor({{1, 6, 1, 5}}, DType::i64);
  for (const auto& norm : nn::qk_norms().variants) {
    options.qk_norm = norm.name;
    if (!nn::why_not(options).empty()) continue;
    CAPTURE(norm.name);
    nn::LanguageModel model(options);
    CHECK(equal(slice(model(ids), 1, 0, 3), slice(model(other), 1, 0, 3)));
  }
}
