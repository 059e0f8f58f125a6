// The main function of a test program that is run on one fault after the other. It reads requests and writes answers, a
// line each:
//
//   cover PART PARTS LIMIT  runs the tests PART, PART + PARTS, … alone, with no fault, for LIMIT milliseconds at most, and
//                           tells of each
//                           test NUMBER MILLISECONDS passed|failed|slow NAME<tab>FAULTS THAT IT REACHED; at the end: done
//   try FAULT TEST:MILLISECONDS …   runs these tests one after the other until one fails, or takes longer
//                           killed|crashed|hung TEST, or survived
//
// Each request runs in child processes, so that a fault can do no harm to the next. Times are processor time, as the machine
// may have other things to do.
#define main run_tests
#include "tests/support/main.cpp"
#undef main

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "tests/mutation/switch.h"

namespace {

constexpr int kMostFaults = 1 << 16;

// What a child tells its parent.
struct Shared {
  int test;                            // the number of the test that runs, from 1
  char name[1024];                     // of its test case; empty if there is no test of that number
  unsigned char reached[kMostFaults];  // 1 for each fault that it reached
};

Shared& shared = *new (mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Shared;

// Tells the parent which test case runs.
struct Telling : LeakCheck {
  using LeakCheck::LeakCheck;
  void test_case_start(const doctest::TestCaseData& test) override {
    std::snprintf(shared.name, sizeof shared.name, "%s", test.m_name);
    for (char& c : shared.name) {
      if (c == '\t' || c == '\n') c = ' ';
    }
  }
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
};
REGISTER_LISTENER("telling", 2, Telling);

struct Limited {
  int test;
  long milliseconds;
};

void set_timer(int which, long milliseconds) {
  itimerval limit{};
  limit.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000};
  setitimer(which, &limit, nullptr);
}

// 0 if the test passed. A signal ends the process if it takes too long, or waits for what never comes.
int run_one(Limited limited) {
  shared.test = limited.test;
  set_timer(ITIMER_PROF, limited.milliseconds);
  set_timer(ITIMER_REAL, 30 * limited.milliseconds);
  std::string first = "--first=" + std::to_string(limited.test), last = "--last=" + std::to_string(limited.test);
  std::string program = "tests", order = "--order-by=file", abort = "--abort-after=1";
  char* arguments[] = {program.data(), order.data(), abort.data(), first.data(), last.data(), nullptr};
  return run_tests(5, arguments);
}

struct Ended {
  int status;
  long milliseconds;
};

// How the child process ended that ran these tests with `fault` on.
Ended run_child(int fault, const std::vector<Limited>& tests) {
  std::cout.flush();
  const pid_t child = fork();
  if (child < 0) {  // or the fault would count as survived
    std::perror("fork");
    std::exit(1);
  }
  if (child == 0) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    const rlimit memory{rlim_t{4} << 30, rlim_t{4} << 30}, no_core{0, 0};
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &no_core);
    gradus::mutation::reached = shared.reached;
    gradus::mutation::active = fault;
    for (const Limited& test : tests) {
      if (run_one(test) != 0) _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  const auto milliseconds = [](const timeval& t) { return t.tv_sec * 1000 + t.tv_usec / 1000; };
  return {status, milliseconds(used.ru_utime) + milliseconds(used.ru_stime)};
}

bool took_too_long(int status) { return WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM); }

void cover(int first, int step, long limit) {
  for (int test = first;; test += step) {
    shared = {};
    const Ended ended = run_child(-1, {{test, limit}});
    if (shared.name[0] == '\0') break;
    const char* outcome = ended.status == 0 ? "passed" : took_too_long(ended.status) ? "slow" : "failed";
    std::cout << "test " << test << ' ' << ended.milliseconds << ' ' << outcome << ' ' << shared.name << '\t';
    for (int fault = 1; fault < kMostFaults; ++fault) {
      if (shared.reached[fault] != 0) std::cout << fault << ' ';
    }
    std::cout << std::endl;
  }
  std::cout << "done" << std::endl;
}

void try_fault(std::istream& request) {
  int fault = 0;
  request >> fault;
  std::vector<Limited> tests;
  char colon = 0;
  for (Limited test{}; request >> test.test >> colon >> test.milliseconds;) tests.push_back(test);
  const int status = run_child(fault, tests).status;
  if (status == 0) {
    std::cout << "survived" << std::endl;
    return;
  }
  std::cout << (took_too_long(status) ? "hung" : WIFSIGNALED(status) ? "crashed" : "killed") << ' ' << shared.test << std::endl;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream request(line);
    std::string what;
    request >> what;
    if (what == "cover") {
      int first = 1, step = 1;
      long limit = 0;
      request >> first >> step >> limit;
      cover(first, step, limit);
    } else if (what == "try") {
      try_fault(request);
    }
  }
}
