// The engine: where gradients meet, what is kept, what is freed, and what is refused.
#include "core/autograd/engine.h"

#include "core/composites/composites.h"
#include "core/inspect/gradcheck.h"
#include "core/tape/grad_mode.h"
#include "core/tape/node.h"
#include "tests/support/check.h"
#include "tests/support/failing_new.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("engine: a tensor used twice in one op") {
  const Tensor x = leaf(3);
  (x * x).backward();
  CHECK(x.grad().item() == 6);
  x.zero_grad();
  (x + x).backward();
  CHECK(x.grad().item() == 2);
}

TEST_CASE("engine: a diamond, whose gradients meet before they go on") {
  const Tensor x = leaf(2);
  const Tensor a = x * x, b = a * 3, c = sin(a), y = b * c;  // y = 3x² sin x²
  int times = 0;
  a.add_hook([&](const Tensor&) {
    ++times;
    return Tensor();
  });
  y.backward();
  CHECK(times == 1);
  CHECK(x.grad().item() == doctest::Approx(12 * std::sin(4) + 12 * 4 * std::cos(4)).epsilon(1e-14));
}

TEST_CASE("engine: paths of different lengths meet too") {
  const Tensor x = leaf(2);
  const Tensor y = x * exp(log(x * x)) + x;  // x³ + x
  y.backward();
  CHECK(x.grad().item() == doctest::Approx(13).epsilon(1e-14));
}

// The engine adds a gradient given by rows to what is already there, when it may.
TEST_CASE("gradient by rows: of a matrix that has a gradient from elsewhere too") {
  const Tensor w = leaf({{1, 2}, {3, 4}, {5, 6}});
  const Tensor ids = tensor({2, 0, 2}, DType::i64), seed = tensor({{1, 10}, {100, 1000}, {2, 20}}, DType::f64);
  const auto rows = [&](const Tensor& table) { return index_select(table, 0, ids); };
  const Tensor expected = tensor({{100, 1000}, {0, 0}, {3, 30}}, DType::f64);
  CHECK(difference(grad({rows(w)}, {w}, {.seeds = {seed}})[0], expected, 0) == "");

  const Tensor before = rows(w), other = w * 2;  // newer than the rows: its gradient comes first
  CHECK(difference(grad({before, other}, {w}, {.seeds = {seed, ones_like(w)}})[0], expected + 2, 0) == "");
  const auto tied = [](const Tensors& in) {
    const Tensor x = index_select(in[0], 0, tensor({2, 0, 2}, DType::i64));
    return matmul(x * x, in[0], {.transpose_b = true});
  };
  const GradcheckReport first = gradcheck(tied, {w}), second = gradgradcheck(tied, {w});
  CHECK_MESSAGE(first.passed, first.text);
  CHECK_MESSAGE(second.passed, second.text);
}

TEST_CASE("gradient by rows: never added into one that something else holds") {
  const Tensor w = leaf({{1, 2}, {3, 4}}), v = leaf({{0, 0}, {0, 0}});
  const Tensor first = index_select(w, 0, tensor({1}, DType::i64)), second = w + v;  // one gradient for w and v
  const Tensor seed = ones_like(w);
  backward({first, second}, {ones_like(first), seed});
  CHECK(difference(w.grad(), tensor({{1, 1}, {2, 2}}, DType::f64), 0) == "");
  CHECK(difference(v.grad(), ones_like(v), 0) == "");
  CHECK(difference(seed, ones_like(w), 0) == "");

  const Tensor row = index_select(w, 0, tensor({0}, DType::i64));  // its own gradient comes last, the seed before
  backward({row, w}, {ones_like(row), seed});
  CHECK(difference(seed, ones_like(w), 0) == "");
}

TEST_CASE("backward: adds into the leaves, again and again") {
  const Tensor x = leaf({1, 2});
  sum(x * x).backward();
  sum(x * 3).backward();
  CHECK(to_vector(x.grad()) == Values{5, 7});
  x.zero_grad();
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("backward: only leaves that require a gradient get one") {
  const Tensor x = leaf(2), constant = tensor(3, DType::f64);
  const Tensor y = x * constant, z = y * y;
  z.backward();
  CHECK(x.grad().item() == 36);
  CHECK_FALSE(constant.grad().defined());
  CHECK_FALSE(y.grad().defined());
}

TEST_CASE("retain_grad: keeps the gradient of a tensor that is no leaf") {
  const Tensor x = leaf(2), y = x * 3, z = y * y;
  y.retain_grad();
  z.backward();
  CHECK(y.grad().item() == 12);
  CHECK(x.grad().item() == 36);
}

TEST_CASE("backward: no two leaves' gradients share storage") {
  const Tensor a = leaf({1, 2}), b = leaf({3, 4});
  const Tensor seed = ones({2}, DType::f64);
  (a + b).backward(seed);
  CHECK_FALSE(a.grad().shares_storage(b.grad()));
  CHECK_FALSE(a.grad().shares_storage(seed));
  Tensor gradient = a.grad();
  gradient.fill(9);
  CHECK(to_vector(b.grad()) == Values{1, 1});
  const Tensor c = leaf({5, 6});
  reshape(c, Shape{2, 1}).backward(reshape(seed, Shape{2, 1}));
  CHECK_FALSE(c.grad().shares_storage(seed));
}

TEST_CASE("backward: of a leaf is its seed") {
  const Tensor x = leaf(2);
  x.backward();
  CHECK(x.grad().item() == 1);
}

TEST_CASE("backward: several outputs at once, each with its seed") {
  const Tensor x = leaf({1, 2});
  backward({x * 2, x * x}, {tensor({1, 1}, DType::f64), tensor({1, 10}, DType::f64)});
  CHECK(to_vector(x.grad()) == Values{4, 42});
}

TEST_CASE("grad: returns gradients and leaves grad() alone") {
  const Tensor x = leaf(2), y = leaf(3), z = x * y * y;
  const Tensors found = grad({z}, {x, y});
  CHECK(found[0].item() == 9);
  CHECK(found[1].item() == 12);
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("grad: what it returns is the caller's alone, each tensor's own") {
  const Tensor a = leaf({1, 2}), b = leaf({3, 4}), seed = tensor({1, 1}, DType::f64);
  Tensors found = grad({a + b}, {a, b}, {.seeds = {seed}});  // one gradient, the seed itself, reaches both
  found[0].fill(7);
  CHECK(to_vector(found[1]) == Values{1, 1});
  CHECK(to_vector(seed) == Values{1, 1});
}

TEST_CASE("grad: with respect to a tensor inside the graph, the output itself, and one twice") {
  const Tensor x = leaf(2), y = x * 3, z = y * y;
  const Tensors found = grad({z}, {y, z, y, x});
  CHECK(found[0].item() == 12);
  CHECK(found[1].item() == 1);
  CHECK(found[2].item() == 12);
  CHECK(found[3].item() == 36);
}

TEST_CASE("grad: does not walk below the tensors asked for") {
  const Tensor x = leaf(2), y = x * 3, z = y * y;
  int walked = 0;
  x.add_hook([&](const Tensor&) {
    ++walked;
    return Tensor();
  });
  CHECK(grad({z}, {y})[0].item() == 12);
  CHECK(walked == 0);
}

TEST_CASE("grad: what lies below the tensors asked for is not freed") {
  const Tensor x = leaf(2), y = x * 3;
  CHECK(grad({y * y}, {y})[0].item() == 12);
  y.backward();
  CHECK(x.grad().item() == 3);
}

TEST_CASE("grad: an input that no output depends on is an error, unless allowed") {
  const Tensor x = leaf(2), other = leaf({1, 2}), y = x * 2;
  CHECK_THROWS_WITH_AS(grad({y}, {x, other}, {.retain_graph = true}),
                       "grad: no output depends on input 1 (shape [2]); pass allow_unused = true if that is meant", GraphError);
  const Tensors found = grad({y}, {x, other}, {.allow_unused = true});
  CHECK(found[0].item() == 2);
  CHECK_FALSE(found[1].defined());
}

TEST_CASE("grad: seeds are dL/doutput, and must fit") {
  const Tensor x = leaf({1, 2}), y = x * x;
  CHECK_THROWS_WITH_AS(y.backward(),
                       "backward: the output has shape [2], not one element; take its sum() or mean(), or give dL/doutput as the seed",
                       GraphError);
  CHECK_THROWS_WITH_AS(y.backward(ones({3}, DType::f64)), "backward: a gradient of shape [3] for a tensor of [2]", ShapeError);
  CHECK_THROWS_AS(y.backward(ones({2})), DTypeError);
  CHECK_THROWS_WITH_AS(grad({y}, {x}, {.seeds = {y, y}}), "grad: 2 seeds for 1 outputs", ValueError);
  CHECK(to_vector(grad({y}, {x}, {.seeds = {tensor({1, 10}, DType::f64)}})[0]) == Values{2, 40});
}

TEST_CASE("grad: outputs and inputs must be on the tape") {
  const Tensor x = leaf(2), constant = tensor(1, DType::f64);
  CHECK_THROWS_WITH_AS((constant * 2).backward(),
                       "backward: the output (shape []) does not depend on any tensor that requires a gradient. Was "
                       "set_requires_grad() forgotten? Was the output computed under NoGrad, in a hook, or from detach(), item(), "
                       "argmax or a comparison? Was a parameter replaced (p = …) instead of changed (p -= …)?",
                       GraphError);
  CHECK_THROWS_WITH_AS(grad({x * 2}, {constant}),
                       "grad: an input (shape []) does not require a gradient; call "
                       "set_requires_grad() before it is used",
                       GraphError);
}

TEST_CASE("the graph: is freed by backward, and walking it again is an error") {
  const Tensor x = leaf(2), y = x * x, z = sin(y);
  z.backward();
  CHECK_THROWS_WITH_AS(
      z.backward(),
      "backward: this part of the graph was freed by an earlier backward, or one that failed. If it comes from an earlier step (a "
      "hidden state, a generator's output), detach() it there; if two losses share it, add them and call backward once; to walk it "
      "twice on purpose, call backward({loss}, {}, true) the first time, or grad() with retain_graph = true",
      GraphError);
  CHECK_THROWS_AS((y * 2).backward(), GraphError);
  CHECK(z.requires_grad());
  CHECK_FALSE(z.is_leaf());
  CHECK(x.grad().item() == doctest::Approx(4 * std::cos(4)));
}

TEST_CASE("the graph: retain_graph keeps it") {
  const Tensor x = leaf(2), z = x * x;
  backward({z}, {}, true);
  backward({z}, {}, true);
  z.backward();
  CHECK(x.grad().item() == 12);
  CHECK_THROWS_AS(z.backward(), GraphError);
}

TEST_CASE("the graph: nodes are freed while backward walks, values with them") {
  const Tensor x = leaf({1, 2, 3});
  Tensor y = x;
  for (int i = 0; i < 10; ++i) y = y * 2;
  const Tensor loss = sum(y);
  CHECK(live_nodes() == 11);
  y = Tensor();
  loss.backward();
  CHECK(live_nodes() == 0);
  CHECK(live_tensors() == 3);  // x, its gradient, and the loss
}

TEST_CASE("a failed backward: leaves all grad() as they were") {
  const Tensor x = leaf(2), y = leaf(3);
  x.set_grad(tensor(7, DType::f64));
  const Tensor z = sin(x) * y;
  y.add_hook([](const Tensor&) -> Tensor { throw ValueError("no"); });
  CHECK_THROWS_WITH_AS(z.backward(), "no", ValueError);
  CHECK(x.grad().item() == 7);
  CHECK_FALSE(y.grad().defined());
}

TEST_CASE("NoGrad: ops leave nothing on the tape, and the switch goes back") {
  const Tensor x = leaf(2);
  {
    const NoGrad off;
    CHECK_FALSE(grad_enabled());
    CHECK_FALSE((x * x).requires_grad());
    const GradMode on(true);
    CHECK((x * x).requires_grad());
  }
  CHECK(grad_enabled());
  CHECK((x * x).requires_grad());
}

TEST_CASE("detach: a constant of the same value") {
  const Tensor x = leaf(3);
  (x * x.detach()).backward();
  CHECK(x.grad().item() == 3);
}

TEST_CASE("backward: records nothing, whatever the mode it is called in") {
  const Tensor x = leaf(3), y = x * x * x;
  const Tensor first = grad({y}, {x})[0];
  CHECK_FALSE(first.requires_grad());
  CHECK(grad_enabled());
}

TEST_CASE("dtypes: gradients have the dtype of their tensor, across casts") {
  Tensor x = ones({2}).set_requires_grad(), w = ones({2}, DType::f16).set_requires_grad();
  sum(cast(x, DType::f64) * cast(w, DType::f64)).backward();
  CHECK(x.grad().dtype() == DType::f32);
  CHECK(w.grad().dtype() == DType::f16);
}

TEST_CASE("backward: whichever allocation fails, no leaf has got a gradient") {
  Tensors leaves;
  const auto build = [&] {
    leaves.clear();
    for (int i = 0; i < 4; ++i) leaves.push_back(full({2}, i + 1).set_requires_grad());
    return sum(leaves[0] * leaves[1] + leaves[2] * leaves[3]);
  };
  Tensor loss = build();
  const auto failed = fail_each_allocation([&] { loss.backward(); },
                                           [&] {
                                             for (const Tensor& x : leaves) CHECK(!x.grad().defined());
                                             loss = build();
                                           });
  CHECK(failed > 5);
  for (const Tensor& x : leaves) CHECK(x.grad().defined());
}

TEST_CASE("set_grad: a tensor may be its own gradient, and two each other's: no handle keeps them alive") {
  const int64_t before = live_tensors();
  {
    const Tensor x = ones({2}), a = ones({2}), b = zeros({2});
    x.set_grad(x);
    a.set_grad(b);
    b.set_grad(a);
    CHECK(x.grad().at({0}) == 1);
    CHECK(b.grad().at({1}) == 1);
  }
  CHECK(live_tensors() == before);
}
