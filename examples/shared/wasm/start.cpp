// What the page calls: main(), and what nobody catches is said, as a terminal does it.
#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <typeinfo>

#include "examples/shared/wasm/walks.h"

namespace {

void say(const char* what) {
  int status = 0;
  char* name = abi::__cxa_demangle(abi::__cxa_current_exception_type()->name(), nullptr, nullptr, &status);
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", name, what);
  std::free(name);
}

}  // namespace

void gradus::inspect::note_name(const char* name, const Tensor& x) {
  if (x.defined() && gradus_page_made(static_cast<std::uint32_t>(x.number()))) tell(&Observer::name, x, name);
}

extern "C" void __wasm_call_ctors();
extern "C" int __main_void();  // main(), with its arguments if it takes them

extern "C" void _start() {
  int code = 134;  // a shell's for abort()
  const gradus::inspect::Walks seen;
  try {
    __wasm_call_ctors();
    code = __main_void();
  } catch (const std::exception& error) {
    say(error.what());
  } catch (...) {
    say("was thrown, and nobody caught it");
  }
  std::exit(code);
}
