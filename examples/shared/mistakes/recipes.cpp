#include "examples/shared/mistakes/recipes.h"

#include <cmath>
#include <numbers>

#include "core/core.h"

namespace gradus::examples {
namespace {

// What becomes of the two means m and v after t steps of β₁ = 0.9 and β₂ = 0.999: the step, in units of lr.
using StepOf = Tensor (*)(const Tensor& m, const Tensor& v, double t, double eps);

class OwnAdam : public optim::Optimizer {
 public:
  OwnAdam(const Tensor& parameter, const AdamLine& line, StepOf step_of)
      : Optimizer("OwnAdam", only(parameter), line.lr, 0),
        line_(line),
        step_of_(step_of),
        m_(add_state("first")),
        v_(add_state("second")) {}

 protected:
  void update(std::size_t index, Tensor& parameter, double lr, double) override {
    Tensor &m = m_[index], &v = v_[index];
    m.assign(0.9 * m + 0.1 * parameter.grad());
    v.assign(0.999 * v + 0.001 * square(parameter.grad()));
    const Tensor step = step_of_(m, v, static_cast<double>(steps()), line_.eps);
    parameter.assign(parameter - lr * step - lr * line_.decay * parameter);
  }

 private:
  AdamLine line_;
  StepOf step_of_;
  Tensors m_, v_;
};

MakeAdam with(StepOf step_of) {
  return [=](const Tensor& p, const AdamLine& line) { return std::make_unique<OwnAdam>(p, line, step_of); };
}

double left(double beta, double t) { return 1 - std::pow(beta, t); }  // of a mean of ones that began at 0

Tensor correction_multiplied(const Tensor& m, const Tensor& v, double t, double eps) {
  return m * left(0.9, t) / (sqrt(v * left(0.999, t)) + eps);
}

Tensor correction_without_t(const Tensor& m, const Tensor& v, double, double eps) {
  return m / left(0.9, 1) / (sqrt(v / left(0.999, 1)) + eps);
}

Tensor eps_before_correction(const Tensor& m, const Tensor& v, double t, double eps) {
  return m / left(0.9, t) / ((sqrt(v) + eps) / std::sqrt(left(0.999, t)));
}

OptimizerPtr decoupled(const Tensor& p, const AdamLine& line) {
  return std::make_unique<optim::AdamW>(only(p, line.decay), optim::AdamWOptions{.lr = line.lr, .eps = line.eps});
}

OptimizerPtr coupled(const Tensor& p, const AdamLine& line) {  // λθ goes through the gradient
  return std::make_unique<optim::Adam>(only(p, line.decay), optim::AdamOptions{.lr = line.lr, .eps = line.eps});
}

void clip_each(const Tensors& parameters, double max_norm) {
  for (const Tensor& p : parameters) optim::clip_grad_norm({p}, max_norm);
}

double decay_in_warmup(const optim::ScheduleOptions& o, std::int64_t t) {
  if (t < o.warmup) return optim::warmup_schedule(o, t);
  const double part = static_cast<double>(t) / static_cast<double>(o.total);  // not of what is left after the warm-up
  return o.min_lr + 0.5 * (o.max_lr - o.min_lr) * (1 + std::cos(std::numbers::pi * part));
}

// --- probes --------------------------------------------------------------------------------------------------------

Tensor weight(double value) { return full({1}, value, DType::f64).set_requires_grad(); }

// How far each of the first `count` steps goes, in units of lr.
std::vector<double> step_lengths(const Recipe& recipe, int count, const AdamLine& line) {
  Tensor w = weight(0);
  const OptimizerPtr adam = recipe.adam(w, line);
  std::vector<double> lengths;
  for (int t = 1; t <= count; ++t) {
    const double before = w.item();
    w.set_grad(ones({1}, DType::f64));
    adam->step();
    lengths.push_back((before - w.item()) / line.lr);
  }
  return lengths;
}

double after_first_step(const Recipe& recipe, double decay) {
  Tensor w = weight(1);
  w.set_grad(full({1}, 10, DType::f64));
  recipe.adam(w, {.decay = decay})->step();
  return w.item();
}

}  // namespace

std::vector<double> clipped(const Clip& clip) {
  Tensor a = weight(0), b = weight(0);
  a.set_grad(full({1}, 3, DType::f64));
  b.set_grad(full({1}, 0.4, DType::f64));
  clip({a, b}, 1);
  return {a.grad().item(), b.grad().item()};
}

Recipe right_recipe() { return {{"right", "", "", ""}, decoupled, optim::clip_grad_norm, optim::cosine_schedule}; }

std::vector<Recipe> wrong_recipes() {
  const Recipe right = right_recipe();
  const auto adam = [&](const Published& published, const MakeAdam& make) { return Recipe{published, make, right.clip, right.schedule}; };
  return {
      adam({"adam/correction-without-t", "corrected by 1 − β, not by 1 − βᵗ", "ML-From-Scratch#35", "tenth_step"},
           with(correction_without_t)),
      adam({"adam/correction-multiplied", "× (1 − βᵗ), not divided by it", "karpathy/convnetjs PR107, #70", "first_step"},
           with(correction_multiplied)),
      adam({"adam/eps-before-correction", "√v + ε is corrected, ε with it (a convention: the ε̂ of the paper)",
            "tensorflow#9047, #35102, pytorch PR22628", "large_eps"},
           with(eps_before_correction)),
      adam({"adamw/coupled", "λθ is added to the gradient and called weight decay", "basic_model_scratch#2", "decay"}, coupled),
      {{"clip/per-tensor", "each tensor is cut by its own norm", "transformers#581, MemN2N#19", "clipped_norm"},
       right.adam,
       clip_each,
       right.schedule},
      {{"schedule/decay-in-warmup", "the cosine counts from step 0, not from the end of the warm-up", "fairchem PR1967, gpt-neox PR1008",
        "after_warmup"},
       right.adam,
       right.clip,
       decay_in_warmup},
  };
}

std::vector<Probe> probes_of(const Recipe& recipe) {
  const std::vector<double> lengths = step_lengths(recipe, 1000, {});
  const std::vector<double> g = clipped(recipe.clip);
  const double lost = after_first_step(recipe, 0) - after_first_step(recipe, 0.1);
  return {{"first_step", "first step, gradient 1, in lr", lengths[0]},
          {"tenth_step", "tenth step, gradient 1, in lr", lengths[9]},
          {"thousandth_step", "thousandth step, gradient 1, in lr", lengths[999]},
          {"large_eps", "first step with ε = 0.01, in lr", step_lengths(recipe, 1, {.eps = 0.01})[0]},
          {"decay", "decay in the first step, gradient 10, in lr λ", lost / (AdamLine{}.lr * 0.1)},
          {"clipped_norm", "norm of the gradients 3 and 0.4 after the cut to 1", std::hypot(g[0], g[1])},
          {"after_warmup", "rate when a long warm-up ends, relative to the greatest", recipe.schedule(kLongWarmup, 400)}};
}

}  // namespace gradus::examples
