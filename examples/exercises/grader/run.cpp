#include "examples/exercises/grader/run.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <utility>

#include "core/check.h"

namespace gradus::exercises {
namespace {

constexpr int kSeconds = 10;
constexpr rlim_t kMemory = rlim_t{4} << 30;
constexpr std::size_t kPrinted = 2000;  // characters that are kept
constexpr int kResults = 3;             // where the process apart writes
constexpr rlim_t kStack = rlim_t{16} << 20;
constexpr int kTooDeep = 77;  // its status when its stack is full

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

void put_all(Writer& writer, const Outputs& outputs) {
  writer.put(outputs.size());
  for (const Array& array : outputs) writer.put(array);
}

Outputs outputs_in(Reader& reader) {
  Outputs outputs;
  for (auto n = reader.get<std::size_t>(); n > 0; --n) outputs.push_back(reader.array());
  return outputs;
}

std::string serialized(const Run& run) {
  Writer writer;
  writer.put(run.outputs.size());
  for (const Outputs& outputs : run.outputs) put_all(writer, outputs);
  writer.put(run.end);
  writer.put(run.detail);
  return writer.bytes();
}

std::string serialized(const Attempts& later) {
  Writer writer;
  writer.put(later.size());
  for (const Attempt& one : later) {
    put_all(writer, one.outputs.value_or(Outputs()));
    writer.put(one.thrown);
  }
  return writer.bytes();
}

// A process that crashed in the second part has written the first.
void parse(const std::string& bytes, Run& run) {
  Reader reader(bytes);
  for (auto n = reader.get<std::size_t>(); n > 0; --n) run.outputs.push_back(outputs_in(reader));
  run.end = reader.get<Run::End>();
  run.detail = reader.text();
  for (auto n = reader.empty() ? 0 : reader.get<std::size_t>(); n > 0; --n) {
    const Outputs outputs = outputs_in(reader);
    const std::string thrown = reader.text();
    run.later.push_back(outputs.empty() ? Attempt{{}, thrown} : Attempt{outputs});
  }
}

std::pair<Run::End, std::string> end_by(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS: return {Run::End::crashed, "a read or write outside of memory"};
    case SIGFPE: return {Run::End::divided, "a division of a whole number by 0"};
    case SIGABRT: return {Run::End::aborted, "something called abort(), as a failed assert does, or a free() of what was written over"};
    case SIGILL: return {Run::End::returned_nothing, "an instruction that there is not, as at the end of a function that returns nothing"};
    case SIGKILL: return {Run::End::crashed, "too much memory or time (SIGKILL)"};
    default: return {Run::End::crashed, ::strsignal(signal)};
  }
}

void write_all(int file, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::write(file, bytes.data() + at, bytes.size() - at);
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

constexpr std::size_t kMostBytes = std::size_t{1} << 26;  // more than any exercise's numbers

// Two pipes' contents until the first is closed, or the time is over; of the second no more than is kept.
bool drained(int results, int terminal, std::string& bytes, std::string& printed) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(kSeconds);
  pollfd files[] = {{results, POLLIN, 0}, {terminal, POLLIN, 0}};
  std::array<char, 65536> buffer{};
  while (true) {
    const bool ended = files[0].fd < 0;  // then what is printed already, and no more
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (!ended && (left <= 0 || bytes.size() > kMostBytes)) return false;
    const int ready = ::poll(files, 2, ended ? 0 : static_cast<int>(left));
    if (ended && (ready <= 0 || printed.size() >= kPrinted)) return true;
    if (ready <= 0) continue;
    for (pollfd& file : files) {
      if (file.fd < 0 || file.revents == 0) continue;
      const ssize_t n = ::read(file.fd, buffer.data(), buffer.size());
      if (n <= 0) {
        file.fd = -1;
      } else if (&file == files) {
        bytes.append(buffer.data(), static_cast<std::size_t>(n));
      } else if (printed.size() < kPrinted) {
        printed.append(buffer.data(), std::min(static_cast<std::size_t>(n), kPrinted - printed.size()));
      }
    }
  }
}

// Between fork and exec: nobody's files, limits, and an end with whom it works for.
void limit_this_process(int results, int terminal) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setsid();
  const rlimit memory{kMemory, kMemory}, seconds{kSeconds, kSeconds + 1}, none{0, 0}, stack{kStack, kStack};
  ::setrlimit(RLIMIT_AS, &memory);
  ::setrlimit(RLIMIT_CPU, &seconds);
  ::setrlimit(RLIMIT_CORE, &none);
  ::setrlimit(RLIMIT_STACK, &stack);
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  ::dup2(terminal, 1);
  ::dup2(terminal, 2);
  ::dup2(results, kResults);
  for (int file = kResults + 1; file < 1024; ++file) ::close(file);
  for (const char* threads : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}) ::setenv(threads, "1", 1);  // each takes memory
}

// Ends what the student's code has started besides: it is ours since the process that started it has ended. Was there any?
bool ended_others() {
  bool any = false;
  for (int i = 0; i < 100; ++i) {
    std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
    for (pid_t child = 0; children >> child;) ::kill(child, SIGKILL);
    while (::waitpid(-1, nullptr, WNOHANG) > 0) any = true;
    if (errno == ECHILD) break;
    ::usleep(10'000);
  }
  return any;
}

void tell_the_end(int status, Run& run) {
  run.outputs.clear();
  run.end = Run::End::exited;
  if (WIFSIGNALED(status)) {
    std::tie(run.end, run.detail) = end_by(WTERMSIG(status));
  } else if (WEXITSTATUS(status) == kTooDeep) {
    run.end = Run::End::endless_recursion;
  }
}

const char* stack_top = nullptr;

// A full stack is told from other bad addresses; those end the process.
void on_bad_address(int signal, siginfo_t* info, void*) {
  const auto* at = static_cast<const char*>(info->si_addr);
  if (at < stack_top && at > stack_top - kStack - (1 << 20)) ::_exit(kTooDeep);
  ::signal(signal, SIG_DFL);
}

void watch_the_stack(const char& here) {
  stack_top = &here;
  static std::array<char, 1 << 16> own_stack;
  stack_t stack{};
  stack.ss_sp = own_stack.data();
  stack.ss_size = own_stack.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = on_bad_address;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigaction(SIGSEGV, &action, nullptr);
}

// The linker's words, but for the path and the letters that it makes of a name.
std::string undefined_in(const std::string& said) {
  const std::string_view before = "undefined symbol: ";
  const std::size_t at = said.find(before);
  if (at == std::string::npos) return said;
  const std::string symbol = said.substr(at + before.size());
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr), std::free);
  return name ? name.get() : symbol;
}

}  // namespace

const Functions* functions_in(const std::string& library) {
  void* loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto functions = reinterpret_cast<const Functions* (*)()>(loaded ? ::dlsym(loaded, "gradus_functions") : nullptr);
  return functions == nullptr ? nullptr : functions();
}

int be_apart(const std::string& library, const std::string& id, std::size_t stage, std::size_t function) {
  Run run;
  const Exercise& one = exercise(id);
  const char here = 0;
  watch_the_stack(here);
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // lines are there also if it crashes
  const Functions* functions = functions_in(library);
  if (functions == nullptr) {
    run.end = Run::End::not_loaded;
    run.detail = undefined_in(::dlerror());
    write_all(kResults, serialized(run));
  } else {
    const std::vector<Probe>& probes = one.stages.at(stage).probes;
    run = run_until_end(functions->at(function), probes);
    write_all(kResults, serialized(run));
    write_all(kResults, serialized(attempts_later(functions->at(function), probes, run)));
  }
  std::cout.flush();
  std::fflush(stdout);
  ::_exit(0);  // nothing of the student's runs after this
}

Run run_apart(const std::string& library, const Exercise& exercise, std::size_t stage, std::size_t answer) {
  Run run;
  int results[2], terminal[2];
  check<IoError>(::pipe2(results, O_CLOEXEC) == 0 && ::pipe2(terminal, O_CLOEXEC) == 0, "no pipe could be made");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // whatever the student's code starts is found, and ended
  const std::string number = std::to_string(stage), function = std::to_string(answer * exercise.stages.size() + stage);
  const pid_t child = ::fork();
  check<IoError>(child >= 0, "no process could be started");
  if (child == 0) {
    limit_this_process(results[1], terminal[1]);
    ::execl("/proc/self/exe", "exercises", "--apart", library.c_str(), exercise.id.c_str(), number.c_str(), function.c_str(), nullptr);
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
  const bool others = ended_others();
  try {
    parse(bytes, run);
  } catch (const std::exception&) {  // it ended before it could say how
    tell_the_end(status, run);
  }
  const bool threw = run.end == Run::End::threw || run.end == Run::End::wrong_shape;  // before it took so long
  if (!threw && (!in_time || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))) {
    run.end = Run::End::hung;
    run.detail = fmt::format("{} seconds", kSeconds);
  }
  if (others) run.end = Run::End::forked;
  return run;
}

}  // namespace gradus::exercises
