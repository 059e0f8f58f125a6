// Corpus: a text as bytes, its last tenth kept for validation.
#pragma once

#include <filesystem>
#include <string>

#include "core/core.h"

namespace gradus::examples {

struct Batch {
  Tensor inputs;   // [B, T] ids
  Tensor targets;  // [B, T] the ids one place later
};

class Corpus {
 public:
  // IoError when the file cannot be read; ValueError when it is too short for one window of context + 1 bytes in
  // either part.
  static Corpus from_file(const std::filesystem::path& path, int64_t context);
  // The text that every clone has: some of Shakespeare's plays, examples/data/shakespeare.txt.
  static Corpus shakespeare(int64_t context);

  Batch random_batch(int64_t batch, Generator& generator) const;  // windows drawn from the training part
  // Non-overlapping windows of the validation part, `batch` at a time.
  int64_t validation_batches(int64_t batch) const;
  Batch validation_batch(int64_t index, int64_t batch) const;
  // The index-th of `count` such batches that are spread over the whole part.
  Batch spread_validation_batch(int64_t index, int64_t count, int64_t batch) const;

  const std::string& name() const { return name_; }
  std::string fingerprint() const;  // changes with the text: its size and a hash, in words
  const std::string& train_text() const { return train_; }
  const std::string& validation_text() const { return validation_; }
  int64_t train_bytes() const { return static_cast<int64_t>(train_.size()); }
  int64_t validation_bytes() const { return static_cast<int64_t>(validation_.size()); }

 private:
  Corpus(std::string name, const std::string& text, int64_t context);

  std::string name_;
  std::string train_, validation_;
  int64_t context_;
};

}  // namespace gradus::examples
