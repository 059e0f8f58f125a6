#include "examples/shared/report/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>

#include "core/check.h"
#include "core/io/file.h"
#include "core/machine/threads.h"
#include "examples/shared/report/printable.h"
#include "examples/shared/report/read_json.h"
#include "examples/shared/report/signals.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {

namespace fs = std::filesystem;

void say(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  check<IoError>(written, "the standard output could not be written: {}", std::strerror(errno));
}

void note(const std::string& text) { std::fputs((printable(text) + "\n").c_str(), stderr); }

int complain(const std::string& program, const std::string& text, int status) {
  note(program + ": " + text);
  return status;
}

int complain(const std::string& program, const std::exception& error, int status) {
  const auto* of_files = dynamic_cast<const fs::filesystem_error*>(&error);
  if (of_files == nullptr) return complain(program, std::string(error.what()), status);
  return complain(program, of_files->path1().string() + ": " + of_files->code().message(), status);
}

void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) == -1) [[maybe_unused]]
      const int taken = ::open("/dev/null", O_RDONLY);
  }
  for (const int signal : {SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_IGN);
}

std::string command_of(const std::string& name, int argc, char** argv) {
  std::string command = "./examples/run " + name;
  for (int i = 1; i < argc; ++i) command += " " + quoted_for_shell(argv[i]);
  return command;
}

std::string machine_text() {
  std::string model = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) model = line.substr(line.find(": ") + 2);
  }
  return fmt::format("{}, {} thread{}", model, num_threads(), num_threads() == 1 ? "" : "s");
}

namespace {

bool stands_in(const fs::path& directory, const Landmark& landmark) {
  std::error_code error;  // then it does not
  const fs::path path = directory / landmark.file;
  if (!fs::is_regular_file(path, error)) return false;
  if (landmark.keys.empty()) return true;
  io::InputFile file(path.string());
  return has_keys(read_json(file.read_string(file.remaining())), landmark.keys);
}

}  // namespace

void open_directory(const fs::path& directory, const std::vector<std::string>& files, const std::vector<Landmark>& known_by) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (!error && ::access(directory.c_str(), W_OK | X_OK) != 0) error.assign(errno, std::generic_category());
  check<IoError>(!error, "--out: cannot write into {}: {}", directory.string(), error.message());
  const auto missing =
      std::find_if_not(known_by.begin(), known_by.end(), [&](const Landmark& landmark) { return stands_in(directory, landmark); });
  for (const std::string& file : files) {
    const bool there = fs::symlink_status(directory / file, error).type() != fs::file_type::not_found;
    if (missing == known_by.end() || !there) continue;
    const std::string why =
        file == missing->file ? "and is not this program's" : fmt::format("but not the {} that this program leaves with it", missing->file);
    throw IoError(fmt::format("--out: {} is there already, {}; choose another directory", (directory / file).string(), why));
  }
  io::remove_abandoned(directory.string(), [&](const std::string& name) {
    return std::count(files.begin(), files.end(), name) > 0 ||
           std::any_of(known_by.begin(), known_by.end(), [&](const Landmark& landmark) { return landmark.file == name; });
  });
}

void write_together(const std::vector<std::pair<fs::path, std::string>>& files) {
  std::vector<std::unique_ptr<io::OutputFile>> open;
  for (const auto& [path, text] : files) {
    open.push_back(std::make_unique<io::OutputFile>(path.string()));
    open.back()->write(text.data(), text.size());
    open.back()->finish();
  }
  const struct Uninterrupted {  // all, or none
    Uninterrupted() { ignore_interrupts(); }
    ~Uninterrupted() { obey_interrupts(); }
  } renaming;
  for (const auto& file : open) file->commit();
}

}  // namespace gradus::examples
