// A student's functions in a GPT: with the project's answers it learns as with the library's, and with a mistake it does not.
#include "examples/exercises/in_place/chapters.h"
#include "examples/exercises/in_place/gpt.h"
#include "examples/exercises/in_place/prizes.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "core/core.h"
#include "examples/exercises/set/functions.h"
#include "examples/exercises/set/set.h"
#include "tests/examples/exercises/answers.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::exercises;
using namespace gradus::test;

namespace {

const Functions& answer_to(const std::string& id) {
  return std::find_if(answers().begin(), answers().end(), [&](const Answer& one) { return one.id == id; })->functions;
}

// The answer to an exercise, but each of its functions that can have this mistake has it.
Functions with_mistake(const std::string& id, const std::string& mistake) {
  Functions functions = answer_to(id);
  const std::vector<Stage>& stages = exercise(id).stages;
  bool made = false;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (const Mistake& one : stages[s].mistakes) {
      if (one.id != mistake) continue;
      functions[s] = [&stage = stages[s], wrong = alone(one)](const Probe& p) { return stage.with(p, wrong); };
      made = true;
    }
  }
  if (!made) FAIL(id, " has no mistake ", mistake);
  return functions;
}

// --- wrong answers that take more than arrays --------------------------------------------------------------------------

Tensor post_for_pre(const Tensor& x, const set::Part& f1, const set::Part& f2, const set::Part& norm1, const set::Part& norm2) {
  const Tensor a = norm1(x + f1(x));
  return norm2(a + f2(a));
}

// Every token is at position 0.
Tensor always_first(const Tensor& q, const Tensor& k, const Tensor& v, const set::Rotate& rotate, int64_t, Tensor& kept_k, Tensor& kept_v,
                    int64_t&) {
  kept_k = cat({kept_k, rotate(k, arange(1))}, 0);
  kept_v = cat({kept_v, v}, 0);
  const Tensor scores = matmul(rotate(q, arange(1)), kept_k, {.transpose_b = true}) / std::sqrt(static_cast<double>(q.size(1)));
  return matmul(exp(scores - logsumexp(scores, {1}, true)), kept_v);
}

bool says_right(const set::TensorOp&, const set::TensorRule&, const Tensor&, const set::Differences&) { return true; }

Tensor does_not_train(const set::Loss& loss, const set::Switch&, const Tensors&, const Tensor& text, const Tensor& held, int, double) {
  const NoGrad off;
  const double measured = loss(slice(held, 1, 0, -1), slice(held, 1, 1)).item();
  return full({text.size(0)}, measured, DType::f64);
}

// An exercise, a wrong answer to it, and what differs first in its place.
struct Wrong {
  std::string id;
  Functions functions;
  std::string first;
};

std::vector<Wrong> wrong_answers() {
  const auto with = [](const std::string& id, const std::string& mistake, const std::string& first) {
    return Wrong{id, with_mistake(id, mistake), first};
  };
  return {
      with("rule-mul", "op/own-factors", "the gradient of block 2, up weights"),
      with("rule-broadcast", "op/sum-as-mean", "the gradient of block 2, out weights"),
      with("rule-matmul", "op/db-last-term", "the gradient of block 2, down weights"),
      with("the-walk", "engine/no-zero-grad", "the gradient of the last gain"),
      with("softmax", "softmax/average-missing", "the gradient of block 2, key weights"),
      with("cross-entropy", "loss/gradient-without-target", "the gradient of the last gain"),
      with("activations", "act/silu-second-without-x", "the gradient of block 2, gate weights"),
      with("swiglu", "ffn/silu-of-product", "block 1, feed-forward"),
      with("rms-norm", "norm/gain-missing", "block 1, norm 1"),
      with("rope", "rope/positions-from-one", ""),
      with("attention", "attn/mask-off-by-one", "block 1, attention of a text"),
      with("attention-gradient", "attn/gradient-without-mean", "the gradient of block 1, key weights"),
      with("heads", "attn/merge-without-transpose", "block 1, heads merged"),
      with("adamw", "adam/eps-inside-root", "after a step, table"),
      with("clip-and-schedule", "schedule/falls-to-zero", "after a step, table"),
      with("sampling", "sample/top-p-drops-the-crossing-one", "the probabilities of byte 1 that is written"),
      {"gradcheck",
       {answer_to("gradcheck")[0], set::gradcheck(nullptr, says_right)[1]},
       "the verdict on the model's rules with op/own-factors"},
      {"kv-cache", set::kv_cache(always_first), "the scores of byte 2 that is written"},
      {"block", set::block(post_for_pre, post_for_pre, nullptr, nullptr), "block 1, norm 1"},
      {"training-loop", set::training_loop(does_not_train), ""},
  };
}

}  // namespace

TEST_CASE("exercises in place: a GPT of all answers learns and writes as the library's") {
  Answers all;
  std::set<std::string> named;
  for (const PartOf& one : parts_of_models()) {
    if (one.in_gpt) all[one.id] = answer_to(one.id);
    named.insert(one.id);
  }
  CHECK(all.size() == 20);
  CHECK(named.size() == answers().size());  // each is a part of some model
  const Trained mine = train_gpt(all, 12, 20), library = train_gpt({}, 12, 20);
  CHECK(first_unlike(mine, library) == "");
  CHECK(mine.text == library.text);
  CHECK(mine.losses.back() < mine.losses.front());
}

TEST_CASE("exercises in place: each answer by itself does as the library's, and a mistake is named by what differs first") {
  for (const PartOf& one : parts_of_models()) {
    CAPTURE(one.id);
    if (one.in_gpt) CHECK(first_unlike_library(one.id, answer_to(one.id)) == "");
  }
  for (const Wrong& wrong : wrong_answers()) {
    CAPTURE(wrong.id);
    const std::string first = first_unlike_library(wrong.id, wrong.functions);
    CHECK(first != "");
    if (!wrong.first.empty()) CHECK(first == wrong.first);
  }
}

TEST_CASE("exercises in place: each prize is another one, and fits 80 columns") {
  const auto columns = [](const std::string& line) {
    return std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
  };
  std::set<std::string> all;
  for (const Answer& answer : answers()) {
    CAPTURE(answer.id);
    std::istringstream text(prize(answer.id, answer.functions));
    for (std::string line; std::getline(text, line);) CHECK_MESSAGE(columns(line) <= 80, line);
    all.insert(text.str());
  }
  CHECK(all.size() == answers().size());
  CHECK(prize("cross-attention", answer_to("cross-attention")).find("stressed becomes desserts") != std::string::npos);
  CHECK(prize("kv-cache", answer_to("kv-cache")).find("another text") == std::string::npos);
  CHECK(prize("the-walk", answer_to("the-walk")).find("dy/d(a    ) =  25") != std::string::npos);
}

TEST_CASE("exercises in place: a chapter finds each answer right, and each published mistake wrong") {
  const std::pair<const char*, const char*> all[] = {
      {"ch04", "rms-norm"}, {"ch04", "layer-norm-gradient"}, {"ch06", "rope"}, {"ch06", "alibi"}, {"ch07", "attention"},
      {"ch10", "adamw"},    {"ch10", "clip-and-schedule"}};
  const auto differ = [](const examples::Answer& a, const examples::Answer& b) {
    return !std::equal(a.probes.begin(), a.probes.end(), b.probes.begin(), b.probes.end(),
                       [](const auto& one, const auto& other) { return std::abs(one.value - other.value) < 1e-6; });
  };
  for (const auto& [chapter, id] : all) {
    CAPTURE(id);
    const std::vector<examples::Answer> answers = asked_in(chapter, id, answer_to(id));
    REQUIRE(answers.size() >= 3);
    CHECK(answers[1].published.id == "yours");
    CHECK_FALSE(differ(answers[0], answers[1]));
    for (std::size_t i = 2; i < answers.size(); ++i) CHECK_MESSAGE(differ(answers[0], answers[i]), answers[i].published.id);
  }
  CHECK_THROWS_WITH_AS(asked_in("ch04", "rope", answer_to("rope")),
                       "--mine: ch04 has nothing to ask 'rope'; it asks rms-norm and layer-norm-gradient", ValueError);
  CHECK_THROWS_AS(asked_in("ch05", "rope", answer_to("rope")), ValueError);
}

TEST_CASE("exercises in place: a chapter finds a mistake of yours") {
  const std::vector<examples::Answer> answers = asked_in("ch04", "rms-norm", with_mistake("rms-norm", "norm/eps-outside-root"));
  const auto published =
      std::find_if(answers.begin(), answers.end(), [](const auto& one) { return one.published.id == "norm/eps-outside-root"; });
  REQUIRE(published != answers.end());
  for (std::size_t i = 0; i < answers[1].probes.size(); ++i) {  // the gradient is the right one's, and not asked for
    CHECK(answers[1].probes[i].value == doctest::Approx(published->probes[i].value).epsilon(1e-6));
  }
}
