#include <algorithm>
#include <limits>

#include "nn/activation/softmax.h"
#include "nn/model/language_model.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Ids = std::vector<int64_t>;

nn::LanguageModel small_model(double dropout = 0) {
  manual_seed(3);
  return nn::LanguageModel({.vocabulary = 11, .context = 8, .d_model = 8, .layers = 1, .heads = 2, .d_ff = 12, .dropout = dropout});
}

Ids continued(nn::LanguageModel& model, const Ids& start, const nn::SampleOptions& options, std::uint64_t seed = 1) {
  Generator generator(seed);
  return nn::sample(model, start, options, generator);
}

}  // namespace

TEST_CASE("sample: keeps the beginning, adds as many ids as asked, beyond the context too") {
  nn::LanguageModel model = small_model();
  const Ids ids = continued(model, {1, 2, 3}, {.count = 20});
  CHECK(ids.size() == 23);
  CHECK(Ids(ids.begin(), ids.begin() + 3) == Ids{1, 2, 3});
  CHECK(std::all_of(ids.begin(), ids.end(), [](int64_t id) { return id >= 0 && id < 11; }));
  CHECK(continued(model, {5}, {.count = 0}) == Ids{5});
}

TEST_CASE("sample: the same generator gives the same ids, another one others") {
  nn::LanguageModel model = small_model();
  CHECK(continued(model, {1}, {.count = 30}) == continued(model, {1}, {.count = 30}));
  CHECK(continued(model, {1}, {.count = 30}) != continued(model, {1}, {.count = 30}, 2));
}

TEST_CASE("sample: near temperature 0 it takes the likeliest id") {
  nn::LanguageModel model = small_model();
  const Ids ids = continued(model, {4, 7}, {.count = 5, .temperature = 1e-6});
  for (std::size_t i = 2; i < ids.size(); ++i) {
    const Tensor window = from_vector(Ids(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(i)), {1, static_cast<int64_t>(i)});
    CHECK(select(argmax(model(window)), 1, -1).item() == ids[i]);
  }
}

TEST_CASE("sample: draws as often as the model's probabilities say") {
  nn::LanguageModel model({.vocabulary = 2, .context = 1, .d_model = 2, .layers = 1, .heads = 1, .d_ff = 2});
  for (const auto& [path, parameter, role] : model.named_parameters()) {
    Tensor handle = parameter;
    if (path != "final_norm.gain") handle.fill(0);
    if (path == "embedding.weight") handle.assign(tensor({{1, 1}, {1, 0.5}}));
  }
  // After the norm x is (1, 1), or (1.26, 0.63): logits (2, 1.5) after id 0, (1.9, 1.58) after id 1.
  const Ids ids = continued(model, {0}, {.count = 4000, .temperature = 1});
  int after_zero = 0, zero_after_zero = 0;
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
    if (ids[i] != 0) continue;
    ++after_zero;
    zero_after_zero += ids[i + 1] == 0;
  }
  CHECK(static_cast<double>(zero_after_zero) / after_zero == doctest::Approx(1 / (1 + std::exp(-0.5))).epsilon(0.05));
}

TEST_CASE("sample: evaluates without dropout, and leaves the model in the mode it was in") {
  nn::LanguageModel model = small_model(0.5);
  model.train();
  const Ids ids = continued(model, {1}, {.count = 10});
  CHECK(model.training());
  model.eval();
  CHECK(continued(model, {1}, {.count = 10}) == ids);
  CHECK_FALSE(model.training());
}

TEST_CASE("sample: top_k 1 takes the likeliest id, of equals the first, at any temperature") {
  const Tensor scores = tensor({0, 3, -1, 3, 2});
  Generator generator(1);
  for (int i = 0; i < 50; ++i) CHECK(nn::draw(scores, {.temperature = 100, .top_k = 1}, generator) == 1);
  nn::LanguageModel model = small_model();
  const Ids ids = continued(model, {4, 7}, {.count = 5, .temperature = 3, .top_k = 1});
  CHECK(ids == continued(model, {4, 7}, {.count = 5, .temperature = 1e-6}, 9));
  CHECK(nn::draw(tensor({1, 2, 3, 0}), {.temperature = 1e30, .top_k = 1}, generator) == 2);  // where all are equally likely
}

TEST_CASE("sample: greedy takes the likeliest id below the limit, of equals the first, and draws no number") {
  const Tensor scores = tensor({0, 3, -1, 3, 2, 9});
  Generator generator(1), untouched(1);
  CHECK(nn::draw(scores, {.greedy = true}, generator) == 5);
  CHECK(nn::draw(scores, {.greedy = true, .temperature = 1e30, .top_k = 3, .top_p = 0.1, .limit = 5}, generator) == 1);
  CHECK(generator.uniform() == untouched.uniform());
  CHECK_THROWS_AS(nn::draw(tensor({0, kNaN}), {.greedy = true}, generator), ValueError);
  CHECK(nn::draw(tensor({1, 2}, DType::f16), {.greedy = true}, generator) == 1);
  nn::LanguageModel model = small_model();
  CHECK(continued(model, {4, 7}, {.count = 9, .greedy = true}) == continued(model, {4, 7}, {.count = 9, .top_k = 1}, 5));
}

namespace {

// How often each id was drawn, of 4000.
std::vector<int> counts(const Tensor& scores, const nn::SampleOptions& options) {
  Generator generator(7);
  std::vector<int> result(static_cast<std::size_t>(scores.numel()));
  for (int i = 0; i < 4000; ++i) ++result[static_cast<std::size_t>(nn::draw(scores, options, generator))];
  return result;
}

// Four ids of probability 0.1, 0.5, 0.25, 0.15.
Tensor four_scores() { return log(tensor({0.1, 0.5, 0.25, 0.15}, DType::f64)); }

}  // namespace

TEST_CASE("sample: top_k and top_p cut the unlikely ids and keep the ratios of the others") {
  const auto check_share = [](int count, double share) {
    CHECK(count / 4000.0 == doctest::Approx(share).epsilon(0.06));  // the spread of 4000 draws is 0.03 of a quarter
  };
  const std::vector<int> top_two = counts(four_scores(), {.temperature = 1, .top_k = 2});
  CHECK(top_two[0] + top_two[3] == 0);
  check_share(top_two[1], 2.0 / 3);
  const std::vector<int> nucleus = counts(four_scores(), {.temperature = 1, .top_p = 0.8});  // 0.5 + 0.25 do not reach it
  CHECK(nucleus[0] == 0);
  check_share(nucleus[1], 0.5 / 0.9);
  check_share(nucleus[3], 0.15 / 0.9);
  const std::vector<int> certain = counts(four_scores(), {.temperature = 1, .top_p = 0.4});  // one id reaches it
  CHECK(certain[1] == 4000);
  const std::vector<int> both = counts(four_scores(), {.temperature = 1, .top_k = 3, .top_p = 0.8});  // of 0.9
  CHECK(both[3] + both[0] == 0);
  const std::vector<int> half = counts(zeros({4}), {.temperature = 1, .top_p = 0.5});  // two of four reach it exactly
  CHECK(half[0] + half[1] == 4000);
  const double least = std::numeric_limits<double>::denorm_min();  // its product with a probability is 0
  CHECK(counts(tensor({0, 0, 0, 0.1}), {.temperature = 1, .top_k = 1, .top_p = least})[3] == 4000);
  const std::vector<int> all = counts(four_scores(), {.temperature = 1, .top_k = 9});
  for (std::size_t i = 0; i < 4; ++i) check_share(all[i], std::exp(four_scores().at({static_cast<int64_t>(i)})));
}

TEST_CASE("sample: a limit keeps all ids from it on out, and draws the others as if they were all") {
  const std::vector<int> below = counts(four_scores(), {.temperature = 1, .limit = 2});  // 0.1 and 0.5
  CHECK(below[2] + below[3] == 0);
  CHECK(below[1] / 4000.0 == doctest::Approx(5.0 / 6).epsilon(0.03));
  CHECK(counts(four_scores(), {.limit = 9}) == counts(four_scores(), {}));
  CHECK(counts(four_scores(), {.limit = 1})[0] == 4000);
}

TEST_CASE("sample: scores without a distribution are refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto drawn = [](const Tensor& scores, double temperature) {
    return nn::draw(scores, {.temperature = temperature}, default_generator());
  };
  const char* message = "draw: softmax(scores / 1) is not a distribution; do the scores contain NaN or inf?";
  CHECK_THROWS_WITH_AS(drawn(tensor({1, nan, 2}), 1), message, ValueError);
  CHECK_THROWS_WITH_AS(drawn(tensor({1, inf, 2}), 1), message, ValueError);
  CHECK_THROWS_WITH_AS(drawn(tensor({1e9, 2e9, 3e9}), 1e-30),
                       "draw: softmax(scores / 1e-30) is not a distribution; do the scores contain NaN or inf?", ValueError);
  CHECK(drawn(tensor({-inf, 2, -inf}), 1) == 1);
}

TEST_CASE("sample: errors") {
  nn::LanguageModel model = small_model();
  CHECK_THROWS_WITH_AS(continued(model, {}, {}), "sample: needs at least one id to continue", ValueError);
  for (const auto& [temperature, got] : {std::pair{0.0, "0"}, {-1.0, "-1"}, {1e-320, "1e-320"}, {1e31, "1e+31"}, {NAN, "nan"}}) {
    CHECK_THROWS_WITH_AS(continued(model, {1}, {.temperature = temperature}),
                         fmt::format("sample: the temperature must be in [1e-30, 1e+30], got {}", got).c_str(), ValueError);
  }
  CHECK_THROWS_WITH_AS(continued(model, {1}, {.top_k = -1}), "sample: top_k must not be negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(continued(model, {1}, {.top_p = 0}), "sample: top_p must be in (0, 1], got 0", ValueError);
  CHECK_THROWS_WITH_AS(continued(model, {1}, {.limit = -1}), "sample: limit must not be negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(nn::draw(zeros({1, 2}), {}, default_generator()), "draw: expected scores [vocabulary], got [1, 2]", ShapeError);
  CHECK_THROWS_WITH_AS(continued(model, {11}, {}),
                       "LanguageModel.embedding, Embedding(11 x 8): embedding: id 11 is out of range; expected 0 … 10", ValueError);
  CHECK(model.training());  // also after an error
}

namespace {

// A feed-forward norm that replaces its own gain when it runs, so that the next walk over the model fails.
class Replacing final : public nn::Layer {
 public:
  Tensor forward(const Tensor& x) override {
    static_cast<Tensor&>(gain_) = gain_.detach() * 1.0;
    return x;
  }
  void members(nn::Members& m) override { m.parameter("gain", gain_); }

 private:
  nn::Parameter gain_ = ones({1});
};

}  // namespace

TEST_CASE("sample: each module is left in the mode it was in, also where the model cannot be walked any more") {
  nn::LanguageModel model = small_model();
  model.stack().block(0).eval();
  continued(model, {1}, {.count = 2});
  CHECK(model.training());
  CHECK_FALSE(model.stack().block(0).training());
  nn::LanguageModel broken(
      {.vocabulary = 11, .context = 8, .d_model = 8, .layers = 1, .heads = 2, .d_ff = 12, .norm = [](const nn::NormOptions&) {
         return std::make_unique<Replacing>();
       }});
  CHECK(continued(broken, {1}, {.count = 1}).size() == 2);
  CHECK(broken.training());
  CHECK_THROWS_AS(continued(broken, {1}, {.count = 1}), GraphError);
}

TEST_CASE("sample: cold scores of f16 are divided in f32") {
  CHECK(nn::draw(tensor({1, 2}, DType::f16), {.temperature = 1e-5}, default_generator()) == 1);
}
