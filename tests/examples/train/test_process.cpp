#include "examples/shared/report/program.h"
#include "examples/shared/report/signals.h"
#include "examples/train/process.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace gradus::examples;

TEST_CASE("process: beyond the limit of a file's size, and into a broken pipe, writing fails") {
  keep_standard_streams();
  for (const int signal : {SIGXFSZ, SIGPIPE}) {
    struct sigaction action{};
    sigaction(signal, nullptr, &action);
    CHECK((action.sa_handler == SIG_IGN));
  }
}

TEST_CASE("process: a second request to stop ends the program at once, with its own status") {
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(STDERR_FILENO);
    catch_interrupts("stopping");
    raise(SIGTERM);
    raise(SIGINT);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
}

// How a child ends that is sent this signal after it ignored all that stop it, and obeys them again.
static int ended_by(int signal, bool under_nohup) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGHUP, under_nohup ? SIG_IGN : SIG_DFL);
    when_stopped_say("stopped");
    ignore_interrupts();
    raise(signal);
    obey_interrupts();
    raise(signal);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

TEST_CASE("process: a signal that stops it is ignored while all is written, and obeyed afterwards; under nohup, SIGHUP stays ignored") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) CHECK(ended_by(signal, false) == signal);
  CHECK(ended_by(SIGHUP, true) == 0);
  CHECK(ended_by(SIGTERM, true) == SIGTERM);
}

// On the stack in use, which a matrix product may have lent to its data, a handler would overwrite the heap.
TEST_CASE("process: a request to stop is caught, on a stack of its own; under nohup, SIGHUP stays ignored") {
  struct sigaction hangup{};
  ::signal(SIGHUP, SIG_IGN);
  catch_interrupts("stopping");
  sigaction(SIGHUP, nullptr, &hangup);
  CHECK((hangup.sa_handler == SIG_IGN));

  ::signal(SIGHUP, SIG_DFL);
  catch_interrupts("stopping");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action{};
    sigaction(signal, nullptr, &action);
    CHECK((action.sa_flags & SA_ONSTACK) != 0);
  }
  stack_t own{};
  sigaltstack(nullptr, &own);
  CHECK((own.ss_flags & SS_DISABLE) == 0);

  CHECK_FALSE(interrupted());
  raise(SIGTERM);
  CHECK(interrupted());
  CHECK(interrupted_status() == 143);
}

// Runs after the program's objects are destroyed, as it is registered before they are made.
static int signal_at_the_end = 0;
[[gnu::constructor(101)]] static void register_signal() {
  std::atexit([] {
    if (signal_at_the_end != 0) raise(signal_at_the_end);
  });
}

TEST_CASE("process: a request to stop that comes when the program ends is still answered with the whole text") {
  const std::string text = "stopped: what was measured is kept; the same command goes on from there";
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  std::fflush(nullptr);  // or the child, which ends as programs do, would write it as well
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    when_stopped_say(text);
    signal_at_the_end = SIGTERM;
    std::exit(0);
  }
  ::close(ends[1]);
  std::string said(1000, ' ');
  said.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], said.data(), said.size()))));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(said == "\n" + text + "\n");
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 143);
}
