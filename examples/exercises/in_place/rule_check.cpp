#include "examples/exercises/in_place/rule_check.h"

#include <fmt/format.h>

#include <memory>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/exercises/in_place/model.h"
#include "examples/exercises/in_place/put.h"
#include "examples/exercises/set/gradcheck.h"

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
    for (std::size_t i = 0; i < stages[s].mistakes.size(); ++i) {
      if (stages[s].mistakes[i].id != mistake) continue;
      functions[s] = [&stage = stages[s], i](const Probe& p) { return stage.with(p, Made{}.set(i)); };
      return functions;
    }
  }
  throw ValueError(fmt::format("{} has no mistake {}", id, mistake));
}

// The loss of the first batch as a function of the first gain, through which everything goes that comes later.
class LossOfGain {
 public:
  explicit LossOfGain(const Parts& parts) : model_(parts), batch_(model_.next_batch()) {}

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

bool passes(const Functions& gradcheck, const Parts& parts) {
  const auto loss = std::make_shared<LossOfGain>(library_parts()), checked = std::make_shared<LossOfGain>(parts);
  const auto f = [=](const Tensor& x) { return loss->at(x); };
  const auto rule = [=](const Tensor& g, const Tensor& x) { return checked->gradient(g, x); };
  return own<set::IsRight>(gradcheck[1])(f, rule, loss->start(), own<set::CentralDifferences>(gradcheck[0]));
}

std::string title_of(const WrongRule& wrong) { return fmt::format("the model's rules with {}", wrong.mistake); }

void add(Training& training, const std::string& title, bool passes) {
  training.ended.emplace_back("the verdict on " + title, full({}, passes ? 1 : 0, DType::f64));
  training.remarks.push_back(fmt::format("{}: {}", title, passes ? "right" : "wrong"));
}

// With a verdict on the library's parts, and on those with each mistake.
template <typename F> Training verdicts_by(const F& verdict) {
  Training training;
  add(training, "the model's rules as they are", verdict(nullptr));
  for (const WrongRule& wrong : kWrongRules) add(training, title_of(wrong), verdict(&wrong));
  return training;
}

}  // namespace

Training judge_rules(const Functions& gradcheck) {
  return verdicts_by([&](const WrongRule* wrong) {
    Parts parts = library_parts();
    if (wrong != nullptr) wrong->put(parts, functions_with(wrong->exercise, wrong->mistake));
    return passes(gradcheck, parts);
  });
}

Training right_verdicts() {
  return verdicts_by([](const WrongRule* wrong) { return wrong == nullptr; });
}

}  // namespace gradus::exercises
