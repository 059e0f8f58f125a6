#include "examples/support/process.h"
#include "examples/support/report/program.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

using namespace gradus::examples;

TEST_CASE("process: it knows how long it has computed, and when its threads compute too little") {
  double asleep = 1;
  for (int attempt = 0; attempt < 100 && asleep >= 0.015; ++attempt) {  // threads that a library starts spin for a while
    const double begun = cpu_seconds();
    ::usleep(20000);
    asleep = cpu_seconds() - begun;
  }
  CHECK(asleep < 0.015);
  const double before = cpu_seconds();
  while (cpu_seconds() - before < 0.03) {
  }
  ::unsetenv("OMP_WAIT_POLICY");
  ::unsetenv("GOMP_SPINCOUNT");
  CHECK(crowded_note(2, 1.3, 1) == "");
  CHECK(crowded_note(1, 0.1, 1) == "");
  CHECK(crowded_note(2, 2.2, 2).find("note: the 2 threads get the time of 1.1 processors") == 0);
  ::setenv("OMP_WAIT_POLICY", "passive", 1);
  CHECK(crowded_note(2, 1, 2) == "");  // they do not spin
}

TEST_CASE("process: beyond the limit of a file's size, and into a broken pipe, writing fails") {
  keep_standard_streams();
  for (const int signal : {SIGXFSZ, SIGPIPE}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    CHECK((action.sa_handler == SIG_IGN));
  }
}

// On the stack in use, which a matrix product may have lent to its data, a handler would overwrite the heap.
TEST_CASE("process: a request to stop is caught once, on a stack of its own") {
  catch_interrupts();
  struct sigaction action {};
  sigaction(SIGTERM, nullptr, &action);
  CHECK((action.sa_flags & SA_ONSTACK) != 0);
  stack_t own{};
  sigaltstack(nullptr, &own);
  CHECK((own.ss_flags & SS_DISABLE) == 0);

  CHECK_FALSE(interrupted());
  raise(SIGTERM);
  CHECK(interrupted());
  sigaction(SIGTERM, nullptr, &action);
  CHECK((action.sa_handler == SIG_DFL));  // a second one ends the program
}
