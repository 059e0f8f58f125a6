#include "examples/shared/data/digits.h"

#include <algorithm>
#include <fstream>
#include <vector>

#include "examples/shared/data/data.h"
#include "examples/shared/data/xtensor.h"

namespace gradus::examples {
namespace {

constexpr std::size_t kImages = 1797, kPixels = 64;
constexpr int64_t kTrain = 1500;

using Rows = xt::xarray<std::uint8_t>;  // [1797, 65]: an image's pixels, 0 … 16, then its digit

// xtensor's reader does not notice where a file ends; its length tells.
Rows read_rows(std::istream& file) {
  const Rows rows = xt::load_npy<std::uint8_t>(file);
  check<IoError>(file.good() && file.peek() == std::istream::traits_type::eof(), "its length is not what its header says");
  check<IoError>(rows.shape() == Rows::shape_type{kImages, kPixels + 1}, "expected an array [{}, {}]", kImages, kPixels + 1);
  check<IoError>(xt::amax(xt::view(rows, xt::all(), xt::range(0, kPixels)))() <= 16 && xt::amax(xt::view(rows, xt::all(), kPixels))() <= 9,
                 "a pixel is above 16, or a label above 9");
  return rows;
}

LabelledImages part(const LabelledImages& all, int64_t from, int64_t to) {
  return {slice(all.images, 0, from, to), slice(all.labels, 0, from, to)};
}

}  // namespace

Digits read_digits(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  check<IoError>(file.good(), "digits: cannot read {}", path.string());
  Rows rows;
  try {
    rows = read_rows(file);
  } catch (const std::exception& problem) {
    throw IoError(fmt::format("digits: {} is damaged, or another file: {}; examples/data/README.md says where it comes from", path.string(),
                              problem.what()));
  }
  const Tensor pixels(xt::cast<float>(xt::view(rows, xt::all(), xt::range(0, kPixels))) / 16.0f);
  const LabelledImages all{reshape(pixels, {-1, 1, 8, 8}), Tensor(xt::cast<int64_t>(xt::view(rows, xt::all(), kPixels)))};
  return {part(all, 0, kTrain), part(all, kTrain, kToEnd)};
}

Digits read_digits() { return read_digits(data_file("digits.npy")); }

LabelledImages random_batch(const LabelledImages& from, int64_t size, Generator& generator) {
  const Tensor chosen = randint(0, from.labels.size(0), {size}, generator);
  return {index_select(from.images, 0, chosen), index_select(from.labels, 0, chosen)};
}

double one_pixel_loss(DigitsPart measured) {
  constexpr std::size_t shades = 17, answers = 10;
  constexpr double added = 0.1;
  const Digits digits = read_digits();
  const LabelledImages &counted = digits.train, &asked = measured == DigitsPart::train ? digits.train : digits.held_out;
  const auto pairs = [](const LabelledImages& part, std::size_t pixel) {  // shade and digit of each image
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (std::size_t i = 0; i < static_cast<std::size_t>(part.labels.numel()); ++i) {
      const float ink = part.images.data<float>()[i * kPixels + pixel];
      all.emplace_back(std::lround((shades - 1) * ink), part.labels.data<int64_t>()[i]);
    }
    return all;
  };
  double least = HUGE_VAL;
  for (std::size_t pixel = 0; pixel < kPixels; ++pixel) {
    std::vector<double> of_both(shades * answers, added), of_shade(shades, answers * added);
    for (const auto& [shade, digit] : pairs(counted, pixel)) ++of_both[shade * answers + digit], ++of_shade[shade];
    double sum = 0;
    for (const auto& [shade, digit] : pairs(asked, pixel)) sum -= std::log(of_both[shade * answers + digit] / of_shade[shade]);
    least = std::min(least, sum / static_cast<double>(asked.labels.numel()));
  }
  return least;
}

}  // namespace gradus::examples
