// Training with products in bf16: what has to stay f32, and stays.
#include <doctest/doctest.h>

#include <thread>

#include "core/core.h"
#include "nn/nn.h"
#include "optim/optim.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("inside-bf16: attention, sums of norms, of softmax and of the loss, and an optimizer's step, are those of f32, bit by bit") {
  manual_seed(1);
  const Tensor x = randn({50, 300}).set_requires_grad(), classes = zeros({50}, DType::i64);
  const auto results = [&] {
    Tensors all;
    const Tensor heads = reshape(x, {2, 25, 3, 100});
    for (const Tensor& y : {nn::attention(heads, heads, heads), nn::rms_norm(x, ones({300})), nn::layer_norm(x, {300}), nn::act::softmax(x),
                            nn::cross_entropy(x, classes)}) {
      all.push_back(y.detach());
      all.push_back(grad({sum(y * y)}, {x})[0]);
    }
    Tensor p = ones({300}).set_requires_grad();
    optim::AdamW optimizer({{{{"p", p}}}}, {.lr = 1e-3});
    sum(p * p).backward();
    optimizer.step();
    all.push_back(p.detached_copy());
    return all;
  };
  const Tensors plain = results();
  const Bf16Products products;
  const Tensors in_bf16 = results();
  for (std::size_t i = 0; i < plain.size(); ++i) CHECK(same_bits(plain[i], in_bf16[i]));
}

// Next to 1, numbers of bf16 are 2⁻⁷ and 2⁻⁸ apart: a parameter stored in bf16 that is 1 forgets each step of 1e-3, and is 1 for ever.
TEST_CASE("inside-bf16: gains move, as parameters are f32; stored in bf16 they would stay 1") {
  manual_seed(2);
  const Bf16Products products;
  Tensor gain = ones({1}).set_requires_grad();
  optim::SGD optimizer({{{{"gain", gain}}}}, {.lr = 1e-3});
  const Tensor one = tensor({{1}});
  double stored = 1;
  for (int step = 0; step < 20; ++step) {
    optimizer.zero_grad();
    sum(gain).backward();
    stored = matmul(tensor({{stored - 1e-3}}), one).item();  // which rounds it to bf16
    optimizer.step();
  }
  CHECK(stored == 1);
  CHECK(gain.item() == doctest::Approx(0.98));
}

TEST_CASE("inside-bf16: attention on one thread leaves the products of another in bf16") {
  manual_seed(3);
  const Bf16Products products;
  const Tensor a = randn({20, 30}), b = randn({30, 10}), expected = matmul(a, b);
  std::thread other([] {
    const Tensor heads = randn({1, 16, 2, 8});
    for (int i = 0; i < 2000; ++i) nn::attention(heads, heads, heads);
  });
  int64_t wrong = 0;
  for (int i = 0; i < 2000; ++i) wrong += !same_bits(matmul(a, b), expected);
  other.join();
  CHECK(wrong == 0);
  CHECK(Bf16Products::on());
}
