#include "examples/shared/data/digits.h"

#include "tests/core/io/temporary_directory.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

const std::string kOwn = test::source_root() + "/examples/data/digits.npy";

// What read_digits says of a file with these bytes.
std::string complaint(const std::string& bytes) {
  const TemporaryDirectory directory;
  write_bytes(directory.file("digits.npy"), bytes);
  try {
    read_digits(directory.file("digits.npy"));
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

std::string with_byte(std::string bytes, std::size_t at, char value) {
  bytes[at] = value;
  return bytes;
}

}  // namespace

TEST_CASE("digits: 1,500 and 297 images from 0 to 1, in as many of each class as the source has") {
  const Digits digits = read_digits();
  CHECK(digits.train.images.shape() == Shape{1500, 1, 8, 8});
  CHECK(digits.held_out.images.shape() == Shape{297, 1, 8, 8});
  CHECK(digits.train.images.dtype() == DType::f32);
  CHECK(digits.train.labels.dtype() == DType::i64);
  for (const LabelledImages& part : {digits.train, digits.held_out}) {
    CHECK(part.labels.shape() == Shape{part.images.size(0)});
    CHECK(min(part.images).item() == 0);
    CHECK(max(part.images).item() == 1);
  }
  const Tensor labels = cat({digits.train.labels, digits.held_out.labels}, 0);
  const Tensor classes = sum(one_hot(labels, 10, DType::i64), 0);
  CHECK(equal(classes, tensor({178, 182, 177, 183, 181, 182, 181, 179, 174, 180}, DType::i64)));
}

TEST_CASE("digits: the first image is a 0, the last held-out one an 8, pixel by pixel") {
  const Digits digits = read_digits();
  CHECK(digits.train.labels.at({0}) == 0);
  CHECK(equal(digits.train.images[0][0] * 16, tensor({{0, 0, 5, 13, 9, 1, 0, 0},
                                                      {0, 0, 13, 15, 10, 15, 5, 0},
                                                      {0, 3, 15, 2, 0, 11, 8, 0},
                                                      {0, 4, 12, 0, 0, 8, 8, 0},
                                                      {0, 5, 8, 0, 0, 9, 8, 0},
                                                      {0, 4, 11, 0, 1, 12, 7, 0},
                                                      {0, 2, 14, 5, 10, 12, 0, 0},
                                                      {0, 0, 6, 13, 10, 0, 0, 0}})));
  CHECK(digits.held_out.labels.at({-1}) == 8);
  CHECK(equal(digits.held_out.images[-1][0][0] * 16, tensor({0, 0, 10, 14, 8, 1, 0, 0})));
}

TEST_CASE("digits: a batch is drawn at random, images with their labels, and the same from the same seed") {
  const LabelledImages all = read_digits().held_out;
  Generator random(1), again(1), other(2);
  const LabelledImages batch = random_batch(all, 200, random);
  CHECK(batch.images.shape() == Shape{200, 1, 8, 8});
  const Tensor distances = sum(square(unsqueeze(flatten(batch.images, 1), 1) - unsqueeze(flatten(all.images, 1), 0)), -1);
  const Tensor which = argmin(distances, 1);
  CHECK(max(min(distances, 1)).item() == 0);
  CHECK(equal(index_select(all.labels, 0, which), batch.labels));
  CHECK(sum(sum(one_hot(which, 297), 0) > 0).item() > 120);  // 200 draws hit 146 of 297 or so
  CHECK(equal(random_batch(all, 200, again).images, batch.images));
  CHECK(!equal(random_batch(all, 200, other).images, batch.images));
}

TEST_CASE("digits: a missing, damaged or other file is an IoError that says so") {
  CHECK_THROWS_WITH_AS(read_digits("/no/such/digits.npy"), "digits: cannot read /no/such/digits.npy", IoError);
  const std::string own = read_bytes(kOwn);
  REQUIRE(own.size() == 128 + 1797 * 65);
  CHECK(complaint(own) == "");
  CHECK(mentions(complaint(own.substr(0, own.size() - 1)), "its length is not what its header says"));
  CHECK(mentions(complaint(own + "x"), "its length is not what its header says"));
  CHECK(mentions(complaint(with_byte(own, 128, 17)), "a pixel is above 16, or a label above 9"));
  CHECK(mentions(complaint(with_byte(own, 128 + 64, 10)), "a pixel is above 16, or a label above 9"));
  CHECK(mentions(complaint(with_byte(own, own.find("1797"), '9')), "its length is not what its header says"));
  CHECK(mentions(complaint(""), "is damaged, or another file"));
  CHECK(mentions(complaint("id,digit\n0,1\n"), "examples/data/README.md says where it comes from"));
  std::string transposed = own;
  transposed.replace(transposed.find("1797, 65"), 8, "65, 1797");
  CHECK(mentions(complaint(transposed), "expected an array [1797, 65]"));
}
