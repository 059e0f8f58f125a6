// Bad calls of tensor.h, of the door to xtensor and of the number of threads.
#include <memory>

#include "core/tensor/xtensor.h"
#include "tests/core/bad_input/rows.h"
#include "tests/support/xtensor_headers.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// Every member that reads or changes a tensor, of an undefined one.
BadCalls undefined_members() {
#define MEMBER(call)                       \
  {                                        \
    #call, [](Tensor& x) { (void)x.call; } \
  }
  const std::vector<std::pair<std::string, std::function<void(Tensor&)>>> members{MEMBER(shape()),
                                                                                  MEMBER(size(0)),
                                                                                  MEMBER(rank()),
                                                                                  MEMBER(numel()),
                                                                                  MEMBER(dtype()),
                                                                                  MEMBER(shares_storage(x)),
                                                                                  MEMBER(data<float>()),
                                                                                  MEMBER(mutable_data<float>()),
                                                                                  MEMBER(bytes()),
                                                                                  MEMBER(mutable_bytes()),
                                                                                  MEMBER(item()),
                                                                                  MEMBER(at({0})),
                                                                                  MEMBER(set({0}, 1)),
                                                                                  MEMBER(fill(1)),
                                                                                  MEMBER(assign(ones({1}))),
                                                                                  MEMBER(requires_grad()),
                                                                                  MEMBER(set_requires_grad()),
                                                                                  MEMBER(is_leaf()),
                                                                                  MEMBER(grad()),
                                                                                  MEMBER(set_grad(ones({1}))),
                                                                                  MEMBER(zero_grad()),
                                                                                  MEMBER(retain_grad()),
                                                                                  MEMBER(add_hook([](const Tensor& g) { return g; })),
                                                                                  MEMBER(detach()),
                                                                                  MEMBER(detach({1})),
                                                                                  MEMBER(detached_copy()),
                                                                                  MEMBER(number()),
                                                                                  MEMBER(version()),
                                                                                  MEMBER(node()),
                                                                                  MEMBER(graph_freed()),
                                                                                  MEMBER(hooks()),
                                                                                  MEMBER(retains_grad()),
                                                                                  MEMBER(sole_owner()),
                                                                                  MEMBER(take_node()),
                                                                                  MEMBER(set_node(nullptr))};
#undef MEMBER
  BadCalls rows;
  for (const auto& [name, call] : members) {
    rows += undefined_row(op_of(name), "this tensor", [f = call] { f(*std::make_unique<Tensor>()); });
  }
  return rows;
}

BadCalls value_rows() {
  Tensor x = ones({2, 3}), whole = ids({1, 2}), leaf = ones({2}).set_requires_grad();
  return keeping({x, whole}, {
                                 REFUSED(dtype, x.data<double>(), "data: the tensor holds f32, not f64"),
                                 REFUSED(dtype, whole.data<float>(), "data: the tensor holds i64, not f32"),
                                 REFUSED(dtype, x.mutable_data<int64_t>(), "mutable_data: the tensor holds f32, not i64"),
                                 REFUSED(shape, x.item(), "item: needs a tensor with one element, got shape [2, 3]"),
                                 REFUSED(shape, zeros({0}).item(), "item: needs a tensor with one element, got shape [0]"),
                                 REFUSED(shape, x.at({0}), "at: 1 indices for shape [2, 3]"),
                                 REFUSED(shape, x.at({}), "at: 0 indices for shape [2, 3]"),
                                 REFUSED(value, x.at({2, 0}), "at: index 2 is out of range for axis 0 of shape [2, 3]"),
                                 REFUSED(value, x.at({0, -4}), "at: index -4 is out of range for axis 1 of shape [2, 3]"),
                                 REFUSED(value, x.at({INT64_MIN, 0}), "at: index -9223372036854775808 is out of range"),
                                 REFUSED(value, x.set({0, 3}, 1), "set: index 3 is out of range for axis 1 of shape [2, 3]"),
                                 REFUSED(shape, x.set({0, 0, 0}, 1), "set: 3 indices for shape [2, 3]"),
                                 REFUSED(dtype, whole.set({0}, 0.5), "set: an i64 tensor cannot hold 0.5"),
                                 REFUSED(dtype, whole.set({0}, 1e19), "set: an i64 tensor cannot hold 1e+19"),
                                 REFUSED(dtype, whole.fill(0.5), "fill: an i64 tensor cannot hold 0.5"),
                                 REFUSED(dtype, whole.fill(kNaN), "fill: an i64 tensor cannot hold nan"),
                                 REFUSED(shape, x.assign(ones({3})), "assign: cannot copy shape [3] into shape [2, 3]"),
                                 undefined_row("assign", "source", [=]() mutable { x.assign(Tensor()); }),
                                 REFUSED(value, whole.assign(tensor({5, kNaN})), "assign: i64 cannot hold nan"),
                                 REFUSED(shape, x.size(2), "shape: axis 2 is out of range for a tensor of 2 axes"),
                                 REFUSED(shape, x.detach({5}), "detach: cannot turn [2, 3] (6 elements) into [5] (5 elements)"),
                                 REFUSED(shape, x.detach({int64_t{1} << 60, int64_t{1} << 60}), "detach: shape [1152921504606846976"),
                                 REFUSED(dtype, (void)x.array<double>(), "data: the tensor holds f32, not f64"),
                                 REFUSED(graph, (void)Tensor().array<float>(), "is undefined: it was never given a value"),
                                 REFUSED(shape, Tensor(xt::xarray<float>(xt::zeros<float>({1, 1, 1, 1, 1, 1, 1}))),
                                         "7 axes, but a tensor has at most 6"),
                                 REFUSED(value, set_num_threads(0), "threads"),
                                 REFUSED(value, set_num_threads(-1), "threads"),
                                 REFUSED(value, set_num_threads(100000), "threads"),
                                 REFUSED(value, run_on_team(int64_t{1} << 32, [](int64_t) {}),
                                         "run_on_team: the number of parts must be in [0, 2³²), got 4294967296"),
                                 REFUSED(value, run_on_team(-1, [](int64_t) {}), "run_on_team: the number of parts must be in"),
                                 REFUSED(value, run_on_team(3, nullptr), "run_on_team: the function is empty"),
                             });
}

}  // namespace

BadCalls gradus::test::tensor_rows() {
  Tensor x = ones({2}), whole = ids({1, 2}), leaf = ones({2}).set_requires_grad(), made = leaf * 2;
  const Tensor other = ones({3}), precise = ones({2}, DType::f64);
  const std::string made_by_op = "this tensor was made by an op on the tape; change a detached copy";
  return keeping(
      {x, whole, leaf, made},
      {
          undefined_members(),
          value_rows(),
          REFUSED(dtype, whole.set_requires_grad(), "set_requires_grad: i64 has no gradient; use f32 or f64"),
          REFUSED(graph, made.set_requires_grad(false), "set_requires_grad: " + made_by_op),
          REFUSED(graph, made.fill(1), "fill: " + made_by_op),
          REFUSED(graph, made.set({0}, 1), "set: " + made_by_op),
          REFUSED(graph, made.assign(x), "assign: " + made_by_op),
          REFUSED(graph, x.assign(made),
                  "assign: the source was made by an op on the tape; use a detached copy, or, to update a parameter, { NoGrad off;"),
          REFUSED(shape, leaf.set_grad(other), "set_grad: a gradient of shape [3] for a tensor of [2]"),
          REFUSED(dtype, leaf.set_grad(precise), "set_grad: a gradient of f64 for a tensor of f32; use cast"),
          REFUSED(graph, leaf.set_grad(made), "set_grad: the gradient (shape [2]) is on the tape"),
          REFUSED(value, leaf.add_hook({}), "add_hook: the hook is an empty function"),
          REFUSED(value, leaf.add_hook(nullptr), "add_hook: the hook is an empty function"),
      });
}
