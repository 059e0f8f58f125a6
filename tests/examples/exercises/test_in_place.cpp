// A student's functions in a model: with the project's answers it learns as with the library's, and with a mistake it does not.
#include "examples/exercises/in_place/chapters.h"
#include "examples/exercises/in_place/seams.h"

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/block.h"
#include "examples/exercises/set/cross_attention.h"
#include "examples/exercises/set/gradcheck.h"
#include "examples/exercises/set/kv_cache.h"
#include "examples/exercises/set/set.h"
#include "examples/exercises/set/training_loop.h"
#include "tests/examples/exercises/answers.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::exercises;
using namespace gradus::test;

namespace {

const Functions& answer_to(const std::string& id) {
  return std::find_if(answers().begin(), answers().end(), [&](const Answer& one) { return one.id == id; })->functions;
}

// The answer to an exercise, but its last function that can have this mistake has it.
Functions with_mistake(const std::string& id, const std::string& mistake) {
  Functions functions = answer_to(id);
  const std::vector<Stage>& stages = exercise(id).stages;
  for (std::size_t s = stages.size(); s-- > 0;) {
    for (std::size_t i = 0; i < stages[s].mistakes.size(); ++i) {
      if (stages[s].mistakes[i].id != mistake) continue;
      functions[s] = [&stage = stages[s], i](const Probe& p) { return stage.with(p, Made{}.set(i)); };
      return functions;
    }
  }
  FAIL(id, " has no mistake ", mistake);
  return {};
}

// --- wrong answers that take more than arrays --------------------------------------------------------------------------

Tensor post_for_pre(const Tensor& x, const set::Part& f1, const set::Part& f2, const set::Part& norm1, const set::Part& norm2) {
  const Tensor a = norm1(x + f1(x));
  return norm2(a + f2(a));
}

Tensor without_alpha(const Tensor& x, const set::Part& f1, const set::Part& f2, const set::Part& norm1, const set::Part& norm2, double) {
  return post_for_pre(x, f1, f2, norm1, norm2);
}

// Without the mask of padding.
Tensor asks_padding(const Tensor& x, const Tensor& memory, const Tensor& w_q, const Tensor& w_k, const Tensor& w_v, const Tensor& w_o, const Tensor&,
                    int64_t heads) {
  Tensors parts;
  const Tensors q = chunk(matmul(x, w_q), heads, 1), k = chunk(matmul(memory, w_k), heads, 1), v = chunk(matmul(memory, w_v), heads, 1);
  for (std::size_t h = 0; h < q.size(); ++h) {
    const Tensor scores = matmul(q[h], k[h], {.transpose_b = true}) / std::sqrt(static_cast<double>(q[h].size(1)));
    parts.push_back(matmul(exp(scores - logsumexp(scores, {1}, true)), v[h]));
  }
  return matmul(cat(parts, 1), w_o);
}

// Every token is at position 0.
Tensor always_first(const Tensor& q, const Tensor& k, const Tensor& v, const set::Rotate& rotate, int64_t, Tensor& kept_k, Tensor& kept_v, int64_t&) {
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
      with("rule-mul", "op/own-factors", "the gradient of block 1, up weights"),
      with("rule-broadcast", "op/first-use-only", "the gradient of block 1, down weights"),
      with("rule-broadcast", "op/sum-as-mean", "the gradient of block 1, down weights"),
      with("rule-matmul", "op/db-last-term", "the gradient of block 1, down weights"),
      with("the-walk", "engine/overwrites", "the gradient of the outer weights"),
      with("softmax", "softmax/average-missing", "the gradient of block 1, key weights"),
      with("cross-entropy", "loss/gradient-without-target", "the gradient of the last gain"),
      with("activations", "act/silu-second-without-x", "the gradient of block 1, gate weights"),
      with("swiglu", "ffn/silu-of-product", "block 0, feed-forward"),
      with("swiglu", "ffn/silu-value-for-slope", "the gradient of block 1, gate weights"),
      with("rms-norm", "norm/gain-missing", "block 0, norm 1"),
      with("layer-norm-gradient", "norm/gradient-mean-missing", "the gradient of block 1, down weights"),
      with("batch-norm-running", "norm/running-var-biased", "the running variance"),
      with("batch-norm-running", "norm/batch-in-eval", "the scores in eval"),
      with("sinusoids", "pos/counted-through", "the embedding"),
      with("rope", "rope/positions-from-one", "the gradient of block 1, key weights"),
      with("alibi", "alibi/slope-exponent", "block 0, attention of a text"),
      with("attention", "attn/mask-off-by-one", "block 0, attention of a text"),
      with("attention-gradient", "attn/gradient-without-mean", "the gradient of block 1, key weights"),
      with("heads", "attn/merge-without-transpose", "block 0, heads merged"),
      with("lstm-step", "lstm/output-without-tanh", "h and c after a byte"),
      with("lstm-step", "lstm/next-cell-left-out", "the gradient of b"),
      with("adamw", "adam/eps-inside-root", "after a step, table"),
      with("clip-and-schedule", "clip/per-tensor", "the clipped gradient of table"),
      with("clip-and-schedule", "schedule/falls-to-zero", "after a step, table"),
      with("sampling", "sample/top-p-drops-the-crossing-one", "the probabilities of byte 1 that is written"),
      {"gradcheck", {answer_to("gradcheck")[0], set::gradcheck(nullptr, says_right)[1]}, "the verdict on the model's rules with op/own-factors"},
      {"kv-cache", set::kv_cache(always_first), "the scores of byte 2 that is written"},
      {"block", set::block(post_for_pre, post_for_pre, without_alpha), "block 0, norm 1"},
      {"cross-attention", set::cross_attention(asks_padding), "cross-attention"},
      {"training-loop", set::training_loop(does_not_train), "the loss of step 1"},
  };
}

}  // namespace

TEST_CASE("exercises in place: with each answer a model learns as with the library's functions") {
  for (const Answer& answer : answers()) {
    CAPTURE(answer.id);
    REQUIRE(has_place(answer.id));
    const InPlace result = in_place(answer.id, answer.functions, 12);
    CHECK_MESSAGE(result.same, "first differs ", result.first);
    const std::vector<double>& losses = result.mine.losses;
    CHECK((losses.empty() || losses.back() < losses.front()));
  }
}

TEST_CASE("exercises in place: with a mistake it does not, and what differs first is named") {
  for (const Wrong& wrong : wrong_answers()) {
    CAPTURE(wrong.id);
    const InPlace result = in_place(wrong.id, wrong.functions, 3);
    CHECK_FALSE(result.same);
    CHECK(result.first == wrong.first);
  }
}

TEST_CASE("exercises in place: a chapter finds each answer right, and each published mistake wrong") {
  const std::pair<const char*, const char*> all[] = {{"ch04", "rms-norm"}, {"ch04", "layer-norm-gradient"}, {"ch06", "rope"},
                                                     {"ch06", "alibi"},    {"ch07", "attention"},           {"ch10", "adamw"},
                                                     {"ch10", "clip-and-schedule"}};
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
  CHECK_THROWS_WITH_AS(asked_in("ch04", "rope", answer_to("rope")), "--mine: ch04 has nothing to ask 'rope'; it asks rms-norm and layer-norm-gradient", ValueError);
  CHECK_THROWS_AS(asked_in("ch05", "rope", answer_to("rope")), ValueError);
}

TEST_CASE("exercises in place: a chapter finds a mistake of yours") {
  const std::vector<examples::Answer> answers = asked_in("ch04", "rms-norm", with_mistake("rms-norm", "norm/eps-outside-root"));
  const auto published = std::find_if(answers.begin(), answers.end(), [](const auto& one) { return one.published.id == "norm/eps-outside-root"; });
  REQUIRE(published != answers.end());
  for (std::size_t i = 0; i < answers[1].probes.size(); ++i) {  // the gradient is the right one's, and not asked for
    CHECK(answers[1].probes[i].value == doctest::Approx(published->probes[i].value).epsilon(1e-6));
  }
}
