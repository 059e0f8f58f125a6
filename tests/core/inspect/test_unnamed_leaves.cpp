// severed without a log: leaves on the tape of the loss that the model does not name.
#include "core/core.h"
#include "core/inspect/severed.h"
#include "tests/support/check.h"

using namespace gradus;
using inspect::Severed;
using inspect::severed;

namespace {

struct TwoVectors {
  Tensor w = tensor({1, 2}).set_requires_grad(), h = tensor({3, 4}).set_requires_grad();
  NamedTensors named_parameters() const { return {{"blocks.0.w", w}, {"head.h", h}}; }
};

}  // namespace

TEST_CASE("severed: without a log, too, a leaf that the model does not name is told, with the first op that read it") {
  const TwoVectors model;
  const Tensor forgotten = ones({2}).set_requires_grad(), elsewhere = ones({2}).set_requires_grad();
  const Tensor first = model.w * forgotten, loss = sum((first + forgotten) * model.h);
  const Tensor unused = elsewhere * first;  // no part of the loss
  const std::vector<Severed> told = severed(loss, model);
  REQUIRE(told.size() == 1);
  CHECK(told[0].str() == fmt::format("#{} [2]: on the tape of the loss, where mul at #{} [2] read it, but no parameter of the "
                                     "model: does members() leave it out?",
                                     forgotten.number(), first.number()));
  CHECK(told[0].kind == Severed::Kind::unnamed);
  CHECK_FALSE(forgotten.grad().defined());
  CHECK(inspect::unnamed_leaves(loss, {{"forgotten", forgotten}}).size() == 2);  // w and h, by this list
  loss.backward();
  CHECK(severed(loss, model).empty());  // the tape is gone
}

TEST_CASE("unnamed_leaves: a tape that is freed in part, an undefined loss or parameter is an error") {
  const Tensor w = ones({2}).set_requires_grad(), part = exp(w);
  sum(part).backward();
  CHECK_THROWS_WITH_AS(inspect::unnamed_leaves(sum(part * w), {}), "unnamed_leaves: a part of the tape was freed by an earlier backward",
                       GraphError);
  CHECK_THROWS_WITH_AS(inspect::unnamed_leaves(Tensor(), {}), "unnamed_leaves: the loss is undefined", GraphError);
  CHECK_THROWS_WITH_AS(inspect::unnamed_leaves(sum(w), {{"none", Tensor()}}), "unnamed_leaves: parameter 'none' is undefined", GraphError);
}

TEST_CASE("severed: the leaves of a chain of 100,000 ops are found without recursion") {
  const Tensor w = tensor(1).set_requires_grad();
  Tensor y = w + w;
  const std::uint64_t first = y.number();
  for (int i = 0; i < 100'000; ++i) y = y + w;
  const std::vector<Severed> told = inspect::unnamed_leaves(y, {});
  REQUIRE(told.size() == 1);
  CHECK(told[0].str().find(fmt::format("where add at #{} [] read it", first)) != std::string::npos);
}
