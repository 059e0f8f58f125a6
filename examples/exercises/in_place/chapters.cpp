#include "examples/exercises/in_place/chapters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/exercises/in_place/put.h"
#include "examples/shared/mistakes/attentions.h"
#include "examples/shared/mistakes/recipes.h"
#include "examples/shared/mistakes/rotation_probes.h"
#include "examples/shared/mistakes/wrong_norms.h"
#include "nn/nn.h"

namespace gradus::exercises {
namespace {

using examples::Answer;
using examples::Published;
using Names = std::vector<std::string>;

constexpr std::uint64_t kSeed = 0;
const Published kYours = {"yours", "", "", ""};

// The answers of the right one, of yours and of the published ones, as far as these probes show them.
template <typename Row, typename Wrong, typename ProbesOf>
std::vector<Answer> beside(const Row& right, const Row& yours, const Wrong& published, const Names& names, const ProbesOf& probes_of) {
  const auto is_asked = [&](const std::string& name) { return std::count(names.begin(), names.end(), name) > 0; };
  std::vector<Row> rows = {right, yours};
  for (const Row& wrong : published) {
    if (is_asked(wrong.probe)) rows.push_back(wrong);
  }
  std::vector<Answer> answers;
  for (const Row& row : rows) {
    answers.push_back({row, {}});
    for (const examples::Probe& probe : probes_of(row)) {
      if (is_asked(probe.name)) answers.back().probes.push_back(probe);
    }
  }
  return answers;
}

// --- chapter 4 ---------------------------------------------------------------------------------------------------------------

// The student's norm of rows, with a gain of ones and, if it has one, a bias of zeros.
examples::RowsNorm rows_norm(const Functions& mine, bool has_bias) {
  return [=](const Tensor& given, double epsilon) {
    const int64_t width = given.size(-1);
    const Tensor x = reshape(cast(given, DType::f64), {-1, width});
    const Array gain = array_of("gain", ones({1, width}, DType::f64)), bias = array_of("bias", zeros({1, width}, DType::f64));
    const Array eps = number("eps", epsilon);
    std::vector<Array> inputs = {array_of("x", x), gain, eps};
    if (has_bias) inputs.push_back(bias);
    const Tensor y = record_joint("norm", called(mine[0], inputs)[0], {x}, [=](const Step& s) {
      return Tensors{called(mine[1], {array_of("g", s.grad), array_of("x", s.input(0)), gain, eps})[0]};
    });
    return cast(reshape(y, given.shape()), given.dtype());
  };
}

std::vector<Answer> norms(const Functions& mine, bool has_bias) {
  examples::WrongNorm right = examples::right_norm();
  if (!has_bias) right.apply = right.right = [](const Tensor& x, double eps) { return nn::rms_norm(x, {}, eps); };
  const examples::WrongNorm yours = {kYours, rows_norm(mine, has_bias), right.right};
  return beside(right, yours, examples::wrong_norms(), {"other_tokens", "values", "large_eps", "nan_rows"},
                [](const examples::WrongNorm& norm) { return examples::probes_of(norm, kSeed); });
}

// --- chapter 6 ---------------------------------------------------------------------------------------------------------------

constexpr int64_t kHeadDim = 64;

std::vector<Answer> rotations(const examples::Rotation& yours, const Names& names) {
  return beside(examples::right_rotation(kHeadDim), yours, examples::wrong_rotations(kHeadDim), names,
                [](const examples::Rotation& rotation) { return examples::probes_of(rotation, kHeadDim, kSeed); });
}

std::vector<Answer> rope_asked(const Functions& mine) {
  Parts parts;
  put::rope(parts, mine);
  const auto turn = [rope = parts.rope](const Tensor& x, const Tensor& positions) {  // [B, T, H, d], head by head
    Tensors texts;
    for (int64_t b = 0; b < x.size(0); ++b) {
      Tensors heads;
      for (int64_t h = 0; h < x.size(2); ++h) heads.push_back(rope(select(x[b], 1, h), positions));
      texts.push_back(stack(heads, 1));
    }
    return stack(texts);
  };
  return rotations({kYours, turn}, {"spread", "range", "shifted", "first_angle", "decoded"});
}

std::vector<Answer> alibi_asked(const Functions& mine) {
  examples::Rotation yours = examples::right_rotation(kHeadDim);
  static_cast<Published&>(yours) = kYours;
  yours.slopes = [=](int64_t heads) { return flatten(called(mine[0], {number("H", static_cast<double>(heads))})[0]); };
  return rotations(yours, {"first_slope"});
}

// --- chapter 7 ---------------------------------------------------------------------------------------------------------------

// How far the outputs of the first tokens move with the last one.
double change_of_past(const examples::PublishedAttention& attention) {
  Generator random(kSeed);
  const auto drawn = [&] { return randn({2, 6, 4, 5}, DType::f64, random); };
  const Tensor q = drawn(), k = drawn(), v = drawn(), move = reshape(cast(arange(6) == 5, DType::f64), {1, 6, 1, 1});
  const auto past = [&](const Tensor& by) { return slice(attention.function(q + by, k + by, v + by, {.causal = true}), 1, 0, 5); };
  return max(abs(past(move) - past(0 * move))).item();
}

std::vector<Answer> attention_asked(const Functions& mine) {
  Parts parts;
  put::attention(parts, mine);
  const auto heads_first = [](const Tensor& x) { return permute(x, {0, 2, 1, 3}); };
  const auto yours = [=](const Tensor& q, const Tensor& k, const Tensor& v, const nn::ScaledDotOptions&) {
    const Tensor all_k = heads_first(nn::repeat_heads(k, q.size(2))), all_v = heads_first(nn::repeat_heads(v, q.size(2)));
    Tensors texts;
    for (int64_t b = 0; b < q.size(0); ++b) texts.push_back(parts.attention(heads_first(q)[b], all_k[b], all_v[b]));
    return heads_first(stack(texts));
  };
  return beside(examples::right_attention(), {kYours, yours}, examples::wrong_attentions(), {"values", "future"},
                [](const examples::PublishedAttention& attention) {
                  std::vector<examples::Probe> probes = examples::probes_of(attention, kSeed);
                  probes.push_back({"future", "change of the past with the last token", change_of_past(attention)});
                  return probes;
                });
}

// --- chapter 10 --------------------------------------------------------------------------------------------------------------

// The student's AdamW of one number, as the first of two rows: a matrix, which decays.
class StudentsAdamW : public optim::Optimizer {
 public:
  StudentsAdamW(Function step, const Tensor& parameter, const examples::AdamLine& line)
      : Optimizer("StudentsAdamW", examples::only(parameter), line.lr, 0), step_(std::move(step)), line_(line) {}

 protected:
  void update(std::size_t, Tensor& parameter, double lr, double) override {
    const auto twice = [](const std::string& name, const Tensor& x) { return array_of(name, expand(reshape(x, {1, 1}), {2, 1})); };
    const Tensors after = called(step_, {twice("theta", parameter), twice("g", parameter.grad()), twice("m", m_), twice("v", v_),
                                         number("t", static_cast<double>(steps())), array("lr, decay", {1, 2}, {lr, line_.decay}),
                                         array("betas", {1, 2}, {0.9, 0.999}), number("eps", line_.eps)});
    parameter.assign(after[0][0]);
    m_ = after[1][0];
    v_ = after[2][0];
  }

 private:
  Function step_;
  examples::AdamLine line_;
  Tensor m_ = zeros({1}, DType::f64), v_ = zeros({1}, DType::f64);
};

std::vector<Answer> recipes(const examples::Recipe& yours, const Names& names) {
  return beside(examples::right_recipe(), yours, examples::wrong_recipes(), names,
                [](const examples::Recipe& recipe) { return examples::probes_of(recipe); });
}

std::vector<Answer> adamw_asked(const Functions& mine) {
  examples::Recipe yours = examples::right_recipe();
  static_cast<Published&>(yours) = kYours;
  yours.adam = [=](const Tensor& p, const examples::AdamLine& line) { return std::make_unique<StudentsAdamW>(mine[1], p, line); };
  return recipes(yours, {"first_step", "tenth_step", "thousandth_step", "large_eps", "decay"});
}

std::vector<Answer> clip_asked(const Functions& mine) {
  Parts parts;
  put::clip_and_schedule(parts, mine);
  examples::Recipe yours = examples::right_recipe();
  static_cast<Published&>(yours) = kYours;
  yours.clip = parts.descent.clip;
  yours.schedule = [rate = parts.descent.rate](const optim::ScheduleOptions& o, std::int64_t t) {
    return rate(static_cast<int>(t), static_cast<int>(o.warmup), static_cast<int>(o.total), o.max_lr, o.min_lr);
  };
  return recipes(yours, {"clipped_norm", "after_warmup"});
}

// -----------------------------------------------------------------------------------------------------------------------------

struct Asked {
  std::string chapter, id;
  std::function<std::vector<Answer>(const Functions& mine)> answers;
};

const std::vector<Asked>& all_asked() {
  static const std::vector<Asked> all = {
      {"ch04", "rms-norm", [](const Functions& mine) { return norms(mine, false); }},
      {"ch04", "layer-norm-gradient", [](const Functions& mine) { return norms(mine, true); }},
      {"ch06", "rope", rope_asked},
      {"ch06", "alibi", alibi_asked},
      {"ch07", "attention", attention_asked},
      {"ch10", "adamw", adamw_asked},
      {"ch10", "clip-and-schedule", clip_asked},
  };
  return all;
}

const Asked& asked(const std::string& chapter, const std::string& id) {
  Names there;
  for (const Asked& one : all_asked()) {
    if (one.chapter == chapter && one.id == id) return one;
    if (one.chapter == chapter) there.push_back(one.id);
  }
  check<ValueError>(!there.empty(), "--mine: {} has no published mistakes beside which '{}' could stand; ch04, ch06, ch07 and ch10 have",
                    chapter, id);
  throw ValueError(fmt::format("--mine: {} has nothing to ask '{}'; it asks {}", chapter, id, fmt::join(there, " and ")));
}

}  // namespace

std::vector<Answer> asked_in(const std::string& chapter, const std::string& id, const Functions& mine) {
  return asked(chapter, id).answers(mine);
}

void check_asked_in(const std::string& chapter, const std::string& id) { asked(chapter, id); }

}  // namespace gradus::exercises
