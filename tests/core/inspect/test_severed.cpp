// severed: each way to lose a gradient is named, with the parameter's path, the op or call that cut it, and the module.
#include "core/inspect/severed.h"

#include "core/core.h"
#include "core/tensor/xtensor.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;
using inspect::ForwardLog;
using inspect::Severed;
using inspect::severed;

namespace {

// A model of two vectors: `part` makes of w, in a module "blocks.0", what the loss is computed from, and h, reached by
// the loss itself.
struct Vectors {
  Tensor w = tensor({1, 2}).set_requires_grad(), h = tensor({3, 4}).set_requires_grad();
  NamedTensors named_parameters() const { return {{"blocks.0.w", w}, {"head.h", h}}; }

  template <typename Part> Tensor loss(ForwardLog& log, const Part& part) const {
    log.name(w, "blocks.0.w");
    log.name(h, "head.h");
    log.enter("", "Vectors");
    log.enter("blocks.0", "Part");
    const Tensor inner = part(w);
    log.leave();
    const Tensor y = sum(inner * h);
    log.leave();
    return y;
  }
};

template <typename Part> std::vector<Severed> lost_by(const Part& part) {
  ForwardLog log;
  const Vectors model;
  return severed(model.loss(log, part), model, {.unnamed = false});
}

// What is said of the only parameter that is lost, without the numbers after #.
template <typename Part> std::string said(const Part& part) {
  const std::vector<Severed> lost = lost_by(part);
  REQUIRE(lost.size() == 1);
  std::string text = lost[0].str();
  for (std::size_t i = text.find('#'); i != std::string::npos; i = text.find('#', i + 1)) {
    const std::size_t end = text.find_first_not_of("0123456789", i + 1);
    text.erase(i + 1, end - i - 1);
  }
  return text;
}

}  // namespace

TEST_CASE("severed: nothing is said of parameters that the loss reaches") {
  CHECK(lost_by([](const Tensor& w) { return w * 2; }).empty());
  CHECK(lost_by([](const Tensor& w) { return w.detach() * w; }).empty());  // one way is enough
}

TEST_CASE("severed: detach() is named with the tensor it made and the module in which it was called") {
  CHECK(said([](const Tensor& w) { return (w * 2).detach(); }) == "blocks.0.w: cut by detach() at # [2] in blocks.0");
  CHECK(said([](const Tensor& w) { return sin(w.detach()) + 1; }) == "blocks.0.w: cut by detach() at # [2] in blocks.0");
}

TEST_CASE("severed: the number in the text is that of the tensor") {
  ForwardLog log;
  const Vectors model;
  Tensor cut;
  const Tensor loss = model.loss(log, [&](const Tensor& w) { return cut = w.detach(); });
  CHECK(severed(loss, model).at(0).why == fmt::format("cut by detach() at #{} [2] in blocks.0", cut.number()));
  CHECK(severed(loss, model).at(0).kind == Severed::Kind::cut);
}

TEST_CASE("severed: an op under NoGrad is named") {
  CHECK(said([](const Tensor& w) {
          const Tensor wide = w + 1;
          const NoGrad off;
          return sin(wide * 2);
        }) == "blocks.0.w: cut by mul under NoGrad at # [2] in blocks.0");
}

TEST_CASE("severed: ops without a derivative are named") {
  const auto constant = [](const char* op) { return fmt::format("blocks.0.w: cut by {} (no derivative) at # [2] in blocks.0", op); };
  const auto f32 = [](const Tensor& x) { return cast(x, DType::f32); };
  CHECK(said([](const Tensor& w) { return sign(w); }) == constant("sign"));
  CHECK(said([&](const Tensor& w) { return f32(w > 1); }) == constant("gt"));
  CHECK(said([&](const Tensor& w) { return f32(w < 1); }) == constant("lt"));
  CHECK(said([&](const Tensor& w) { return f32(w >= 1); }) == constant("ge"));
  CHECK(said([&](const Tensor& w) { return f32(w <= 1); }) == constant("le"));
  CHECK(said([&](const Tensor& w) { return f32(w == 1); }) == constant("eq"));
  CHECK(said([&](const Tensor& w) { return f32(w != 1); }) == constant("ne"));
  CHECK(said([&](const Tensor& w) { return f32(logical_not(w)); }) == constant("logical_not"));
  CHECK(said([&](const Tensor& w) { return f32(logical_and(w, w)); }) == constant("logical_and"));
  CHECK(said([&](const Tensor& w) { return f32(logical_or(w, w)); }) == constant("logical_or"));
  CHECK(said([&](const Tensor& w) { return f32(isnan(w)); }) == constant("isnan"));
  CHECK(said([&](const Tensor& w) { return f32(isinf(w)); }) == constant("isinf"));
  CHECK(said([&](const Tensor& w) { return f32(argsort(w)); }) == constant("argsort"));
  CHECK(said([&](const Tensor& w) { return f32(cast(w, DType::i64)); }) == constant("cast"));  // rounded: a floor
}

TEST_CASE("severed: an argmax whose index chooses a row, or becomes one_hot, is named") {
  const Tensor table = ones({2, 2});
  const std::string cut = "blocks.0.w: cut by argmax (no derivative) at # [] in blocks.0";
  CHECK(said([&](const Tensor& w) { return index_select(table, 0, reshape(argmax(w), {1})); }) == cut);
  CHECK(said([](const Tensor& w) { return one_hot(argmax(w), 2); }) == cut);
  CHECK(said([](const Tensor& w) { return one_hot(argmin(w), 2); }) == "blocks.0.w: cut by argmin (no derivative) at # [] in blocks.0");
}

TEST_CASE("severed: an op on the tape whose rule gives an input no gradient is named, before backward; after it, no more is known") {
  const auto count = [](const Tensor& w) {
    const Tensor twice = w * 2, other = ones({2}).set_requires_grad();
    return record("count", zeros({2}), {twice, other}, nullptr, [](const Step& step) { return step.grad; });
  };
  CHECK(said(count) == "blocks.0.w: cut by count at # [2] in blocks.0, whose rule gives that input no gradient");
  ForwardLog log;
  const Vectors model;
  const Tensor loss = model.loss(log, count);
  loss.backward();
  CHECK(severed(loss, model).at(0).why ==
        "on the tape of the loss, but without a grad(): a rule on the way gives none, or zero_grad() was called");
}

TEST_CASE("severed: values that were copied into another tensor are named by the call that copied them") {
  const auto text = [](const char* call) { return fmt::format("blocks.0.w: cut by {} at # [2] in blocks.0", call); };
  CHECK(said([](const Tensor& w) { return w.detached_copy(); }) == text("detach()"));
  const Tensor kept = zeros({2});  // made before the module is called
  CHECK(said([&](const Tensor& w) { return Tensor(kept).assign(w), kept * 2; }) == "blocks.0.w: cut by assign() at # [2]");
  CHECK(said([](const Tensor& w) {
          Tensor sum = zeros({2});
          sum += (w * 2).detach();
          sum += ones({2});  // what was added before is not forgotten
          return sum;
        }) == text("detach()"));
}

TEST_CASE("severed: values that left as plain numbers are named by the call that took them, and by their tensor") {
  const auto text = [](const std::string& what) { return "blocks.0.w: not reached: its values left the tape by " + what; };
  CHECK(said([](const Tensor& w) { return full({2}, sum(w).item()); }) == text("item() of sum at # [] in blocks.0"));
  CHECK(said([](const Tensor& w) { return tensor({w.at({0}), w.at({1})}); }) == text("at() of the parameter itself"));
  CHECK(said([](const Tensor& w) {
          const Tensor wide = w * 2;
          return Tensor(wide.array<float>() + 1);
        }) == text("array() of mul at # [2] in blocks.0"));
}

TEST_CASE("severed: a parameter that no op read, and one whose results lead nowhere, are not reached") {
  CHECK(said([](const Tensor&) { return ones({2}); }) == "blocks.0.w: not reached: no op read it");
  CHECK(said([](const Tensor& w) { return sin(w * 2), ones({2}); }) ==
        "blocks.0.w: not reached: nothing that the loss depends on was computed from it, or its values were taken by "
        "data() or to_vector(); the last op was sin at # [2] in "
        "blocks.0");
  CHECK(lost_by([](const Tensor&) { return ones({2}); }).at(0).kind == Severed::Kind::unused);
}

TEST_CASE("severed: a cut that does not lead to the loss is nobody's fault") {
  CHECK(said([](const Tensor& w) { return argmax(w * 2), ones({2}); }) ==
        "blocks.0.w: not reached: nothing that the loss depends on was computed from it, or its values were taken by "
        "data() or to_vector(); the last op was argmax (no derivative) "
        "at # [] in blocks.0");
}

TEST_CASE("severed: of many cuts the first three are named") {
  CHECK(said([](const Tensor& w) { return w.detach() + w.detach() + sign(w) + w.detach() + w.detach(); }) ==
        "blocks.0.w: cut by detach() at # [2] in blocks.0; detach() at # [2] in blocks.0; sign (no derivative) at # "
        "[2] in blocks.0; and 2 more");
}

TEST_CASE("severed: a parameter that was replaced is told from one that was forgotten") {
  ForwardLog log;
  const Vectors model;
  const Tensor loss = model.loss(log, [](const Tensor& w) { return w * 2; });
  const Tensor before = tensor({5, 6}).set_requires_grad();  // what an optimizer may still hold
  const std::vector<Severed> lost = severed(loss, NamedTensors{{"blocks.0.w", before}, {"head.h", model.h}});
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].kind == Severed::Kind::replaced);
  CHECK(lost[0].str() == fmt::format("blocks.0.w: replaced: the forward read another tensor, #{}, under its name", model.w.number()));
}

TEST_CASE("severed: a parameter whose requires_grad is off is told, and no cut is looked for") {
  ForwardLog log;
  const Vectors model;
  Tensor(model.w).set_requires_grad(false);
  const std::vector<Severed> lost = severed(model.loss(log, [](const Tensor& w) { return w * 2; }), model);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].kind == Severed::Kind::frozen);
  CHECK(lost[0].str() == "blocks.0.w: requires_grad is off");
}

TEST_CASE("severed: a gradient that is 0 everywhere is told if asked for") {
  ForwardLog log;
  const Vectors model;
  const Tensor loss = model.loss(log, [](const Tensor& w) { return w * tensor({0, 0}); });
  CHECK(severed(loss, model).size() == 0);
  const std::vector<Severed> lost = severed(loss, model, {.zeros = true});
  REQUIRE(lost.size() == 2);  // h was multiplied by the zeros as well
  CHECK(lost[0].kind == Severed::Kind::zero);
  CHECK(lost[0].str() == "blocks.0.w: its gradient is 0 everywhere");
}

TEST_CASE("severed: asked before backward, it adds to no gradient and leaves the tape; asked after, it says the same") {
  ForwardLog log;
  const Vectors model;
  const Tensor loss = model.loss(log, [](const Tensor& w) { return w.detach(); });
  const std::string before = severed(loss, model).at(0).str();
  CHECK_FALSE(model.h.grad().defined());
  loss.backward();
  const std::vector<Severed> after = severed(loss, model);
  REQUIRE(after.size() == 1);
  CHECK(after[0].str() == before);
  CHECK(to_vector(model.h.grad()) == Values{1, 2});
}

TEST_CASE("severed: a loss that depends on no parameter names the cut of each") {
  ForwardLog log;
  const Vectors model;
  const Tensor loss = model.loss(log, [](const Tensor& w) { return w * 2; }).detach();
  const std::vector<Severed> lost = severed(loss, model);
  REQUIRE(lost.size() == 2);
  for (const Severed& one : lost) CHECK(one.why == fmt::format("cut by detach() at #{} []", loss.number()));
}

TEST_CASE("severed: ops of a backward walk and of an optimizer's step are no cuts of the next loss") {
  ForwardLog log;
  const Vectors model;
  const auto kept = [](const Tensor& w) { return w * 2; };
  model.loss(log, kept).backward();
  {
    const NoGrad off;
    for (Tensor p : {model.w, model.h}) p -= 0.1 * p.grad();
  }
  for (const Tensor& p : {model.w, model.h}) p.zero_grad();
  const std::vector<Severed> lost = severed(model.loss(log, [](const Tensor&) { return ones({2}); }), model);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].name == "blocks.0.w");
  CHECK(lost[0].kind == Severed::Kind::unused);
}

TEST_CASE("severed: without a log it still says who gets no gradient, and how to learn more") {
  const Vectors model;
  const Tensor loss = sum(model.h * model.w.detach());
  const std::vector<Severed> lost = severed(loss, model);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].str() == "blocks.0.w: not on the tape of the loss; an inspect::ForwardLog, made before the forward, knows what cut it");
}

TEST_CASE("severed: a leaf that gets a gradient and is named by nobody is told, before backward and after, with the op that read it") {
  ForwardLog log;
  const Vectors model;
  const Tensor forgotten = ones({2}).set_requires_grad(), unread = ones({2}).set_requires_grad(), frozen = ones({2});
  Tensor product;
  const Tensor loss = model.loss(log, [&](const Tensor& w) { return (product = w * forgotten) * frozen / max(forgotten.detach()); });
  const Tensor elsewhere = unread * 2;  // is no part of the loss
  const std::string expected = fmt::format(
      "#{} [2]: on the tape of the loss, where mul at #{} [2] in blocks.0 read it, but no parameter of the model: does "
      "members() leave it out?",
      forgotten.number(), product.number());
  for (const bool walked : {false, true}) {
    if (walked) loss.backward();
    const std::vector<Severed> told = severed(loss, model);
    REQUIRE(told.size() == 1);
    CHECK(told[0].str() == expected);
    CHECK(told[0].kind == Severed::Kind::unnamed);
    CHECK(severed(loss, model, {.unnamed = false}).empty());
    CHECK(severed(loss, model.named_parameters()).empty());  // a list is no model: it may be a part of one
  }
  CHECK(severed(loss, model, {.zeros = true}).size() == 1);
  CHECK(inspect::unnamed_leaves(loss, {{"forgotten", forgotten}}).empty());
  log.name(forgotten, "other.w");  // another module's
  CHECK(severed(loss, model).empty());
}

TEST_CASE("severed: an undefined loss or parameter, and a tape that was freed in part, are errors") {
  const Vectors model;
  CHECK_THROWS_WITH_AS(severed(Tensor(), model), "severed: the loss is undefined", GraphError);
  CHECK_THROWS_WITH_AS(severed(sum(model.w), NamedTensors{{"w", Tensor()}}), "severed: parameter 'w' is undefined", GraphError);
  const Tensor shared = model.w * 2;
  const Tensor loss = sum(shared * model.h);
  sum(shared).backward();
  CHECK_THROWS_AS(severed(loss, model), GraphError);
}
