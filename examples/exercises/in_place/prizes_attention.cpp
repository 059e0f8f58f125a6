#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/exercises/in_place/learned.h"
#include "examples/exercises/in_place/prizes.h"
#include "examples/exercises/in_place/put.h"
#include "examples/exercises/set/functions.h"
#include "examples/shared/report/printable.h"

namespace gradus::exercises::prizes {
namespace {

// All of these that the model has seen, one below the other.
Tensor all_called(const Seen& seen, const std::string& name) {
  Tensors found;
  for (const auto& [each, x] : seen) {
    if (each == name) found.push_back(x);
  }
  return stack(found);
}

// P of one head, [T, T]: what attention makes of the rows of 1.
Tensor weights(const Function& attention, const Tensor& q, const Tensor& k) {
  return called(attention, {array_of("q", q), array_of("k", k), array_of("v", eye(q.size(0), -1, DType::f64))})[0];
}

// A row for each byte that asks.
std::string map_of(const Tensors& maps) {
  std::string text;
  for (int64_t i = 0; i < maps[0].size(0); ++i) {
    text += fmt::format("  {}  ", shown_byte(kLine[static_cast<std::size_t>(i)]));
    for (const Tensor& p : maps) {
      for (int64_t j = 0; j < p.size(1); ++j) text += shade(2 * p[i][j].item(), maps.size() == 1 ? 2 : 1);
      text += "   ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

double seconds_to_write(LanguageModel& model, int count, std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  text = model.write(count, 0.7);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string sinusoids(const Functions& mine) {
  const Tensor waves = called(mine[1], {array_of("x", zeros({24, 32}, DType::f64)), number("texts", 1), number("base", 10000)})[0];
  std::string text = "Your waves: a row for each of 24 positions, a column for each of 32 channels.\n\n";
  for (int64_t i = 0; i < 24; ++i) {
    text += fmt::format("  {:2}  ", i);
    for (int64_t j = 0; j < 32; ++j) text += shade((waves[i][j].item() + 1) / 2);
    text += "\n";
  }
  return text;
}

std::string rope(const Functions& mine) {
  Parts parts;
  put::rope(parts, mine);
  const Tensor x = expand(ones({1, 16}, DType::f64), {16, 16}) / 4;
  const auto scores = [&](int64_t from) {
    const Tensor turned = parts.rope(x, arange(from, from + 16));
    return matmul(turned, slice(turned, 0, 0, 1), {.transpose_b = true});
  };
  const Tensor near = scores(0), far = scores(1000);
  std::string text =
      "The score of a query with a key of the same numbers, turned by your function:\n"
      "it knows how far apart they are, and not where.\n\n  distance   from 0   from 1000\n";
  for (int64_t i = 0; i < 16; ++i)
    text += fmt::format("  {:8} {:8.4f} {:11.4f}  {}\n", i, near[i].item(), far[i].item(), bar(near[i].item()));
  return text;
}

std::string alibi(const Functions& mine) {
  const Tensor slopes = flatten(called(mine[0], {number("H", 8)})[0]);
  std::string text =
      "How much each of 8 heads sees of keys 0 to 31 places back, if all scores\n"
      "are alike: by your slopes.\n\n";
  for (int64_t h = 0; h < 8; ++h) {
    text += fmt::format("  {:.4f}  ", slopes[h].item());
    for (int d = 0; d < 32; ++d) text += shade(std::exp(-slopes[h].item() * d));
    text += "\n";
  }
  return text;
}

std::string attention(const Functions& mine) {
  const auto model = learned();
  const Seen seen = model->seen_in(kLine);
  const Tensor q = all_called(seen, "block 1, the queries' positions")[0], k = all_called(seen, "block 1, the keys' positions")[0];
  std::string text =
      "Whom each byte of a line asks: your attention, in a GPT of 300 steps,\n"
      "head 1. The byte at the left asks those above it and itself.\n\n     ";
  for (const char byte : kLine) text += shown_byte(byte) + " ";
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n" + map_of({weights(mine[0], q, k)});
}

std::string attention_gradient(const Functions& mine) {
  const auto model = learned();
  const Seen seen = model->seen_in(kLine);
  const Tensor q = all_called(seen, "block 1, the queries' positions")[0], k = all_called(seen, "block 1, the keys' positions")[0];
  Generator random(1);
  const Tensor v = randn(k.shape(), DType::f64, random), last = reshape(cast(arange(q.size(0)) == q.size(0) - 1, DType::f64), {-1, 1});
  const Tensor g = last * randn({1, v.size(1)}, DType::f64, random);
  const Tensors back = called(mine[0], {array_of("q", q), array_of("k", k), array_of("v", v), array_of("g", g)});
  const Tensor of_k = sqrt(sum(square(back[1]), {1})), of_v = sqrt(sum(square(back[2]), {1}));
  const double most_k = max(of_k).item(), most_v = max(of_v).item();
  std::string text =
      "A gradient comes to the last byte of a line. How much your function hands to\n"
      "each byte's value, and to its key:\n\n       value                    key\n";
  for (int64_t i = 0; i < q.size(0); ++i) {
    const double value = of_v[i].item() / most_v, key = of_k[i].item() / most_k;
    text += fmt::format("  {}  {:.3f} {:<18} {:.3f} {}\n", shown_byte(kLine[static_cast<std::size_t>(i)]), value, bar(value, 18), key,
                        bar(key, 18));
  }
  return text;
}

std::string heads(const Functions& mine) {
  GptParts parts;
  for (Parts* each : {&parts.whole, &parts.pieces}) put::heads(*each, mine);
  const auto model = learned(parts);
  const Seen seen = model->seen_in(kLine);
  const Tensor q = all_called(seen, "block 1, the queries' positions"), k = all_called(seen, "block 1, the keys' positions");
  const Function right = right_functions("attention")[0];
  return "Two heads, apart by your function, look at one line and see other bytes:\n\n" +
         map_of({weights(right, q[0], k[0]), weights(right, q[1], k[1])});
}

std::string kv_cache(const Functions& mine) {
  GptParts with;
  for (Parts* each : {&with.whole, &with.pieces}) put::kv_cache(*each, mine);
  const auto cached = learned(with), without = learned();
  std::string text =
      "A GPT reads its text anew for each byte; or keeps keys and values by your\nfunction.\n\n"
      "  bytes   without   with it   ms a byte\n";
  std::string anew, kept;
  for (const int count : {50, 100, 200, 400}) {
    const double slow = seconds_to_write(*without, count, anew), fast = seconds_to_write(*cached, count, kept);
    text += fmt::format("  {:5} {:9.2f} {:9.2f}   {:.1f} times as fast, {}\n", count, 1000 * slow / count, 1000 * fast / count, slow / fast,
                        anew == kept ? "the same text" : "and another text");
  }
  return text + "\n" + examples::printable(kept.substr(0, 76)) + "\n";
}

std::string cross_attention(const Functions& mine) {
  constexpr int64_t kPlaces = 8;
  const std::string word = "stressed";
  const Tensor places = 12 * eye(kPlaces, -1, DType::f64), letters = eye(26, -1, DType::f64);
  std::vector<int64_t> ids, back;
  for (int64_t i = 0; i < kPlaces; ++i) ids.push_back(word[static_cast<std::size_t>(i)] - 'a'), back.push_back(kPlaces - 1 - i);
  // A row of the source is its place and its letter; one of the target the place that it wants.
  const Tensor memory = cat({places, index_select(letters, 0, from_vector(ids, {kPlaces})), zeros({kPlaces, 30}, DType::f64)}, 1);
  const Tensor wanted = cat({index_select(places, 0, from_vector(back, {kPlaces})), zeros({kPlaces, 56}, DType::f64)}, 1);
  const Tensor same = eye(64, -1, DType::f64);
  const Tensor y = own<set::CrossAttention>(mine[0])(wanted, memory, same, same, same, same, ones({kPlaces}, DType::i64), 1);
  const Tensor said = argmax(slice(y, 1, kPlaces, kPlaces + 26), 1);
  std::string text = fmt::format("Each target asks the source, from its last place on: {} becomes ", word);
  for (int64_t i = 0; i < kPlaces; ++i) text += static_cast<char>('a' + said.data<int64_t>()[i]);
  text += ".\n\n";
  for (int64_t i = 0; i < kPlaces; ++i) {
    text += "  ";
    for (int64_t j = 0; j < kPlaces; ++j) text += shade(y[i][j].item() / 12);
    text += "\n";
  }
  return text;
}

}  // namespace

const Table& of_attention() {
  static const Table all = {{"sinusoids", sinusoids},
                            {"rope", rope},
                            {"alibi", alibi},
                            {"attention", attention},
                            {"attention-gradient", attention_gradient},
                            {"heads", heads},
                            {"kv-cache", kv_cache},
                            {"cross-attention", cross_attention}};
  return all;
}

}  // namespace gradus::exercises::prizes
