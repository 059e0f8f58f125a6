// gradcheck is itself checked: rules that are wrong in the ways rules usually are must be caught, each with the entry
// where it is wrong. (That right rules pass is shown for every op by core/ops/test_gradcheck.cpp.)
#include "core/inspect/gradcheck.h"

#include <limits>

#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "core/tape/record.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using X = const Tensors&;

Tensor matrix() { return f64({{0.5, -1.25, 2}, {1.5, 0.75, -0.5}, {-2, 0.25, 1}}); }
Tensor other_matrix() { return f64({{1, 0.5, -0.75}, {-1.5, 2, 0.25}, {0.75, -0.5, 1.25}}); }

// The value of an op, with nothing on the tape but what `record` puts there.
template <typename Op> Tensor value_of(const Op& op) {
  const NoGrad off;
  return op();
}

// "" if the check failed, as it must, and named `entry` as the worst; otherwise the report.
std::string caught(const GradcheckReport& report, const std::string& entry) {
  const bool named = mentions(report.text, "FAILED: ") && mentions(report.text, "\n  worst at " + entry) &&
                     mentions(report.text, ": analytic ") && mentions(report.text, ", numeric ");
  return !report.passed && report.worst > 1 && named ? "" : report.text;
}

}  // namespace

TEST_CASE("gradcheck: catches a flipped sign") {
  const TensorFunction wrong = [](X x) {  // y = a - b
    return record(
        "sub", value_of([&] { return x[0] - x[1]; }), {x[0], x[1]}, [](const Step& step) { return step.grad; },
        [](const Step& step) { return step.grad; });
  };
  CHECK(caught(gradcheck(wrong, {matrix(), other_matrix()}), "input 1[") == "");
}

TEST_CASE("gradcheck: catches a layer norm that drops the mean of the gradient") {
  const TensorFunction wrong = [](X x) {
    const auto parts = [](const Tensor& t) {
      const Tensor centered = t - mean(t, -1, true);
      const Tensor root = sqrt(mean(square(centered), -1, true) + 1e-5);
      return std::pair{Tensor(centered / root), root};
    };
    return record("layer_norm", value_of([&] { return parts(x[0]).first; }), {x[0]}, [=](const Step& step) {
      const auto [normalized, root] = parts(step.input(0));
      return (step.grad - normalized * mean(step.grad * normalized, -1, true)) / root;  // and - mean(step.grad)
    });
  };
  CHECK(caught(gradcheck(wrong, {matrix()}), "input 0[") == "");
}

TEST_CASE("gradcheck: catches a matmul whose rule forgot to transpose, where the shapes do not tell") {
  const TensorFunction wrong = [](X x) {
    return record(
        "matmul", value_of([&] { return matmul(x[0], x[1]); }), {x[0], x[1]},
        [](const Step& step) { return matmul(step.grad, step.input(1)); },  // instead of its transpose
        [](const Step& step) { return matmul(step.input(0), step.grad, {.transpose_a = true}); });
  };
  CHECK(caught(gradcheck(wrong, {matrix(), other_matrix()}), "input 0[") == "");
}

TEST_CASE("gradcheck: catches a bias whose gradient is a mean, or a sum over the wrong axis") {
  const auto with_rule = [](const Rule& rule) {
    return [rule](X x) {
      return record("bias", value_of([&] { return x[0] + x[1]; }), {x[0], x[1]}, [](const Step& step) { return step.grad; }, rule);
    };
  };
  const Tensors inputs{matrix(), f64({1, 2, 3})};
  CHECK(gradcheck(with_rule([](const Step& step) { return sum(step.grad, 0); }), inputs).passed);
  CHECK(caught(gradcheck(with_rule([](const Step& step) { return mean(step.grad, 0); }), inputs), "input 1[") == "");
  CHECK(caught(gradcheck(with_rule([](const Step& step) { return sum(step.grad, 1); }), inputs), "input 1[") == "");
}

TEST_CASE("gradcheck: a gradient that is wrong by one factor everywhere is said to be so, with the factor") {
  const auto times = [](double factor) {  // y = Σ x0² + Σ x1, the gradient of x0 times the factor
    return [factor](X x) {
      return record(
          "wrong", value_of([&] { return sum(square(x[0])) + sum(x[1]); }), {x[0], x[1]},
          [factor](const Step& step) { return factor * (step.grad * 2 * step.input(0)); },
          [](const Step& step) { return step.grad * ones_like(step.input(1)); });
    };
  };
  const auto said = [&](double factor) { return gradcheck(times(factor), {matrix(), f64({1, 2})}).text; };
  const std::string begin = "\n  the analytic gradient of input 0 is ";
  CHECK(mentions(said(0.25), begin + "1/4 of the numeric one everywhere: a mean where a sum was meant?"));
  CHECK(mentions(said(3), begin + "3 times the numeric one everywhere: a sum where a mean was meant, or the same added twice?"));
  CHECK(mentions(said(-1), begin + "the numeric one with the other sign, everywhere: is a sign the wrong way round?"));
  CHECK(mentions(said(0), begin + "0 everywhere, and the numeric one is not: is its rule missing, or cut off from the tape?"));
  CHECK(mentions(said(0.3), begin + "0.3 times the numeric one everywhere: a constant factor is wrong"));
  CHECK_FALSE(mentions(said(0.25), "input 1 is"));
  CHECK_FALSE(mentions(said(1), "the analytic gradient"));
  const TensorFunction one_entry = [](X x) {
    return record("exp", value_of([&] { return exp(x[0]); }), {x[0]}, [](const Step& step) { return step.grad * step.output() * 2; });
  };
  CHECK_FALSE(mentions(gradcheck(one_entry, {f64({1})}).text, "everywhere"));  // of one number any error is a factor
  CHECK(mentions(said(0.5), begin + "1/2 of the numeric one everywhere: one of two uses lost, or a mean where a sum was meant?"));
  const TensorFunction first_entry = [](X x) {  // its gradient is a hundred thousand times as large as the others
    return record("exp", value_of([&] { return exp(x[0]); }), {x[0]},
                  [](const Step& step) { return step.grad * step.output() * f64({2, 1, 1}); });
  };
  CHECK_FALSE(mentions(gradcheck(first_entry, {f64({12, 0, 0.5})}).text, "everywhere"));
}

TEST_CASE("gradcheck: a report that passes says what no check of a gradient sees: a value that is not the one meant") {
  const auto rms = [](double inside, double outside) {
    return [=](X x) { return x[0] / (sqrt(mean(square(x[0]), -1, true) + inside) + outside); };
  };
  const std::string unseen =
      "\n  the gradient matches this function; whether it is the function you meant,\n  only a law or a "
      "value worked out by hand can tell";
  for (const TensorFunction& f : {TensorFunction(rms(1e-1, 0)), TensorFunction(rms(0, 1e-1))}) {  // ε inside and outside the root
    const GradcheckReport report = gradcheck(f, {matrix()});
    CHECK(report.passed);
    CHECK(mentions(report.text, unseen));
  }
  const GradcheckReport failed = gradcheck([](X x) { return abs(x[0]); }, {f64({0, 0})});
  CHECK_FALSE(mentions(failed.text, unseen));
}

TEST_CASE("gradcheck: catches a gradient that is missing, and one that is NaN") {
  const TensorFunction missing = [](X x) {
    return record(
        "mul", value_of([&] { return x[0] * x[1]; }), {x[0], x[1]}, [](const Step& step) { return step.grad * step.input(1); }, nullptr);
  };
  CHECK(caught(gradcheck(missing, {matrix(), other_matrix()}), "input 1[") == "");
  const TensorFunction nan = [](X x) {
    return record("nan", value_of([&] { return x[0] * 2; }), {x[0]},
                  [](const Step& step) { return step.grad * std::numeric_limits<double>::quiet_NaN(); });
  };
  CHECK(caught(gradcheck(nan, {matrix()}), "input 0[") == "");
}

TEST_CASE("gradcheck: names the one entry where a rule is wrong") {
  const TensorFunction wrong = [](X x) {
    return record("exp", value_of([&] { return exp(x[0]); }), {x[0]}, [](const Step& step) {
      Tensor hole = ones_like(step.grad);
      hole.mutable_data<double>()[5] = 0;
      return step.grad * step.output() * hole;
    });
  };
  CHECK(caught(gradcheck(wrong, {matrix()}), "input 0[1, 2], output [1, 2]: analytic 0, numeric 0.606530659") == "");
}

TEST_CASE("gradcheck: catches a rule that is off by a millionth, and only by the random cotangent in a large output") {
  const auto off_by = [](double relative) {
    return [relative](X x) {
      return record("exp", value_of([&] { return exp(x[0]); }), {x[0]},
                    [relative](const Step& step) { return step.grad * step.output() * (1 + relative); });
    };
  };
  CHECK(caught(gradcheck(off_by(1e-6), {matrix()}), "input 0[") == "");
  CHECK(gradcheck(off_by(1e-10), {matrix()}).passed);  // below the resolution of differences
  const GradcheckReport large = gradcheck(off_by(1e-6), {linspace(-1, 1, 80, DType::f64)});
  CHECK(large.entries == 80);
  CHECK(caught(large, "input 0[") == "");
  CHECK(mentions(large.text, "random cotangent"));
}

TEST_CASE("gradcheck: the sum of the outputs is blind to softmax, a random cotangent is not") {
  const TensorFunction wrong = [](X x) {
    const auto softmax = [](const Tensor& t) { return exp(t) / sum(exp(t), -1, true); };
    return record("softmax", value_of([&] { return softmax(x[0]); }), {x[0]}, [](const Step& step) {
      return 7 * step.output() * (step.grad - sum(step.grad * step.output(), -1, true));  // seven times too large
    });
  };
  CHECK(gradcheck([&](X x) { return sum(wrong(x)); }, {matrix()}).passed);  // Σ y = 1: every derivative is 0
  CHECK(caught(gradcheck(wrong, {matrix()}), "input 0[") == "");
  CHECK(caught(gradcheck(wrong, {matrix()}, {.jacobian_limit = 0}), "input 0[") == "");
}

TEST_CASE("gradgradcheck: catches a rule whose value is right but whose own derivative is not") {
  const TensorFunction wrong = [](X x) {  // y = x³, the rule's factor cut off the tape
    return record("cube", value_of([&] { return pow(x[0], 3); }), {x[0]},
                  [](const Step& step) { return step.grad * 3 * square(step.input(0).detach()); });
  };
  CHECK(gradcheck(wrong, {matrix()}).passed);
  CHECK(caught(gradgradcheck(wrong, {matrix()}), "input 0[") == "");
}

TEST_CASE("gradgradcheck: input n is the cotangent; a rule that is not linear in it is caught by gradcheck") {
  const TensorFunction wrong = [](X x) {
    return record("identity", value_of([&] { return x[0] * 1; }), {x[0]}, [](const Step& step) { return square(step.grad); });
  };
  CHECK(caught(gradcheck(wrong, {matrix()}), "input 0[") == "");
  const TensorFunction cut = [](X x) {
    return record("identity", value_of([&] { return x[0] * 1; }), {x[0]},
                  [](const Step& step) { return step.grad.detach() + 0 * step.grad; });
  };
  CHECK(gradcheck(cut, {matrix()}).passed);
  CHECK(caught(gradgradcheck(cut, {matrix()}), "input 1[") == "");
}

TEST_CASE("gradcheck: kinks are found, skipped and named") {
  const GradcheckReport at_relu = gradcheck([](X x) { return relu(x[0]); }, {f64({-1, 0, 2})});
  CHECK(at_relu.passed);
  CHECK(at_relu.kinks == 1);
  CHECK(at_relu.entries == 8);  // two entries, each along a random cotangent and three outputs
  CHECK(mentions(at_relu.text, "passed: 8 derivatives"));
  CHECK(mentions(at_relu.text, "\n  kink at input 0[1]: skipped"));

  const GradcheckReport at_abs = gradcheck([](X x) { return abs(x[0]); }, {f64({{1, 0}, {0, -2}})});
  CHECK(at_abs.passed);
  CHECK(mentions(at_abs.text, "\n  kink at input 0[0, 1]: skipped\n  kink at input 0[1, 0]: skipped"));

  const GradcheckReport at_maximum = gradcheck([](X x) { return maximum(x[0], x[1]); }, {f64({1, 3, 2}), f64({2, 3, -1})});
  CHECK(at_maximum.passed);
  CHECK(mentions(at_maximum.text, "\n  kink at input 0[1]: skipped\n  kink at input 1[1]: skipped"));

  const GradcheckReport at_jump = gradcheck([](X x) { return x[0] * cast(x[0] > 1, DType::f64); }, {f64({0.5, 1, 1.5})});
  CHECK(at_jump.passed);
  CHECK(mentions(at_jump.text, "\n  kink at input 0[1]: skipped"));
}

TEST_CASE("gradcheck: a kink close by is no kink: a smaller step is taken, and reported") {
  const GradcheckReport report = gradcheck([](X x) { return relu(x[0]); }, {f64({-1e-3, 1e-3, 1})});
  CHECK(report.passed);
  CHECK(report.kinks == 0);
  CHECK(report.step == doctest::Approx(2e-4));
  CHECK(mentions(report.text, "step 2e-04"));
}

TEST_CASE("gradcheck: wherever the kink lies, a right gradient does not fail, and a wrong one beside it does") {
  const TensorFunction wrong = [](X x) {
    return record("relu", value_of([&] { return relu(x[0]); }), {x[0]}, [](const Step& step) { return 2 * step.grad; });
  };
  for (double far = 1e-9; far < 1e-2; far *= 1.1) {
    CAPTURE(far);
    const GradcheckReport report = gradcheck([](X x) { return relu(x[0]); }, {f64({far, 1})});
    CHECK(report.passed);
    CHECK(report.kinks == (far < 2e-6 ? 1 : 0));
    CHECK_FALSE(gradcheck(wrong, {f64({far, 1})}).passed);
  }
}

TEST_CASE("gradcheck: steep but smooth is no kink") {
  for (const TensorFunction& f : {TensorFunction([](X x) { return exp(x[0] * 20); }), TensorFunction([](X x) { return 1 / x[0]; }),
                                  TensorFunction([](X x) { return sin(x[0] * 100); })}) {
    const GradcheckReport report = gradcheck(f, {f64({0.02, 0.3, 1})}, {.relative = 1e-6});
    CAPTURE(report.text);
    CHECK(report.passed);
    CHECK(report.kinks == 0);
  }
}

TEST_CASE("gradcheck: kinks do not hide a wrong rule elsewhere, and nothing but kinks does not pass") {
  const TensorFunction wrong = [](X x) {
    return record("abs", value_of([&] { return abs(x[0]); }), {x[0]}, [](const Step& step) { return step.grad; });
  };
  const GradcheckReport report = gradcheck(wrong, {f64({0, 1, -1})});
  CHECK(caught(report, "input 0[2]") == "");
  CHECK(mentions(report.text, "\n  kink at input 0[0]: skipped"));

  const GradcheckReport nothing = gradcheck([](X x) { return abs(x[0]); }, {f64({0, 0})});
  CHECK_FALSE(nothing.passed);
  CHECK(nothing.entries == 0);
  CHECK(nothing.kinks == 2);
  CHECK(mentions(nothing.text, "FAILED: 0 derivatives"));
}

TEST_CASE("gradcheck: reports the step: the largest for smooth functions, or the one it was given") {
  const TensorFunction smooth = [](X x) { return square(x[0]); };
  CHECK(gradcheck(smooth, {matrix()}).step == doctest::Approx(2e-3));
  CHECK(gradcheck(smooth, {matrix()}, {.step = 1e-4}).step == doctest::Approx(1e-4));
  CHECK(gradcheck([](X x) { return sin(x[0] * 30); }, {f64({0.3})}).step < 1e-3);
}

TEST_CASE("gradcheck: f32 and f16 inputs are too coarse; i64 inputs are left alone") {
  const TensorFunction twice = [](X x) { return x[0] * 2; };
  CHECK_THROWS_WITH_AS(gradcheck(twice, {tensor({1, 2})}), "gradcheck: f32 is too coarse to compare with differences; use f64 inputs",
                       DTypeError);
  CHECK_THROWS_WITH_AS(gradgradcheck(twice, {tensor({1, 2}, DType::f16)}),
                       "gradgradcheck: f16 is too coarse to compare with differences; use f64 inputs", DTypeError);
  const TensorFunction rows = [](X x) { return square(index_select(x[0], 0, x[1])); };
  const Tensor ids = tensor({2, 0, 2}, DType::i64);
  CHECK(gradcheck(rows, {matrix(), ids}).passed);
  CHECK(gradgradcheck(rows, {matrix(), ids}).passed);
}

TEST_CASE("gradcheck: an output that depends on no input is an error") {
  CHECK_THROWS_WITH_AS(gradcheck([](X x) { return x[0].detach(); }, {matrix()}),
                       "gradcheck: the output does not depend on any floating input (or was computed under NoGrad)", GraphError);
}

TEST_CASE("gradcheck: leaves the inputs as they were, and the same seed gives the same report") {
  const Tensor x = matrix();
  const std::uint32_t version = x.version();
  const TensorFunction f = [](X in) { return exp(in[0]) * in[0]; };
  const std::string first = gradcheck(f, {x}).text, second = gradcheck(f, {x}).text;
  CHECK(first == second);
  CHECK(x.version() == version);
  CHECK(equal(x, matrix()));
  CHECK_FALSE(x.requires_grad());
}
