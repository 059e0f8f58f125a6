#include "core/autograd/vjp.h"

#include <algorithm>
#include <set>

#include "core/autograd/engine.h"
#include "core/tape/record.h"

namespace gradus {
namespace {

// #region inside-alias
// The same values under a new number, one step further on the tape.
Tensor alias(const Tensor& x) {
  return record("alias", x.detach(), {x}, [](const Step& step) { return step.grad; });
}
// #endregion inside-alias

// Are these leaves, each given once? Then none depends on another, and `f` gets them as they are: it may make one a parameter.
// (One with hooks is walked to as an alias, or they would run in this walk and in the outer one.)
bool are_independent(const Tensors& inputs) {
  std::set<std::uint64_t> numbers;
  return std::all_of(inputs.begin(), inputs.end(), [&](const Tensor& x) {
    return !x.defined() || (x.is_leaf() && x.hooks().empty() && numbers.insert(x.number()).second);
  });
}

}  // namespace

// #region inside-vjp
Tensors vjp(const TensorsFunction& f, const Tensors& inputs, const Tensors& seeds, bool create_graph) {
  check<ValueError>(f != nullptr, "vjp: the function is empty");
  const GradMode on(true);
  const bool independent = are_independent(inputs);
  Tensors aliases = inputs, wanted;
  for (Tensor& x : aliases) {
    if (!x.defined() || !is_floating(x.dtype())) continue;
    if (!create_graph || !x.requires_grad()) {
      x = x.detach().set_requires_grad();
    } else if (!independent) {
      x = alias(x);
    }
    wanted.push_back(x);
  }
  const Tensors found = grad(f(aliases), wanted, {.seeds = seeds, .create_graph = create_graph, .allow_unused = true});
  Tensors gradients(inputs.size());
  for (std::size_t i = 0, next = 0; i < inputs.size(); ++i) {
    if (inputs[i].defined() && is_floating(inputs[i].dtype())) gradients[i] = found[next++];
  }
  return gradients;
}
// #endregion inside-vjp

}  // namespace gradus
