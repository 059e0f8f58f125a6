#include "examples/exercises/in_place/lstm_model.h"

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/shared/data/corpus.h"
#include "nn/loss/cross_entropy.h"

namespace gradus::exercises {
namespace {

class LstmModel : public Learner {
 public:
  explicit LstmModel(const Functions& cell) : cell_(cell), plays_(examples::Corpus::shakespeare(kLength)) {
    table_ = make("the table", {256, kIn}, 0.3);
    w_ = make("W", {4 * kHidden, kIn}, 0.3);
    u_ = make("U", {4 * kHidden, kHidden}, 0.3);
    b_ = make("b", {1, 4 * kHidden}, 0.1);
    out_ = make("the out weights", {kHidden, 256}, 0.2);
  }

  Tensor loss() override {
    const examples::Batch batch = plays_.random_batch(kTexts, batches_);
    const Tensor nothing = zeros({kTexts, kHidden}, DType::f64);
    Tensors states, state = {nothing, nothing};
    for (int64_t t = 0; t < kLength; ++t) {
      const Tensor x = index_select(value(table_), 0, reshape(slice(batch.inputs, 1, t, t + 1), {kTexts}));
      state = split(see("h and c after a byte", step(x, state[0], state[1])), kHidden, 1);
      states.push_back(state[0]);
    }
    const Tensor scores = matmul(see("all h", reshape(stack(states, 1), {kTexts * kLength, kHidden})), value(out_));
    return see("the loss", nn::cross_entropy(scores, flatten(batch.targets)));
  }

 private:
  static constexpr int64_t kTexts = 4, kLength = 12, kIn = 12, kHidden = 16;

  // [h', c'], [B, 2 · hidden].
  Tensor step(const Tensor& x, const Tensor& h, const Tensor& c) const {
    const Tensors inputs = {x, h, c, value(w_), value(u_), value(b_)};
    const char* const names[] = {"x", "h", "c", "w", "u", "b"};
    std::vector<Array> arrays;
    for (std::size_t i = 0; i < inputs.size(); ++i) arrays.push_back(array_of(names[i], inputs[i]));
    return record_joint("lstm_step", cat(called(cell_[0], arrays), 1), inputs, [gradient = cell_[1]](const Step& s) { return back_by(gradient, s); });
  }

  // The gradients of x, h, c, W, U and b.
  static Tensors back_by(const Function& gradient, const Step& s) {
    const Tensor x = s.input(0), h = s.input(1), w = s.input(3), u = s.input(4);
    const Tensors g = split(s.grad, kHidden, 1);
    const Tensor a = matmul(x, transpose(w)) + matmul(h, transpose(u)) + s.input(5);
    const Tensors back = called(gradient, {array_of("a", a), array_of("c", s.input(2)), array_of("g", g[0]), array_of("gc", g[1])});
    const Tensor &da = back[0], &dc = back[1];
    return {matmul(da, w), matmul(da, u), dc, matmul(transpose(da), x), matmul(transpose(da), h), sum(da, {0}, true)};
  }

  Functions cell_;
  examples::Corpus plays_;
  Generator batches_{1};
  std::size_t table_ = 0, w_ = 0, u_ = 0, b_ = 0, out_ = 0;
};

}  // namespace

Training train_lstm_model(const Functions& cell, int steps, const Tell& tell) {
  LstmModel model(cell);
  return train(model, library_descent(), steps, tell);
}

}  // namespace gradus::exercises
