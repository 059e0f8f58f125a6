#include "examples/exercises/in_place/rule_check.h"

#include <fmt/format.h>

#include <memory>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/exercises/in_place/model.h"
#include "examples/exercises/in_place/put.h"
#include "examples/exercises/set/functions.h"

namespace gradus::exercises {
namespace {

using Put = void (*)(Parts&, const Functions&);

// A mistake in the gradient of one of the model's parts.
struct WrongRule {
  const char *exercise, *mistake;
  Put put;
};
constexpr WrongRule kWrongRules[] = {
    {"rule-mul", "op/own-factors", put::rule_mul},
    {"activations", "act/silu-second-without-x", put::activations},
    {"rms-norm", "norm/r-held-constant", put::rms_norm},
    {"attention-gradient", "attn/gradient-without-mean", put::attention_gradient},
    {"cross-entropy", "loss/gradient-without-target", put::cross_entropy},
};

// The right functions of an exercise, but that which can have this mistake has it.
Functions functions_with(const std::string& id, const std::string& mistake) {
  Functions functions = right_functions(id);
  const std::vector<Stage>& stages = exercise(id).stages;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (const Mistake& one : stages[s].mistakes) {
      if (one.id != mistake) continue;
      functions[s] = [&stage = stages[s], made = alone(one)](const Probe& p) { return stage.with(p, made); };
      return functions;
    }
  }
  throw ValueError(fmt::format("{} has no mistake {}", id, mistake));
}

// The loss of the first batch as a function of the first gain, through which everything goes that comes later.
class LossOfGain {
 public:
  explicit LossOfGain(const GptParts& parts) : model_(parts), batch_(model_.next_batch()) {}

  Tensor start() const { return gain().detached_copy(); }

  Tensor at(const Tensor& x) {
    const NoGrad off;
    gain().assign(x);
    return model_.loss_of(batch_.inputs, batch_.targets);
  }

  Tensor gradient(const Tensor& g, const Tensor& x) {
    gain().assign(x.detach());
    return g * grad({model_.loss_of(batch_.inputs, batch_.targets)}, {gain()})[0];
  }

 private:
  Tensor gain() const { return model_.values()[model_.first_gain()]; }

  LanguageModel model_;
  examples::Batch batch_;
};

bool passes(const Functions& gradcheck, const GptParts& parts) {
  const auto loss = std::make_shared<LossOfGain>(GptParts()), checked = std::make_shared<LossOfGain>(parts);
  const auto f = [=](const Tensor& x) { return loss->at(x); };
  const auto rule = [=](const Tensor& g, const Tensor& x) { return checked->gradient(g, x); };
  return own<set::IsRight>(gradcheck[1])(f, rule, loss->start(), own<set::CentralDifferences>(gradcheck[0]));
}

}  // namespace

std::vector<Judged> judge_rules(const Functions& gradcheck) {
  std::vector<Judged> all = {{"the model's rules as they are", true, passes(gradcheck, {})}};
  for (const WrongRule& wrong : kWrongRules) {
    GptParts parts;
    for (Parts* of_block : {&parts.whole, &parts.pieces}) wrong.put(*of_block, functions_with(wrong.exercise, wrong.mistake));
    all.push_back({fmt::format("the model's rules with {}", wrong.mistake), false, passes(gradcheck, parts)});
  }
  return all;
}

}  // namespace gradus::exercises
