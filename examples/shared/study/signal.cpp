#include "examples/shared/study/signal.h"

#include <cmath>

#include "core/autograd/engine.h"
#include "nn/loss/cross_entropy.h"

namespace gradus::examples {
namespace {

double squared_norm(const Tensor& gradient) { return gradient.defined() ? sum(square(cast(gradient.detach(), DType::f64))).item() : 0; }

double squared_norm(Tensors::const_iterator first, Tensors::const_iterator last) {
  double total = 0;
  for (; first != last; ++first) total += squared_norm(*first);
  return total;
}

double variance(const Tensor& x) { return var(cast(x.detach(), DType::f64), {}, 0).item(); }

// All tensors whose gradients one walk of the tape is to give, and where each group of them ends.
struct Wanted {
  Tensors tensors;
  std::vector<std::ptrdiff_t> ends;

  void add(const Tensors& group) {
    tensors.insert(tensors.end(), group.begin(), group.end());
    ends.push_back(static_cast<std::ptrdiff_t>(tensors.size()));
  }
  std::vector<double> norms(const Tensors& gradients) const {
    std::vector<double> result;
    std::ptrdiff_t begin = 0;
    for (std::ptrdiff_t end : ends) {
      result.push_back(std::sqrt(squared_norm(gradients.begin() + begin, gradients.begin() + end)));
      begin = end;
    }
    return result;
  }
};

}  // namespace

// #region block-gradients
std::vector<LayerSignal> layer_signals(nn::Stack& stack, const Tensor& x, const std::function<Tensor(const Tensor&)>& loss) {
  std::vector<nn::Stream> trace;
  const Tensor start = x.requires_grad() ? x : x.detach().set_requires_grad();
  const Tensor value = loss(stack(start, {.trace = &trace}));

  Wanted wanted;
  for (const nn::Stream& stream : trace) {
    wanted.add(stream.second.defined() ? Tensors{stream.x, stream.second} : Tensors{stream.x});
  }
  for (std::size_t i = 0; i < stack.size(); ++i) wanted.add(stack.block(i).parameters());
  const std::vector<double> norms = wanted.norms(grad({value}, wanted.tensors, {.allow_unused = true}));

  std::vector<LayerSignal> signals;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    signals.push_back({variance(trace[i].x), norms[i], i == 0 ? 0 : norms[trace.size() + i - 1]});
  }
  return signals;
}
// #endregion block-gradients

std::vector<LayerSignal> layer_signals(nn::LanguageModel& model, const Tensor& ids, const Tensor& targets) {
  return layer_signals(model.stack(), model.embed(ids), [&](const Tensor& x) { return nn::cross_entropy(model.logits(x), targets); });
}

}  // namespace gradus::examples
