#include "tests/support/failing_new.h"

#include <cstdlib>
#include <new>
#include <utility>

#include "core/check.h"

namespace {

thread_local constinit std::int64_t left = 0;  // until one fails; 0: none will

void* allocated(std::size_t bytes) { return left > 0 && --left == 0 ? nullptr : std::malloc(bytes == 0 ? 1 : bytes); }

}  // namespace

void* operator new(std::size_t bytes) {
  if (void* memory = allocated(bytes)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocated(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

std::int64_t gradus::test::fail_each_allocation(const std::function<void()>& f, const std::function<void()>& afterwards) {
  for (std::int64_t i = 1;; ++i) {
    left = i;
    try {
      f();
      if (std::exchange(left, 0) > 0) return i - 1;  // it needs fewer
    } catch (const std::bad_alloc&) {
      left = 0;
    } catch (const MemoryError&) {
      left = 0;
    }
    afterwards();
  }
}
