#include <algorithm>
#include <map>

#include "core/composites/composites.h"

namespace gradus {
namespace {

using std::string;

bool has(const string& letters, char letter) { return letters.find(letter) != string::npos; }

// The letters of `from` for which keep(letter).
template <typename F> string those(const string& from, F keep) {
  string result;
  std::copy_if(from.begin(), from.end(), std::back_inserter(result), keep);
  return result;
}

// A tensor and a letter for each of its axes.
struct Factor {
  string letters;
  Tensor x;

  // With the axes in this order.
  Tensor in_order(const string& order) const {
    std::vector<int> axes;
    for (const char letter : order) axes.push_back(static_cast<int>(letters.find(letter)));
    return permute(x, axes);
  }
  // The sum over the letters that are not in `kept`.
  Factor summed(const string& kept) const {
    Axes axes;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (!has(kept, letters[i])) axes.push_back(static_cast<int>(i));
    }
    return axes.empty() ? *this : Factor{those(letters, [&](char c) { return has(kept, c); }), sum(x, axes)};
  }
};

// The product of a and b, summed over what they share and is not `kept`, as a product of matrices:
// [both and kept, only a, both] by [both and kept, both, only b].
Factor product(const Factor& a, const Factor& b, const string& kept, const std::map<char, int64_t>& sizes) {
  const auto size_of = [&](const string& letters) {
    int64_t size = 1;
    for (const char c : letters) size *= sizes.at(c);
    return size;
  };
  const string batch = those(a.letters, [&](char c) { return has(b.letters, c) && has(kept, c); });
  const string inner = those(a.letters, [&](char c) { return has(b.letters, c) && !has(kept, c); });
  const string rows = those(a.letters, [&](char c) { return !has(b.letters, c); });
  const string columns = those(b.letters, [&](char c) { return !has(a.letters, c); });
  const Tensor left = reshape(a.in_order(batch + rows + inner), {size_of(batch), size_of(rows), size_of(inner)});
  const Tensor right = reshape(b.in_order(batch + inner + columns), {size_of(batch), size_of(inner), size_of(columns)});
  std::vector<int64_t> shape;
  for (const char c : batch + rows + columns) shape.push_back(sizes.at(c));
  const bool is_dot = rows.empty() && columns.empty() && batch.empty();
  return {batch + rows + columns, is_dot ? dot(flatten(left), flatten(right)) : reshape(matmul(left, right), shape)};
}

// The letters of each factor, and of the result behind them: "ij,jk->ik" gives ij, jk, ik.
std::vector<string> parse(const string& formula) {
  const string text = those(formula, [](char c) { return c != ' '; });
  const auto arrow = text.find("->");
  std::vector<string> parts{""};
  for (const char c : text.substr(0, arrow)) {
    if (c == ',') parts.emplace_back();
    else parts.back() += c;
  }
  string result = arrow == string::npos ? "" : text.substr(arrow + 2);
  if (arrow == string::npos) {
    std::map<char, int64_t> times;
    for (const char c : text) ++times[c];
    for (const auto& [c, count] : times) {
      if (c != ',' && count == 1) result += c;
    }
  }
  parts.push_back(result);
  for (const string& letters : parts) {
    for (const char c : letters) {
      check<ValueError>((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), "einsum: '{}' in \"{}\"; expected letters, as in \"ij,jk->ik\"",
                        c, formula);
      check<ValueError>(std::count(letters.begin(), letters.end(), c) == 1, "einsum: '{}' is twice in \"{}\" of \"{}\"", c, letters,
                        formula);
    }
  }
  return parts;
}

}  // namespace

Tensor einsum(const string& formula, const Tensors& factors) {
  check_defined("factors", factors);
  std::vector<string> letters = parse(formula);
  const string result = letters.back();
  letters.pop_back();
  check<ValueError>(letters.size() == factors.size() && !factors.empty(), "einsum: \"{}\" is for {} tensors, got {}", formula,
                    letters.size(), factors.size());
  const DType dtype = common_dtype(factors);
  check<DTypeError>(is_floating(dtype) || factors.size() == 1, "einsum: needs a floating dtype, got i64; use cast");
  if (dtype == DType::f16) return in_f32(factors, [&](const Tensors& in) { return einsum(formula, in); });
  std::map<char, int64_t> sizes;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    check<ShapeError>(static_cast<int>(letters[i].size()) == factors[i].rank(), "einsum: \"{}\" in \"{}\" has {} letters, but shape {}",
                      letters[i], formula, letters[i].size(), factors[i].shape());
    for (int axis = 0; axis < factors[i].rank(); ++axis) {
      const char c = letters[i][static_cast<std::size_t>(axis)];
      const int64_t size = sizes.emplace(c, factors[i].size(axis)).first->second;
      check<ShapeError>(size == factors[i].size(axis), "einsum: '{}' in \"{}\" is {} and {}", c, formula, size, factors[i].size(axis));
    }
  }
  for (const char c : result) check<ValueError>(sizes.count(c) != 0, "einsum: '{}' in the result of \"{}\" is in no factor", c, formula);
  std::map<char, int64_t> wanted;  // how many of the result and the factors to come have a letter
  for (const char c : result) ++wanted[c];
  std::vector<Factor> rest;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    rest.push_back({letters[i], factors[i]});
    for (const char c : letters[i]) ++wanted[c];
  }
  const auto take = [&](std::vector<Factor>::iterator factor) {
    const Factor taken = *factor;
    for (const char c : taken.letters) --wanted[c];
    rest.erase(factor);
    return taken;
  };
  Factor y = take(rest.begin());
  while (!rest.empty()) {
    const auto letters_with = [&](const Factor& next) {  // of the product with it
      const string both = y.letters + those(next.letters, [&](char c) { return !has(y.letters, c); });
      return those(both, [&](char c) { return wanted[c] > (has(next.letters, c) ? 1 : 0); });
    };
    const auto fewer = [&](const Factor& a, const Factor& b) { return letters_with(a).size() < letters_with(b).size(); };
    const auto best = std::min_element(rest.begin(), rest.end(), fewer);
    const string kept = letters_with(*best);
    check<ShapeError>(kept.size() <= kMaxRank, "einsum: \"{}\" goes through a product with the axes \"{}\", but a tensor has at most {}",
                      formula, kept, kMaxRank);
    const Factor next = take(best);
    y = product(y.summed(kept + next.letters), next.summed(kept + y.letters), kept, sizes);
  }
  return y.summed(result).in_order(result);
}

}  // namespace gradus
