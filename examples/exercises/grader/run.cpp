#include "examples/exercises/grader/run.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "core/check.h"

namespace gradus::exercises {
namespace {

constexpr int kSeconds = 10;
constexpr rlim_t kMemory = rlim_t{4} << 30;
constexpr std::size_t kPrinted = 2000;  // characters that are kept
constexpr int kResults = 3;             // where the process apart writes

// What goes from one process to the other, as bytes.
class Writer {
 public:
  template <typename T> void put(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  void put(const Array& array) {
    put(array.name);
    put(array.shape.size());
    for (int size : array.shape) put(size);
    put(array.numbers.size());
    for (double value : array.numbers) put(value);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  bool empty() const { return at_ == bytes_.size(); }
  template <typename T> T get() {
    T value;
    if (bytes_.size() - at_ < sizeof value) throw std::runtime_error("cut off");
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string text() {
    const auto size = get<std::size_t>();
    if (bytes_.size() - at_ < size) throw std::runtime_error("cut off");
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  Array array() {
    Array array{text(), {}, {}};
    for (auto n = get<std::size_t>(); n > 0; --n) array.shape.push_back(get<int>());
    for (auto n = get<std::size_t>(); n > 0; --n) array.numbers.push_back(get<double>());
    return array;
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

std::string serialized(const Run& run) {
  Writer writer;
  writer.put(run.outputs.size());
  for (const Outputs& outputs : run.outputs) {
    writer.put(outputs.size());
    for (const Array& array : outputs) writer.put(array);
  }
  writer.put(run.end);
  writer.put(run.detail);
  return writer.bytes();
}

void parse(const std::string& bytes, Run& run) {
  Reader reader(bytes);
  for (auto n = reader.get<std::size_t>(); n > 0; --n) {
    Outputs& outputs = run.outputs.emplace_back();
    for (auto m = reader.get<std::size_t>(); m > 0; --m) outputs.push_back(reader.array());
  }
  run.end = reader.get<Run::End>();
  run.detail = reader.text();
}

std::string name_of(int signal) {
  switch (signal) {
    case SIGSEGV: return "a read or write outside of memory (SIGSEGV)";
    case SIGFPE: return "a division of a whole number by 0 (SIGFPE)";
    case SIGABRT: return "abort() (SIGABRT)";
    case SIGKILL: return "too much memory or time (SIGKILL)";
    default: return ::strsignal(signal);
  }
}

void write_all(int file, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::write(file, bytes.data() + at, bytes.size() - at);
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

// Two pipes' contents, until both are closed or the time is over; of the second no more than is kept.
bool drained(int results, int terminal, std::string& bytes, std::string& printed) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(kSeconds);
  pollfd files[] = {{results, POLLIN, 0}, {terminal, POLLIN, 0}};
  char buffer[65536];
  while (files[0].fd >= 0 || files[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    if (::poll(files, 2, static_cast<int>(left)) <= 0) continue;
    for (pollfd& file : files) {
      if (file.fd < 0 || file.revents == 0) continue;
      const ssize_t n = ::read(file.fd, buffer, sizeof buffer);
      if (n <= 0) {
        file.fd = -1;
      } else if (&file == files) {
        bytes.append(buffer, static_cast<std::size_t>(n));
      } else if (printed.size() < kPrinted) {
        printed.append(buffer, std::min(static_cast<std::size_t>(n), kPrinted - printed.size()));
      }
    }
    if (files[0].fd < 0) break;  // what it still prints does not matter
  }
  return true;
}

}  // namespace

Run run_here(const Function& function, const std::vector<Probe>& probes) {
  Run run;
  try {
    for (const Probe& probe : probes) {
      Probe given = probe;
      run.outputs.push_back(function(given));
      for (std::size_t i = 0; i < probe.inputs.size(); ++i) {
        if (!(given.inputs[i] == probe.inputs[i])) throw InputChanged{probe.inputs[i].name};
      }
    }
  } catch (const NotWritten&) {
    run.end = Run::End::not_written;
  } catch (const WroteOutside& outside) {
    run.end = Run::End::wrote_outside;
    run.detail = outside.array;
  } catch (const InputChanged& changed) {
    run.outputs.pop_back();
    run.end = Run::End::changed_input;
    run.detail = changed.array;
  } catch (const WrongShape& shape) {
    run.end = Run::End::wrong_shape;
    run.detail = shape.array + " has the shape " + shape.got + ", expected " + shape.expected;
  } catch (const GradientCut& cut) {
    run.end = Run::End::gradient_cut;
    run.detail = cut.array;
  } catch (const std::exception& error) {
    run.end = Run::End::threw;
    run.detail = error.what();
  } catch (...) {
    run.end = Run::End::threw;
    run.detail = "something that is no std::exception";
  }
  return run;
}

int be_apart(const std::string& library, const std::string& id, std::size_t stage) {
  Run run;
  const Exercise& one = exercise(id);
  void* loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto functions = reinterpret_cast<const Functions* (*)()>(loaded ? ::dlsym(loaded, "gradus_functions") : nullptr);
  if (functions == nullptr) {
    run.end = Run::End::not_loaded;
    run.detail = ::dlerror();
  } else {
    run = run_here(functions()->at(stage), one.stages.at(stage).probes);
  }
  write_all(kResults, serialized(run));
  ::_exit(0);  // nothing of the student's runs after this
}

Run run_apart(const std::string& library, const Exercise& exercise, std::size_t stage) {
  Run run;
  int results[2], terminal[2];
  check<IoError>(::pipe2(results, O_CLOEXEC) == 0 && ::pipe2(terminal, O_CLOEXEC) == 0, "no pipe could be made");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // whatever the student's code starts is found, and ended
  const pid_t child = ::fork();
  check<IoError>(child >= 0, "no process could be started");
  if (child == 0) {
    ::setpgid(0, 0);
    const rlimit memory{kMemory, kMemory}, seconds{kSeconds, kSeconds + 1}, none{0, 0};
    ::setrlimit(RLIMIT_AS, &memory);
    ::setrlimit(RLIMIT_CPU, &seconds);
    ::setrlimit(RLIMIT_CORE, &none);
    ::dup2(::open("/dev/null", O_RDONLY), 0);
    ::dup2(terminal[1], 1);
    ::dup2(terminal[1], 2);
    ::dup2(results[1], kResults);
    const std::string number = std::to_string(stage);
    ::execl("/proc/self/exe", "exercises", "--apart", library.c_str(), exercise.id.c_str(), number.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(results[1]);
  ::close(terminal[1]);
  std::string bytes;
  const bool in_time = drained(results[0], terminal[0], bytes, run.printed);
  ::close(results[0]);
  ::close(terminal[0]);
  if (!in_time) ::killpg(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  ::killpg(child, SIGKILL);
  bool others = false;
  while (::waitpid(-1, nullptr, 0) > 0) others = true;
  try {
    parse(bytes, run);
  } catch (const std::exception&) {  // it ended before it could say how
    run.outputs.clear();
    run.end = Run::End::exited;
    if (WIFSIGNALED(status)) {
      run.end = Run::End::crashed;
      run.detail = name_of(WTERMSIG(status));
    }
  }
  if (!in_time || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) run.end = Run::End::hung;
  if (others) run.end = Run::End::forked;
  return run;
}

}  // namespace gradus::exercises
