#include "examples/shared/data/corpus.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/io/file.h"
#include "examples/shared/data/data.h"
#include "examples/shared/data/memory.h"

namespace gradus::examples {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  try {
    io::InputFile file(path.string());
    const double available = memory_bytes();
    check<IoError>(static_cast<double>(file.remaining()) < available / 2, "{}: has {} bytes, and there are {} bytes of memory",
                   path.string(), file.remaining(), std::llround(available));
    return file.read_string(file.remaining());
  } catch (const IoError& error) {
    throw IoError(std::string("data: ") + error.what());
  }
}

// Writes windows of text, each starting at one of `starts`, as inputs and as targets one place later.
Batch windows(const std::string& text, const std::vector<int64_t>& starts, int64_t context) {
  const Shape shape{static_cast<int64_t>(starts.size()), context};
  Batch batch{Tensor(shape, DType::i64), Tensor(shape, DType::i64)};
  auto *input = batch.inputs.mutable_data<int64_t>(), *target = batch.targets.mutable_data<int64_t>();
  for (int64_t start : starts) {
    for (int64_t t = 0; t < context; ++t) {
      *input++ = static_cast<unsigned char>(text[static_cast<std::size_t>(start + t)]);
      *target++ = static_cast<unsigned char>(text[static_cast<std::size_t>(start + t + 1)]);
    }
  }
  return batch;
}

}  // namespace

Corpus::Corpus(std::string name, const std::string& text, int64_t context) : name_(std::move(name)), context_(context) {
  const std::size_t kept = text.size() / 10, needed = static_cast<std::size_t>(context) + 1;
  check<ValueError>(kept >= needed, "data: {} has {} bytes; a context of {} needs at least {}, as the last tenth is for validation", name_,
                    text.size(), context, 10 * needed);
  train_ = text.substr(0, text.size() - kept);
  validation_ = text.substr(text.size() - kept);
}

Corpus Corpus::from_file(const fs::path& path, int64_t context) { return {path.stem().string(), read_file(path), context}; }

Corpus Corpus::shakespeare(int64_t context) { return from_file(data_file("shakespeare.txt"), context); }

// FNV-1a (Fowler, Noll and Vo, 1991).
std::string Corpus::fingerprint() const {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::string* part : {&train_, &validation_}) {
    for (const char c : *part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return fmt::format("{} bytes, FNV-1a {:016x}", train_bytes() + validation_bytes(), hash);
}

Batch Corpus::random_batch(int64_t batch, Generator& generator) const {
  std::vector<int64_t> starts(static_cast<std::size_t>(batch));
  for (int64_t& start : starts) start = generator.below(train_bytes() - context_);
  return windows(train_, starts, context_);
}

int64_t Corpus::validation_batches(int64_t batch) const {
  const int64_t count = (validation_bytes() - 1) / context_;
  return (count + batch - 1) / batch;
}

Batch Corpus::validation_batch(int64_t index, int64_t batch) const {
  const int64_t count = (validation_bytes() - 1) / context_;
  std::vector<int64_t> starts;
  for (int64_t i = index * batch; i < std::min((index + 1) * batch, count); ++i) starts.push_back(i * context_);
  return windows(validation_, starts, context_);
}

Batch Corpus::spread_validation_batch(int64_t index, int64_t count, int64_t batch) const {
  return validation_batch(index * validation_batches(batch) / count, batch);
}

}  // namespace gradus::examples
