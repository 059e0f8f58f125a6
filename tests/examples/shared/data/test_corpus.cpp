#include "examples/shared/data/corpus.h"

#include <fstream>

#include "tests/core/io/temporary_directory.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

// 200 bytes, each another: the last 20 are for validation.
TEST_CASE("corpus: the last tenth is for validation, in windows one after the other, targets one place later") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("text.txt");
  std::ofstream file(path, std::ios::binary);
  for (int i = 0; i < 200; ++i) file.put(static_cast<char>(i));
  file.close();
  const Corpus corpus = Corpus::from_file(path, 4);
  CHECK(corpus.train_bytes() == 180);
  CHECK(corpus.validation_bytes() == 20);
  CHECK(corpus.validation_batches(2) == 2);  // four windows of 4 have a target each
  const Batch first = corpus.validation_batch(0, 2), second = corpus.validation_batch(1, 2);
  CHECK(first.inputs.shape() == Shape{2, 4});
  for (int64_t row = 0; row < 2; ++row) {
    for (int64_t t = 0; t < 4; ++t) {
      CHECK(first.inputs.at({row, t}) == 180 + 4 * row + t);
      CHECK(first.targets.at({row, t}) == 181 + 4 * row + t);
      CHECK(second.inputs.at({row, t}) == 188 + 4 * row + t);
    }
  }
}
