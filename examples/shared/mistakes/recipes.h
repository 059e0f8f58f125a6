// What a step is made of, as it should be and as it has been published: Adam, clipping, the schedule.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "examples/shared/report/published.h"
#include "optim/optim.h"

namespace gradus::examples {

using OptimizerPtr = std::unique_ptr<optim::Optimizer>;

// One group of one parameter, with this decay.
inline optim::ParameterGroups only(const Tensor& parameter, double decay = 0) { return {{{{"w", parameter}}, decay}}; }

struct AdamLine { double lr = 1e-3, eps = 1e-8, decay = 0; };
using MakeAdam = std::function<OptimizerPtr(const Tensor& parameter, const AdamLine&)>;
using Clip = std::function<void(const Tensors& parameters, double max_norm)>;
using Schedule = std::function<double(const optim::ScheduleOptions&, std::int64_t t)>;

struct Recipe : Published {
  MakeAdam adam;
  Clip clip;
  Schedule schedule;
};

Recipe right_recipe();  // optim::AdamW, optim::clip_grad_norm, optim::cosine_schedule
std::vector<Recipe> wrong_recipes();

std::vector<double> clipped(const Clip& clip);  // the gradients 3 and 0.4 of two tensors, cut to 1

constexpr optim::ScheduleOptions kLongWarmup{.max_lr = 1, .min_lr = 0.1, .warmup = 400, .total = 1000};

// What a recipe must do, asked of its steps:
//   first_step, tenth_step, thousandth_step   in units of lr, the gradient being always 1: 1
//   large_eps      the first step with ε = 0.01: 1/1.01
//   decay          what the first step takes off a weight of 1 by its decay, in units of lr λ, its gradient being 10: 1
//   clipped_norm   of those two gradients: 1
//   after_warmup   the rate when the warm-up ends, at 400 of 1000 steps, relative to the greatest: 1
std::vector<Probe> probes_of(const Recipe& recipe);

}  // namespace gradus::examples
