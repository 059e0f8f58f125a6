// What single optimizers promise beyond their formula.
#include "core/inspect/compare.h"
#include "optim/optim.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/composites/composites.h"
#include "core/inspect/gradcheck.h"
#include "core/tensor/random.h"
#include "tests/optim/make.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("optim-lion: every value moves by the rate") {
  const Tensor x = parameter(zeros({3}, DType::f64));
  optim::Lion optimizer({{{{"x", x}}, 0}});
  x.set_grad(tensor({1e-9, -5, 0}, DType::f64));
  optimizer.step(0.1);
  CHECK(to_vector(x) == Values{-0.1, 0.1, 0});
}

TEST_CASE("optim-rmsprop: it remembers a velocity with a momentum alone; each step is then the sum of the faded ones before") {
  const Tensor x = parameter(zeros({2}, DType::f64)), y = parameter(zeros({2}, DType::f64));
  optim::RMSprop plain(NamedTensors{{"x", x}}), heavy(NamedTensors{{"y", y}}, {.momentum = 0.5});
  CHECK(plain.state().size() == 1);
  REQUIRE(heavy.state().size() == 2);
  CHECK(heavy.state()[1].name == "velocity/y");
  Tensor u = zeros({2}, DType::f64), at = y.detached_copy();
  for (const double size : {1.0, -2.0, 0.25}) {
    const Tensor before = x.detached_copy();
    x.set_grad(tensor({size, -1}, DType::f64));
    y.set_grad(tensor({size, -1}, DType::f64));
    plain.step(0.1);
    heavy.step(0.1);
    u = 0.5 * u + (x.detach() - before);  // the gradients are the same, and so is their root mean square
    at = at + u;
    CHECK(difference(y, at, 1e-15) == "");
  }
}

TEST_CASE("optim-adafactor: it remembers a row and a column, and is exact where g² is their product") {
  const Tensor x = parameter(ones({2, 3}, DType::f64));
  optim::Adafactor optimizer({{{{"x", x}}, 0}});
  REQUIRE(optimizer.state().size() == 2);
  CHECK(optimizer.state()[0].tensor.shape() == Shape{2});
  CHECK(optimizer.state()[1].tensor.shape() == Shape{3});
  x.set_grad(outer(tensor({1, -2}, DType::f64), tensor({3, 5, 0.1}, DType::f64)));  // g/√g² is its sign
  optimizer.step(0.1);
  CHECK(difference(x, tensor({{0.9, 0.9, 0.9}, {1.1, 1.1, 1.1}}, DType::f64), 1e-14) == "");
}

TEST_CASE("optim-adafactor: a matrix has the means of g² by row and by column, a vector its g² alone") {
  const Tensor x = parameter(ones({2, 3}, DType::f64)), y = parameter(ones({2}, DType::f64));
  optim::Adafactor optimizer(NamedTensors{{"x", x}, {"y", y}});
  x.set_grad(tensor({{1, 2, 3}, {-4, 5, 6}}, DType::f64));
  y.set_grad(tensor({-2, 3}, DType::f64));
  optimizer.step(0.1);
  std::map<std::string, Tensor> state;
  for (const auto& [name, tensor, role] : optimizer.state()) state.emplace(name, tensor);
  REQUIRE(state.size() == 3);
  CHECK(difference(state.at("row/x"), tensor({14.0 / 3, 77.0 / 3}, DType::f64), 1e-14) == "");
  CHECK(difference(state.at("column/x"), tensor({8.5, 14.5, 22.5}, DType::f64), 1e-14) == "");
  CHECK(difference(state.at("second/y"), tensor({4, 9}, DType::f64), 1e-14) == "");
}

TEST_CASE("optim-adafactor: an update is as long as `clip` at most") {
  const auto after_two = [](double clip) {
    const Tensor x = parameter(ones({2}, DType::f64));
    optim::Adafactor optimizer({{{{"x", x}}, 0}}, {.clip = clip});
    for (const double g : {1, 10}) {
      x.set_grad(full({2}, g, DType::f64));
      optimizer.step(0.1);
    }
    return x.at({0});
  };
  const double beta = 1 - std::pow(2, -0.8), length = 10 / std::sqrt(beta + (1 - beta) * 100);  // 1.31
  CHECK(after_two(1) == doctest::Approx(0.9 - 0.09).epsilon(1e-14));
  CHECK(after_two(1.25) == doctest::Approx(0.9 - 0.09 * 1.25).epsilon(1e-14));
  CHECK(after_two(2) == doctest::Approx(0.9 - 0.09 * length).epsilon(1e-14));
}

TEST_CASE("optim-adafactor: a parameter counts as no smaller than ε₂, or it could not leave 0") {
  const Tensor x = parameter(zeros({2, 2}, DType::f64)), y = parameter(zeros({2}, DType::f64));
  optim::Adafactor optimizer(NamedTensors{{"x", x}, {"y", y}}, {.eps2 = 0.25});
  x.set_grad(ones({2, 2}, DType::f64));
  y.set_grad(ones({2}, DType::f64));
  optimizer.step(0.5);
  CHECK(difference(x, full({2, 2}, -0.125, DType::f64), 1e-15) == "");
  CHECK(difference(y, full({2}, -0.125, DType::f64), 1e-15) == "");
  const Tensor z = parameter(zeros({2, 2}, DType::f64));
  optim::Adafactor of_defaults(NamedTensors{{"z", z}});
  z.set_grad(ones({2, 2}, DType::f64));
  of_defaults.step();
  CHECK(difference(z, full({2, 2}, -1e-5, DType::f64), 1e-19) == "");  // lr ε₂
}

TEST_CASE("optim-adafactor: ε₁ is added to each square, so that a gradient of 0 is no division by 0") {
  const auto step_of_one = [](double gradient, optim::AdafactorOptions options) {
    const Tensor x = parameter(ones({2, 2}, DType::f64)), y = parameter(ones({2}, DType::f64));
    optim::Adafactor optimizer(NamedTensors{{"x", x}, {"y", y}}, options);
    x.set_grad(full({2, 2}, gradient, DType::f64));
    y.set_grad(full({2}, gradient, DType::f64));
    optimizer.step(0.1);
    CHECK(difference(x, full({2, 2}, y.at({0}), DType::f64), 1e-15) == "");
    return 1 - y.at({0});
  };
  CHECK(step_of_one(0, {}) == 0);
  CHECK(step_of_one(1, {.eps1 = 3}) == doctest::Approx(0.1 / 2).epsilon(1e-14));
  CHECK(step_of_one(1e-15, {}) == doctest::Approx(0.1 / std::sqrt(2)).epsilon(1e-14));
}

TEST_CASE("optim-muon: singular values from 0.005 of the norm on come to [0.68, 1.16], smaller ones stay smaller") {
  const auto turn = [](double angle) {
    return tensor({{std::cos(angle), -std::sin(angle)}, {std::sin(angle), std::cos(angle)}}, DType::f64);
  };
  const Tensor u = turn(0.3), v = turn(1.1);
  const auto becomes = [&](double s) {  // of the norm 5, s the smaller part or the larger
    const Tensor singular = tensor({{5 * s, 0}, {0, 5 * std::sqrt(1 - s * s)}}, DType::f64);
    const Tensor y = optim::newton_schulz(matmul(matmul(u, singular), v, {.transpose_b = true}));
    return matmul(matmul(u, y, {.transpose_a = true}), v).at({0, 0});
  };
  double least = 2, most = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double y = becomes(0.005 * std::pow(200, i / 1000.0));
    least = std::min(least, y);
    most = std::max(most, y);
  }
  CHECK(least == doctest::Approx(0.6818).epsilon(1e-4));
  CHECK(most == doctest::Approx(1.1544).epsilon(1e-4));
  CHECK(becomes(1e-3) == doctest::Approx(0.47054).epsilon(1e-5));
  CHECK(becomes(1e-4) == doctest::Approx(0.048473).epsilon(1e-5));
  CHECK(becomes(1e-6) == doctest::Approx(1e-6 * std::pow(3.4445, 5)).epsilon(1e-4));
}

TEST_CASE("optim-muon: a matrix shorter than 1e-7 is divided by that, not by its length") {
  const Tensor y = optim::newton_schulz(tensor({{1e-8}}, DType::f64), 1);
  CHECK(y.item() == doctest::Approx(3.4445 * 0.1 - 4.775 * 1e-3 + 2.0315 * 1e-5).epsilon(1e-14));
}

TEST_CASE("optim-muon: a matrix longer than 1e-7 is divided by its length, however small or few its numbers") {
  CHECK(optim::newton_schulz(tensor({{5}}, DType::f64), 1).item() == doctest::Approx(3.4445 - 4.775 + 2.0315).epsilon(1e-14));
  const Tensor small = full({2, 2}, 0.9e-7, DType::f64);  // ‖x‖ is 1.8e-7
  CHECK(difference(optim::newton_schulz(small), optim::newton_schulz(1e7 * small), 1e-12) == "");
  const Tensor x = tensor({{3, 1}, {-2, 4}}, DType::f64);
  CHECK(difference(optim::newton_schulz(1e-5 * x), optim::newton_schulz(x), 1e-12) == "");
}

TEST_CASE("optim-muon: numbers whose squares are ∞ are orthogonalised, too") {
  Generator generator(4);
  const Tensor x = randn({5, 9}, DType::f32, generator), y = optim::newton_schulz(x);
  CHECK(difference(optim::newton_schulz(std::pow(2, 125) * x), y, 1e-6) == "");
  for (const double scale : {1.0, std::pow(2, 125)}) {  // singular values 3 and 1, and the largest number is below 0
    const Tensor crossed = optim::newton_schulz(scale * tensor({{0, -3}, {-1, 0}}));  // two singular vectors, swapped
    CHECK(crossed.at({0, 1}) < -0.6);
    CHECK(crossed.at({1, 0}) < -0.6);
  }
  CHECK(isnan(optim::newton_schulz(tensor({{1, std::nan("")}}))).at({0, 0}) == 1);
}

TEST_CASE("optim-muon: newton_schulz has its gradient, that of the norm among it, for matrices long and short") {
  Generator generator(5);
  for (const Shape& shape : {Shape{3, 5}, {5, 3}, {2, 2}}) {
    for (const double length : {1.0, 1e-9}) {  // longer and shorter than 1e-7
      const Tensor x = randn(shape, DType::f64, generator).set_requires_grad();
      CHECK(gradcheck([=](const Tensors& in) { return optim::newton_schulz(length * in[0], 3); }, {x}).passed);
    }
  }
  const Tensor least = tensor({{1e-320}}, DType::f64);
  CHECK(optim::newton_schulz(least, 1).item() == doctest::Approx(3.4445e-313).epsilon(1e-6));
}

TEST_CASE("optim-muon: the singular vectors stay, whatever the matrix's size and shape") {
  Generator generator(3);
  for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{5, 9}, {9, 5}, {4, 4}}) {
    const Tensor x = randn({rows, columns}, DType::f64, generator), y = optim::newton_schulz(x);
    CHECK(y.shape() == x.shape());
    CHECK(difference(y, optim::newton_schulz(1000 * x), 1e-12) == "");
    const Tensor small = rows < columns ? matmul(y, y, {.transpose_b = true}) : matmul(y, y, {.transpose_a = true});
    // The trace of yyᵀ is the sum of squared singular values, that of (yyᵀ)² of their fourth powers.
    const auto n = static_cast<double>(std::min(rows, columns));
    CHECK(sum(small * eye(small.size(0), -1, DType::f64)).item() / n < 1.25 * 1.25);
    CHECK(sum(small * eye(small.size(0), -1, DType::f64)).item() / n > 0.6 * 0.6);
    CHECK(sum(square(small)).item() / n < std::pow(1.25, 4));
    const Tensor product = rows < columns ? matmul(x, y, {.transpose_b = true}) : matmul(x, y, {.transpose_a = true});
    CHECK(difference(product, transpose(product), 1e-10) == "");  // U S Vᵀ V S' Uᵀ is symmetric
  }
  CHECK_THROWS_WITH_AS(optim::newton_schulz(zeros({3})), "newton_schulz: needs a matrix, got shape [3]", ShapeError);
  CHECK(equal(optim::newton_schulz(zeros({2, 3})), zeros({2, 3})));
  CHECK(optim::newton_schulz(zeros({0, 3})).shape() == Shape{0, 3});
}

TEST_CASE("optim-muon: by their role, embeddings, positions, heads, gains and biases are AdamW's") {
  const NamedTensors named{{"embedding.weight", parameter(ones({4, 2})), Role::table},
                           {"position.weight", parameter(ones({4, 2})), Role::table},
                           {"blocks.0.w", parameter(ones({2, 2}))},
                           {"blocks.0.q", parameter(ones({2, 2})), Role::scores},
                           {"blocks.0.w2", parameter(ones({2, 2})), Role::writes_stream},
                           {"blocks.0.cube", parameter(ones({2, 2, 2}))},
                           {"blocks.0.u", parameter(ones({2, 2})), Role::bias},
                           {"blocks.0.slope", parameter(ones({2, 2})), Role::other},
                           {"head.weight", parameter(ones({4, 2})), Role::head},
                           {"gain", parameter(ones({2})), Role::gain}};
  optim::Muon optimizer({{named, 0}});
  std::vector<std::string> names;
  for (const auto& [name, tensor, role] : optimizer.state()) names.push_back(name);
  const std::vector<std::string> rest{"embedding.weight", "position.weight", "blocks.0.cube", "blocks.0.u",
                                      "blocks.0.slope",   "head.weight",     "gain"};
  std::vector<std::string> expected{"velocity/blocks.0.w", "velocity/blocks.0.q", "velocity/blocks.0.w2"};
  for (const char* moment : {"first/", "second/"}) {
    for (const std::string& name : rest) expected.push_back(moment + name);
  }
  CHECK(names == expected);
}
