#include "examples/support/process.h"

#include <doctest/doctest.h>
#include <signal.h>

using namespace gradus::examples;

TEST_CASE("process: beyond the limit of a file's size, writing fails") {
  fail_beyond_file_size_limit();
  struct sigaction action {};
  sigaction(SIGXFSZ, nullptr, &action);
  CHECK((action.sa_handler == SIG_IGN));
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
