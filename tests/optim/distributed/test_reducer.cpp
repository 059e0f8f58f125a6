// Reducer: the same gradients, to the bit, at any number of ranks; sent while the walk still runs.
#include "optim/distributed/reducer.h"

#include "core/core.h"
#include "nn/nn.h"
#include "optim/distributed/threads.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::distributed;
using namespace gradus::test;

namespace {

constexpr int64_t kMicroBatches = 8;

nn::LanguageModelOptions small_model(const char* placement, double dropout) {
  nn::LanguageModelOptions o;
  o.vocabulary = 17, o.context = 6, o.d_model = 8, o.layers = 2, o.heads = 2, o.placement = placement;
  o.embedding_dropout = dropout;
  return o;
}

Tensor loss_of(nn::LanguageModel& model, int64_t i) {
  Generator generator(100 + static_cast<std::uint64_t>(i));
  const Tensor ids = randint(0, 17, {2, 7}, generator);
  manual_seed(static_cast<std::uint64_t>(i));  // of dropout
  return nn::cross_entropy(model(slice(ids, 1, 0, 6)), slice(ids, 1, 1, 7)) / static_cast<double>(kMicroBatches);
}

// The gradients on the last rank, as bytes.
std::string gradients(int ranks, const char* placement, double dropout, const ReducerOptions& options) {
  std::string bytes;
  run_threads(ranks, [&](Link& link) {
    manual_seed(1);
    nn::LanguageModel model(small_model(placement, dropout));
    Reducer reducer(link, model.named_parameters(), options);
    for (int repeat = 0; repeat < 2; ++repeat) {  // the second must not add to the first
      for (int64_t i = reducer.begin(); i < reducer.end(); ++i) {
        const Observing micro_batch = reducer.micro_batch();
        loss_of(model, i).backward();
      }
      CHECK(reducer.sent() == reducer.buckets());
      reducer.wait();
    }
    if (link.rank() + 1 < link.ranks()) return;
    for (const Tensor& one : model.parameters())
      bytes.append(static_cast<const char*>(one.grad().bytes()), 4 * static_cast<std::size_t>(one.numel()));
  });
  return bytes;
}

}  // namespace

TEST_CASE("dist-tree-sum: the same bits at 1, 2, 4 and 8 ranks, for any size of bucket, with dropout") {
  for (const char* placement : {"pre", "post", "sandwich"}) {
    const std::string one = gradients(1, placement, 0.1, {.micro_batches = kMicroBatches});
    for (int ranks : {2, 4, 8}) {
      for (const char* name : {"doubling", "halving", "tree"}) {
        CHECK(gradients(ranks, placement, 0.1, {.micro_batches = kMicroBatches, .bucket_bytes = 500, .all_reduce = name}) == one);
      }
    }
    CHECK(gradients(4, placement, 0.1, {.micro_batches = kMicroBatches, .bucket_bytes = 1 << 30}) == one);
    CHECK(gradients(4, placement, 0.1, {.micro_batches = kMicroBatches, .all_reduce = "ring"}) != one);
  }
}

TEST_CASE("dist-mean: the sum of the gradients is the gradient of the sum") {
  manual_seed(1);
  nn::LanguageModel model(small_model("pre", 0));
  Alone link;
  Reducer reducer(link, model.named_parameters(), {.micro_batches = kMicroBatches});
  for (int64_t i = reducer.begin(); i < reducer.end(); ++i) {
    const Observing micro_batch = reducer.micro_batch();
    loss_of(model, i).backward();
  }
  reducer.wait();
  Tensors sums;
  for (const Tensor& one : model.parameters()) sums.push_back(one.grad());
  model.zero_grad();
  Tensor all = loss_of(model, 0);
  for (int64_t i = 1; i < kMicroBatches; ++i) all = all + loss_of(model, i);
  all.backward();
  const Tensors parameters = model.parameters();
  for (std::size_t i = 0; i < sums.size(); ++i) CHECK(difference(sums[i], parameters[i].grad(), 1e-6) == "");
}

TEST_CASE("dist-overlap: buckets are sent while the walk still runs, the newest parameters first") {
  run_threads(2, [](Link& link) {
    Tensor first = ones({3}).set_requires_grad(), second = ones({3}).set_requires_grad(), third = ones({3}).set_requires_grad();
    Reducer reducer(link, {{"first", first}, {"second", second}, {"third", third}}, {.micro_batches = 2, .bucket_bytes = 4});
    CHECK(reducer.buckets() == 3);
    const auto sent_at = [&](const Tensor& x, std::size_t expected) {
      x.add_hook([&reducer, expected](const Tensor&) {
        CHECK(reducer.sent() == expected);
        return Tensor();
      });
    };
    {
      const Observing micro_batch = reducer.micro_batch();
      const Tensor a = first * first * (link.rank() + 1.0), b = a * second, c = b * third;
      sent_at(c, 0), sent_at(b, 1), sent_at(a, 2);
      sum(c).backward();
    }
    CHECK(reducer.sent() == 3);
    reducer.wait();
    CHECK(first.grad().at({0}) == 6);  // 2 · 1 + 2 · 2
    CHECK(third.grad().at({2}) == 3);
  });
}

TEST_CASE("dist-overlap: a parameter that is used late is complete late; one that is not reached gets zeros") {
  run_threads(2, [](Link& link) {
    Tensor tied = ones({3}).set_requires_grad(), other = ones({3}).set_requires_grad(), never = ones({3}).set_requires_grad();
    Reducer reducer(link, {{"tied", tied}, {"other", other}, {"never", never}}, {.micro_batches = 4, .bucket_bytes = 4});
    for (int64_t i = reducer.begin(); i < reducer.end(); ++i) {
      const Observing micro_batch = reducer.micro_batch();
      const Tensor unused = tied * never;
      if (i == 3) continue;  // no backward() at all
      sum(tied * (other * tied) * static_cast<double>(i + 1)).backward();
    }
    reducer.wait();
    CHECK(tied.grad().at({0}) == 12);  // 2 (1 + 2 + 3)
    CHECK(other.grad().at({0}) == 6);
    CHECK(never.grad().at({0}) == 0);
    for (int64_t i = reducer.begin(); i < reducer.end(); ++i) reducer.micro_batch();  // nothing is left of the step before
    reducer.wait();
    CHECK(tied.grad().at({0}) == 0);
  });
}

TEST_CASE("dist-overlap: a hook may change a gradient, which is sent as it leaves it") {
  run_threads(2, [](Link& link) {
    Tensor x = ones({2}).set_requires_grad();
    x.add_hook([](const Tensor& g) { return 10 * g; });
    Reducer reducer(link, {{"x", x}}, {.micro_batches = 2});
    {
      const Observing micro_batch = reducer.micro_batch();
      sum(3 * x).backward();
    }
    reducer.wait();
    CHECK(x.grad().at({1}) == 60);
  });
}

TEST_CASE("dist-overlap: what was used before the micro-batch began is refused") {
  Tensor x = ones({2}).set_requires_grad();
  Alone link;
  Reducer reducer(link, {{"x", x}});
  const Tensor before = 2 * x;
  const Observing micro_batch = reducer.micro_batch();
  CHECK_THROWS_WITH_AS(sum(before + x).backward(), doctest::Contains("x gets more after its gradient was complete"), GraphError);
}

TEST_CASE("Reducer: bad calls") {
  Tensor x = ones({2}).set_requires_grad();
  run_threads(2, [&](Link& link) {
    CHECK_THROWS_WITH_AS(Reducer(link, {}, {.micro_batches = 3}), doctest::Contains("take a multiple of 2"), ValueError);
    CHECK_THROWS_WITH_AS(Reducer(link, {}, {.micro_batches = 2, .all_reduce = "rings"}), doctest::Contains("ring"), ValueError);
    const Tensor own = ones({link.rank() + 1});
    CHECK_THROWS_WITH_AS(Reducer(link, {{"own", own}}, {.micro_batches = 2}), doctest::Contains("of rank 1 are not those of rank 0"),
                         ValueError);
    const Tensor older = ones({1}), newer = ones({1});
    const NamedTensors turned = link.rank() == 0 ? NamedTensors{{"a", older}, {"b", newer}} : NamedTensors{{"a", newer}, {"b", older}};
    CHECK_THROWS_WITH_AS(Reducer(link, turned, {.micro_batches = 2}), doctest::Contains("order"), ValueError);
    CHECK_THROWS_WITH_AS(Reducer(link, {{"half", ones({1}, DType::f16)}}, {.micro_batches = 2}), doctest::Contains("half is f16"),
                         DTypeError);
    Tensor mine = ones({2}).set_requires_grad();
    Reducer reducer(link, {{"mine", mine}}, {.micro_batches = 2});
    CHECK_THROWS_WITH_AS(reducer.wait(), doctest::Contains("0 of this rank's 1 micro-batches have begun"), ValueError);
    reducer.micro_batch();
    CHECK_THROWS_WITH_AS(reducer.micro_batch(), doctest::Contains("call wait()"), ValueError);
    link.barrier();
  });
}

TEST_CASE("dist-tree-sum: halves of halves, whatever the count") {
  const auto sum_of = [](int begin, int end, const auto& self) -> float {
    if (end - begin == 1) return std::exp(static_cast<float>((begin * 37) % 11) - 5);
    const int middle = begin + (end - begin) / 2;
    return self(begin, middle, self) + self(middle, end, self);
  };
  for (int count = 1; count < 20; ++count) {
    TreeSum sum(count);
    for (int i = 0; i < count; ++i) {
      if (i > 0) CHECK_THROWS_AS(sum.total(), ValueError);
      sum.add(full({1}, sum_of(i, i + 1, sum_of)));
    }
    CHECK(sum.total().item() == sum_of(0, count, sum_of));
    CHECK_THROWS_AS(sum.add(ones({1})), ValueError);
  }
}
