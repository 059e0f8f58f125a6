#include "core/io/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/check.h"

namespace gradus::io {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::generic_category().message(errno); }

const std::string& check_name(const std::string& path) {
  check<IoError>(!path.empty(), "a file without a name can be neither read nor written");
  check<IoError>(path.find('\0') == std::string::npos, "{}: the name has a NUL in it, where the system would end it", path.c_str());
  return path;
}

// Through symbolic links, so that a rename replaces the file and not the link to it.
std::string resolve(const std::string& path) {
  fs::path at = path;
  std::error_code failure;  // then what was found so far is used, and opening it tells
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(at, failure)); ++links) {
    at = at.parent_path() / fs::read_symlink(at, failure);
  }
  return at.string();
}

}  // namespace

InputFile::InputFile(const std::string& path) : path_(check_name(path)) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  check<IoError>(status.type() != fs::file_type::not_found, "{}: no such file", path);
  check<IoError>(!failure, "{}: cannot be read: {}", path, failure.message());
  check<IoError>(fs::is_regular_file(status), "{}: not a regular file", path);
  remaining_ = fs::file_size(path, failure);
  check<IoError>(!failure, "{}: cannot be read: {}", path, failure.message());
  stream_.open(path, std::ios::binary);
  check<IoError>(stream_.is_open(), "{}: cannot be opened: {}", path, reason());
}

void InputFile::read(void* target, std::uint64_t bytes) {
  check<IoError>(bytes <= remaining_, "{}: the file is cut short: {} more bytes expected, {} left", path_, bytes, remaining_);
  stream_.read(static_cast<char*>(target), static_cast<std::streamsize>(bytes));
  check<IoError>(stream_.good(), "{}: reading failed; did the file change meanwhile?", path_);
  remaining_ -= bytes;
}

std::string InputFile::read_string(std::uint64_t bytes) {
  check<IoError>(bytes <= remaining_, "{}: the file is cut short: {} more bytes expected, {} left", path_, bytes, remaining_);
  std::string text(bytes, '\0');
  read(text.data(), bytes);
  return text;
}

OutputFile::OutputFile(const std::string& path) : path_(resolve(check_name(path))) {
  std::error_code failure;  // then creating the file tells
  struct stat before = {};
  const bool exists = ::stat(path.c_str(), &before) == 0;
  check<IoError>(!exists || S_ISREG(before.st_mode), "{}: not a regular file; writing would replace it", path);
  check<IoError>(!fs::is_symlink(fs::symlink_status(path_, failure)), "{}: a symbolic link that leads to itself", path);
  for (const auto& [stream, name] : {std::pair{STDOUT_FILENO, "standard output"}, {STDERR_FILENO, "standard error"}}) {
    struct stat there = {};
    const bool same = exists && ::fstat(stream, &there) == 0 && there.st_dev == before.st_dev && there.st_ino == before.st_ino;
    check<IoError>(!same, "{}: the {} goes into this file, which would be replaced", path, name);
  }
  create_temporary();
  if (exists) ::fchmod(descriptor_, before.st_mode & 07777);  // the new file opens to whom the old one did
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

// O_EXCL: a file that is there already belongs to another writer, or to one that crashed.
void OutputFile::create_temporary() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary_ = fmt::format("{}.{}-{}.tmp", path_, ::getpid(), attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return;
    if (errno != EEXIST) break;
  }
  const fs::path folder = fs::path(path_).parent_path();
  std::error_code unknown;
  const bool missing = errno == ENOENT && !folder.empty() && !fs::exists(folder, unknown);
  if (missing) fail(fmt::format("there is no folder {}", folder.string()).c_str());
  fail("a temporary file beside it cannot be created");
}

void OutputFile::write(const void* source, std::uint64_t bytes) {
  const auto* next = static_cast<const char*>(source);
  while (bytes > 0) {
    const auto chunk = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, 1 << 30));
    const ssize_t written = ::write(descriptor_, next, chunk);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("writing failed");
    next += written;
    bytes -= static_cast<std::uint64_t>(written);
  }
}

void OutputFile::finish() {
  if (descriptor_ < 0) return;
  if (::fsync(descriptor_) != 0) fail("writing failed");
  const int closed = ::close(descriptor_);
  descriptor_ = -1;  // even when close reports an error
  if (closed != 0) fail("writing failed");
}

void OutputFile::commit() {
  finish();
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("the finished file cannot take its name");
  temporary_.clear();
}

void write_file(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

void remove_abandoned(const std::string& directory, const std::function<bool(const std::string& name)>& is_ours) {
  std::error_code failure;  // then they stay
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, failure)) {
    const fs::path& path = entry.path();  // as create_temporary makes it: NAME.WRITER-ATTEMPT.tmp
    const std::string numbers = path.stem().extension().string();
    int writer = 0, attempt = 0, length = 0;
    const bool temporary = path.extension() == ".tmp" && std::sscanf(numbers.c_str(), ".%d-%d%n", &writer, &attempt, &length) == 2 &&
                           length == static_cast<int>(numbers.size()) && writer > 0 && is_ours(path.stem().stem().string()) &&
                           fs::is_regular_file(entry.symlink_status(failure));
    if (temporary && ::kill(writer, 0) != 0 && errno == ESRCH) fs::remove(path, failure);
  }
}

void OutputFile::fail(const char* action) const { throw IoError(fmt::format("{}: {}: {}", path_, action, reason())); }

}  // namespace gradus::io
