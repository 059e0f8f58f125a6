#include "examples/shared/report/signals.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace gradus::examples {
namespace {

constexpr std::array kStopping{SIGINT, SIGTERM, SIGHUP};

// What a program says that ends at once, and one that saves its work first; never destroyed, as a signal may come at the very end.
std::string& last_words = *new std::string;
std::string& first_words = *new std::string;
volatile sig_atomic_t caught = 0;

// Nothing where it would have to wait: for a pipe that nobody reads, a terminal stopped by Ctrl-S.
void write_error(const std::string& text) {
  pollfd error{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&error, 1, 0) != 1) return;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

void end_now(int signal) {
  write_error(last_words);
  ::_exit(128 + signal);
}

void end_later(int signal) {
  if (caught != 0) ::_exit(128 + signal);
  caught = signal;
  const int before = errno;
  write_error(first_words);
  errno = before;
}

// The handler runs on a stack of its own. In its matrix products, oneDNN before 3.11.2 uses the stack pointer for data, and
// what a handler pushes there overwrites the heap (oneDNN issue 4845, 2026).
void handle(void (*handler)(int)) {
  static std::array<char, 1 << 16> stack;
  stack_t own{};
  own.ss_sp = stack.data();
  own.ss_size = stack.size();
  ::sigaltstack(&own, nullptr);
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigfillset(&action.sa_mask);
  static bool ignoring = false;  // a hang-up, because of handle(SIG_IGN) and not of nohup
  for (const int signal : kStopping) {
    struct sigaction before{};
    ::sigaction(signal, nullptr, &before);
    const bool under_nohup = signal == SIGHUP && before.sa_handler == SIG_IGN && !ignoring;
    if (under_nohup) continue;
    ::sigaction(signal, &action, nullptr);
    if (signal == SIGHUP) ignoring = handler == SIG_IGN;
  }
}

}  // namespace

void when_stopped_say(const std::string& text) {
  last_words = "\n" + text + "\n";
  handle(end_now);
}

void catch_interrupts(const std::string& text) {
  first_words = "\n" + text + "\n";
  handle(end_later);
}

bool interrupted() { return caught != 0; }
int interrupted_status() { return 128 + caught; }

void ignore_interrupts() { handle(SIG_IGN); }
void obey_interrupts() { handle(SIG_DFL); }

}  // namespace gradus::examples
