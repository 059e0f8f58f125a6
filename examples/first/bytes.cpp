// bytes: which byte comes next? Counting pairs answers, and a matrix learns to answer as well.
#include <fmt/core.h>

#include "core/core.h"
#include "text.h"

using namespace gradus;

// [256, 256]: in row i, the share of each byte among those that follow byte i.
Tensor count_pairs(const Tensor& pairs) {
  Tensor counts = reshape(index_add(zeros({256 * 256}), 0, pairs, ones(pairs.shape())), {256, 256});
  return counts / maximum(sum(counts, 1, true), 1);
}

Tensor softmax(const Tensor& x) { return exp(x - logsumexp(x, -1, true)); }  // [act-softmax]

// -log of the probability that softmax(scores) gives to the target, averaged.  [loss-cross-entropy]
Tensor cross_entropy(const Tensor& scores, const Tensor& target) {
  return mean(logsumexp(scores, -1, true) - gather(scores, -1, unsqueeze(target, -1)));
}

int main(int argc, char** argv) {
  Tensor text = first::read_text(argc, argv);
  Tensor pairs = 256 * slice(text, 0, 0, -1) + slice(text, 0, 1);  // each byte with the next, as one number
  Tensor counted = count_pairs(pairs);
  fmt::print("guessing: {:.3f} nats a byte\n", log(tensor(256)));
  fmt::print("counting pairs: {:.3f}\n", -mean(log(take(counted, pairs))));

  Tensor table = zeros({256, 256}).set_requires_grad();  // row i: the scores of each byte that may follow byte i
  for (int step = 0; step <= 16000; ++step) {
    Tensor piece = first::windows(text, 1024, 2);
    Tensor scores = index_select(table, 0, select(piece, 1, 0));  // [model-embedding]
    Tensor loss = cross_entropy(scores, select(piece, 1, 1));
    loss.backward();

    NoGrad off;
    table -= (step < 12000 ? 20 : 2) * table.grad();  // long steps first; short ones settle
    table.zero_grad();
    if (step % 4000 == 0) fmt::print("step {:5}: {:.3f}\n", step, -mean(log(take(softmax(table), pairs))));
  }
  for (const char* pair : {"qu", "th", "e "}) {
    Tensor place = tensor(256 * pair[0] + pair[1], DType::i64);
    fmt::print("after '{}' a '{}': counted {:.3f}, learned {:.3f}\n", pair[0], pair[1], take(counted, place), take(softmax(table), place));
  }
}
