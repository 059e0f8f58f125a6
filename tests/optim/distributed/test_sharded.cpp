// What is spread over ranks is what it is in one piece: to the bit.
#include "core/core.h"
#include "core/inspect/gradcheck.h"
#include "core/machine/pool.h"
#include "nn/nn.h"
#include "optim/distributed/parallel_ops.h"
#include "optim/distributed/reducer.h"
#include "optim/distributed/sharded_layer.h"
#include "optim/distributed/sharded_optimizer.h"
#include "optim/distributed/threads.h"
#include "optim/optim.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::distributed;
using namespace gradus::test;

namespace {

constexpr int64_t kRows = 8;

Tensor x_of(int64_t i) {
  Generator generator(50 + static_cast<std::uint64_t>(i));
  return randn({kRows, 6}, DType::f32, generator);
}

nn::Sequential make_net() {
  manual_seed(3);
  return nn::Sequential{nn::Linear{6, 40}, nn::act::gelu, nn::LayerNorm{40}, nn::Linear{40, 5}};
}

std::string bytes_of(const Tensor& x) {
  return {static_cast<const char*>(x.bytes()), static_cast<std::size_t>(x.numel()) * size_of(x.dtype())};
}

std::string bytes_of(const NamedTensors& tensors) {
  std::string bytes;
  for (const NamedTensor& one : tensors) bytes += one.name + bytes_of(one.tensor);
  return bytes;
}

ShardedOptimizer::Make adamw() {
  return [](const optim::ParameterGroups& groups) { return std::make_unique<optim::AdamW>(groups, optim::AdamWOptions{.lr = 0.01}); };
}

// After three steps on the sum over all micro-batches.
struct Trained { std::string weights, state; };
Trained train(int ranks, int64_t micro_batches) {
  Trained result;
  run_threads(ranks, [&](Link& link) {
    nn::Sequential net = make_net();
    Reducer reducer(link, net.named_parameters(), {.micro_batches = micro_batches});
    ShardedOptimizer optimizer(link, optim::decay_matrices(net.named_parameters()), adamw());
    for (int step = 0; step < 3; ++step) {
      for (int64_t i = reducer.begin(); i < reducer.end(); ++i) {
        const Observing micro_batch = reducer.micro_batch();
        mean(square(net(x_of(i + step)))).backward();
      }
      reducer.wait();
      optimizer.step(0.01);
      optimizer.zero_grad();
    }
    const NamedTensors state = optimizer.gather_state();
    if (link.rank() == 0) result.state = bytes_of(state);
    if (link.rank() + 1 == link.ranks()) result.weights = bytes_of(net.named_parameters());

    int64_t whole = 0, largest = 0;
    for (const NamedTensor& one : net.named_parameters()) {
      whole += 2 * one.tensor.numel() * 4, largest = std::max(largest, 2 * one.tensor.numel() * 4);
    }
    CHECK(optimizer.state_bytes() <= whole / ranks + largest);
    CHECK(optimizer.steps() == 3);
  });
  return result;
}

}  // namespace

TEST_CASE("dist-zero-1: weights and state are those of the optimizer in one piece, to the bit, on 1, 2, 4 and 8 ranks") {
  const Trained one = train(1, 8);
  for (int ranks : {2, 4, 8}) {
    const Trained sharded = train(ranks, 8);
    CHECK(sharded.weights == one.weights);
    CHECK(sharded.state == one.state);
  }
  nn::Sequential net = make_net();
  optim::AdamW whole(optim::decay_matrices(net.named_parameters()), {.lr = 0.01});
  for (int step = 0; step < 3; ++step) {
    Alone link;
    Reducer reducer(link, net.named_parameters(), {.micro_batches = 8});
    for (int64_t i = 0; i < 8; ++i) {
      const Observing micro_batch = reducer.micro_batch();
      mean(square(net(x_of(i + step)))).backward();
    }
    reducer.wait();
    whole.step();
    whole.zero_grad();
  }
  CHECK(bytes_of(net.named_parameters()) == one.weights);
  CHECK(bytes_of(whole.state()) == one.state);
}

TEST_CASE("dist-zero-1: a state that was gathered from 4 ranks goes on with 2") {
  struct Saved {
    std::string name;
    Shape shape;
    std::vector<float> values;
  };
  std::vector<Saved> state;
  const auto step_once = [](nn::Sequential& net, ShardedOptimizer& optimizer) {
    mean(square(net(x_of(1)))).backward();
    optimizer.step(0.01);
    optimizer.zero_grad();
  };
  std::string weights, again;
  const auto run = [&](int ranks, bool resumed) {
    run_threads(ranks, [&](Link& link) {
      nn::Sequential net = make_net();
      ShardedOptimizer optimizer(link, net.named_parameters(), adamw());
      mean(square(net(x_of(0)))).backward();
      optimizer.step(0.01);
      optimizer.zero_grad();
      if (resumed) {
        NamedTensors whole;
        for (const auto& [name, shape, values] : state) whole.emplace_back(name, from_vector(values, shape));
        optimizer.load_state(whole, 1);
      }
      const NamedTensors all = optimizer.gather_state();
      if (link.rank() == 0 && !resumed) {
        for (const NamedTensor& one : all) {
          const float* const values = one.tensor.data<float>();
          state.push_back({one.name, one.tensor.shape(), {values, values + one.tensor.numel()}});
        }
      }
      step_once(net, optimizer);
      if (link.rank() == 0) (resumed ? again : weights) = bytes_of(net.named_parameters());
    });
  };
  run(4, false);
  run(2, true);
  CHECK(weights == again);
}

TEST_CASE("dist-zero-3: outputs and gradients are those of the layer in one piece, to the bit; no rank holds all of it") {
  for (int ranks : {1, 2, 4}) {
    run_threads(ranks, [&](Link& link) {
      nn::Sequential whole = make_net();
      for (const Tensor& one : whole.parameters()) one.zero_grad();
      Reducer reducer(link, whole.named_parameters(), {.micro_batches = ranks});
      Tensor x = x_of(link.rank()), x_again = x.detached_copy();
      x.set_requires_grad(), x_again.set_requires_grad();
      {
        const Observing micro_batch = reducer.micro_batch();
        sum(square(whole(x))).backward();
      }
      reducer.wait();

      ShardedLayer sharded(link, std::make_unique<nn::Sequential>(make_net()));
      const Tensor y = sharded(x_again);
      CHECK(bytes_of(y) == bytes_of(whole(x)));
      sum(square(y)).backward();
      CHECK(bytes_of(x_again.grad()) == bytes_of(x.grad()));

      Tensors matrices, others;
      for (const Tensor& one : whole.parameters()) (one.rank() > 1 ? matrices : others).push_back(reshape(one.grad(), {-1}));
      const NamedTensors shards = sharded.named_parameters();
      REQUIRE(shards.size() == 2);
      for (std::size_t i = 0; i < 2; ++i) {
        Tensor all = cat(i == 0 ? matrices : others, 0);
        const auto part = halving_part(link, std::span(all.mutable_data<float>(), static_cast<std::size_t>(all.numel())));
        CHECK(bytes_of(shards[i].tensor.grad()) == std::string(reinterpret_cast<const char*>(part.data()), part.size_bytes()));
        CHECK(shards[i].tensor.numel() <= all.numel() / ranks + 2);
      }
    });
  }
}

TEST_CASE("dist-zero-3: at its peak a rank holds its shares, and one layer four times") {
  constexpr int64_t width = 256, layers = 8, ranks = 4;
  constexpr std::size_t whole = width * width * sizeof(float);
  run_threads(ranks, [&](Link& link) {
    const std::size_t before = pool::live_bytes();
    nn::Sequential net;
    for (int64_t i = 0; i < layers; ++i) net.add(std::make_unique<ShardedLayer>(link, std::make_unique<nn::Linear>(width, width)));
    CHECK(pool::live_bytes() - before < (layers / ranks + 1) * whole);

    struct Peak final : Observer {
      std::size_t most = 0;
      void made(const char*, const Tensor&, std::span<const Tensor>, bool) override { most = std::max(most, pool::live_bytes()); }
      void visit(const Tensor&, const Tensor&) override { most = std::max(most, pool::live_bytes()); }
    } peak;
    const Observing watched(&peak);
    sum(square(net(ones({1, width})))).backward();
    // shares and their gradients; a layer's flat parameters, the same as tensors, their gradients, and those flat
    CHECK(peak.most - before < (2 * layers / ranks + 4) * whole + whole / 2);
    CHECK(pool::live_bytes() - before < (2 * layers / ranks + 1) * whole);
  });
}

TEST_CASE("dist-zero-3: dropout is the same when the walk computes the layer again") {
  run_threads(2, [](Link& link) {
    const auto make = [] { return nn::Sequential{nn::Linear{6, 20}, nn::Dropout{0.5}, nn::Linear{20, 3}}; };
    manual_seed(7);
    nn::Sequential whole = make();
    manual_seed(7);
    ShardedLayer sharded(link, std::make_unique<nn::Sequential>(make()));
    Tensor x = x_of(0).set_requires_grad(), x_again = x_of(0).set_requires_grad();
    manual_seed(8);
    sum(whole(x)).backward();
    const std::uint64_t after = default_generator().counter();
    manual_seed(8);
    sum(sharded(x_again)).backward();
    CHECK(bytes_of(x.grad()) == bytes_of(x_again.grad()));
    CHECK(default_generator().counter() == after);
  });
}

TEST_CASE("dist-tensor-parallel: the two ops are each other's gradient") {
  for (int ranks : {1, 2, 3}) {
    run_threads(ranks, [&](Link& link) {
      const double r = link.rank() + 1, n = ranks, all = n * (n + 1) / 2;
      Tensor x = full({2}, 3.0, DType::f64).set_requires_grad();
      sum(copy_to_ranks(link, x) * r).backward();
      CHECK(x.grad().at({0}) == all);  // Σ_r r
      x.zero_grad();
      const Tensor y = sum_over_ranks(link, x * r);
      CHECK(y.at({1}) == 3 * all);
      sum(square(y)).backward();
      CHECK(x.grad().at({0}) == 2 * 3 * all * r);
    });
  }
}

TEST_CASE("dist-tensor-parallel: first and second derivatives against finite differences, on two ranks at once") {
  run_threads(2, [](Link& link) {
    Generator generator(9);
    const Tensor x = randn({3}, DType::f64, generator), own = randn({3}, DType::f64, generator) * (link.rank() + 1.0);
    const auto f = [&](const Tensors& in) {  // the same y on both: a column split, then a row split
      return sum_over_ranks(link, own * tanh(copy_to_ranks(link, in[0]) * own));
    };
    CHECK(gradcheck(f, {x}).passed);
    CHECK(gradgradcheck(f, {x}).passed);
  });
}

TEST_CASE("distributed: what cannot be summed is refused") {
  Alone link;
  Tensor half = ones({2}, DType::f16);
  CHECK_THROWS_WITH_AS(all_reduce(link, half), doctest::Contains("f32 or f64, got f16"), DTypeError);
  auto net = std::make_unique<nn::Sequential>(make_net());
  net->to(DType::f16);
  CHECK_THROWS_WITH_AS(ShardedLayer(link, std::move(net)), doctest::Contains("got f16"), DTypeError);
  auto frozen = std::make_unique<nn::Linear>(4, 4);
  frozen->weight.set_requires_grad(false);
  CHECK_THROWS_WITH_AS(ShardedLayer(link, std::move(frozen)), doctest::Contains("is frozen"), ValueError);
  run_threads(3, [](Link& three) {
    CHECK_THROWS_WITH_AS(ShardedLayer(three, std::make_unique<nn::Linear>(4, 4)), doctest::Contains("got 3"), ValueError);
  });
}
