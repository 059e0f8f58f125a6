// What stands below a student's functions in the module that the page makes of them.
#pragma once

#include <stdlib.h>

#include "examples/exercises/wasm/slot.h"

extern "C" [[noreturn, clang::import_module("page"), clang::import_name("end")]] void gradus_end(gradus::exercises::Ending how);

namespace gradus::exercises {

[[noreturn]] void todo() { gradus_end(Ending::not_written); }

}  // namespace gradus::exercises

void* operator new(decltype(sizeof 0) bytes) {
  void* memory = malloc(bytes);
  if (memory == nullptr) gradus_end(gradus::exercises::Ending::out_of_memory);
  return memory;
}
void* operator new[](decltype(sizeof 0) bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { free(memory); }
void operator delete(void* memory, decltype(sizeof 0)) noexcept { free(memory); }
void operator delete[](void* memory, decltype(sizeof 0)) noexcept { free(memory); }

// Where the page puts the arrays of a call.
extern "C" [[clang::export_name("room")]] void* room() {
  static void* const bytes = malloc(4 << 20);  // an array would be 4 MB of zeros in the module
  return bytes;
}
