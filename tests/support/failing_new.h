// Lets one allocation fail, so that a test can ask for each what is left behind.
#pragma once

#include <cstdint>
#include <functional>

namespace gradus::test {

// Calls f again and again; in the i-th call operator new throws bad_alloc when it is called in this thread for the i-th time.
// Each time that f has thrown, `afterwards` is called. Returns how often that was.
std::int64_t fail_each_allocation(const std::function<void()>& f, const std::function<void()>& afterwards);

}  // namespace gradus::test
