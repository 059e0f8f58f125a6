// einsum of many factors: in which order they are multiplied, and how long it takes to refuse a long text.
#include <chrono>

#include "core/composites/composites.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("einsum: factors that do not meet until later need no product of all their axes") {
  const Tensor x = draw({2, 3, 2, 2}, 1), y = draw({2, 2, 3, 2}, 2), ae = draw({2, 2}, 3), bf = draw({3, 2}, 4), cg = draw({2, 3}, 5),
               dh = draw({2, 2}, 6);
  double expected = 0;
  for (int64_t i = 0; i < 2 * 3 * 2 * 2; ++i) {
    const int64_t a = i / 12, b = i / 4 % 3, c = i / 2 % 2, d = i % 2;
    for (int64_t j = 0; j < 2 * 2 * 3 * 2; ++j) {
      const int64_t e = j / 12, f = j / 6 % 2, g = j / 2 % 3, h = j % 2;
      expected += x.at({a, b, c, d}) * y.at({e, f, g, h}) * ae.at({a, e}) * bf.at({b, f}) * cg.at({c, g}) * dh.at({d, h});
    }
  }
  CHECK(einsum("abcd,efgh,ae,bf,cg,dh->", {x, y, ae, bf, cg, dh}).item() == doctest::Approx(expected));
  const Tensor four = ones({1, 1, 1, 1});
  CHECK_THROWS_WITH_AS(einsum("abcd,efgh->abcdefgh", {four, four}), doctest::Contains("einsum: "), ShapeError);
  CHECK_THROWS_WITH_AS(einsum("abcd,efgh,aebfcgdh->", {four, four, four}), doctest::Contains("einsum: "), ShapeError);
}

TEST_CASE("einsum: a long text is refused in the time that it takes to read it") {
  const auto begun = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(einsum(std::string(300'000, 'a'), {ones({2})}), ValueError);
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "a,";
  CHECK_THROWS_AS(einsum(many, {ones({2})}), ValueError);
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(3));
}

TEST_CASE("einsum: without an arrow, the letters that occur once, in the order of the alphabet") {
  const Tensor x = draw({2, 3}, 1), y = draw({3, 4}, 2);
  CHECK(difference(einsum("cb,ba", {x, y}), transpose(matmul(x, y)), 1e-12) == "");
  CHECK(einsum("ij,ij", {x, x}).item() == doctest::Approx(sum(square(x)).item()));
}
