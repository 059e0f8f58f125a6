#include "examples/exercises/in_place/digits_net.h"

#include <fmt/format.h>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/shared/data/digits.h"
#include "nn/activation/relu.h"
#include "nn/loss/cross_entropy.h"
#include "nn/norm/batch_norm.h"

namespace gradus::exercises {
namespace {

class DigitsNet : public Learner {
 public:
  explicit DigitsNet(const Functions& norms) : norms_(norms), digits_(examples::read_digits()) {
    make("the hidden weights", {64, kUnits}, 0.2);
    make("the gain", 1 + zeros({1, kUnits}, DType::f64));
    make("the bias", zeros({1, kUnits}, DType::f64));
    make("the outer weights", {kUnits, 10}, 0.3);
  }

  Tensor loss() override {
    const examples::LabelledImages batch = examples::random_batch(digits_.train, kSamples, batches_);
    const Tensor h = see("before the norm", matmul(pixels_of(batch), value(0)));
    return see("the loss", nn::cross_entropy(scores_of(see("after the norm", normed(h))), batch.labels));
  }

  void end(Training& training) const {
    const NoGrad off;
    training.ended = {{"the running mean", mean_}, {"the running variance", variance_}};
    const Array x = array_of("x", matmul(pixels_of(digits_.held_out), value(0)));
    const Tensors y = called(norms_[1], {x, array_of("mean", mean_), array_of("variance", variance_), array_of("gain", value(1)),
                                         array_of("bias", value(2)), number("eps", 1e-5)});
    const Tensor scores = scores_of(y[0]);
    training.ended.emplace_back("the scores in eval", scores);
    const double right = mean(cast(argmax(scores) == digits_.held_out.labels, DType::f64)).item();
    training.remarks = {fmt::format("of {} other digits, in eval, {:.0f} % are recognised", scores.size(0), 100 * right)};
  }

 private:
  static constexpr int64_t kSamples = 16, kUnits = 12;

  static Tensor pixels_of(const examples::LabelledImages& from) { return cast(reshape(from.images, {-1, 64}), DType::f64); }
  Tensor scores_of(const Tensor& y) const { return matmul(nn::act::relu(y), value(3)); }

  Tensor normed(const Tensor& h) {
    const Tensors after = called(norms_[0], {array_of("x", h), array_of("gain", value(1)), array_of("bias", value(2)), number("eps", 1e-5),
                                             number("momentum", 0.1), array_of("mean", mean_), array_of("variance", variance_),
                                             number("samples", kSamples)});
    mean_ = after[1];
    variance_ = after[2];
    return own_value("batch_norm", after[0], {h, value(1), value(2)}, [](const Tensors& in) {
      return Tensors{nn::batch_norm(in[0], flatten(in[1]), flatten(in[2]), 1e-5)};
    });
  }

  Functions norms_;
  examples::Digits digits_;
  Generator batches_{1};
  Tensor mean_ = zeros({1, kUnits}, DType::f64), variance_ = ones({1, kUnits}, DType::f64);
};

}  // namespace

Training train_digits_net(const Functions& norms, int steps, const Tell& tell) {
  DigitsNet net(norms);
  Training training = train(net, library_descent(), steps, tell);
  net.end(training);
  return training;
}

}  // namespace gradus::exercises
