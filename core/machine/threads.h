// The threads that the library's loops share.
#pragma once

#include <cstdint>
#include <functional>

namespace gradus {

// How many threads the loops use, the caller among them: at first OMP_NUM_THREADS, or one per processor.
int num_threads();
void set_num_threads(int count);  // of the matrix library, too; ValueError unless 1 <= count <= most_threads()
int most_threads();               // 32 · processors

// Calls run(0) … run(parts - 1), parts < 2³², on num_threads() threads, the caller among them. Inside another run_on_team, or
// while another thread is in one, the caller makes all calls alone. If calls throw, one of their exceptions is rethrown, and
// some of the others may not have been made. ValueError for an empty function and any other number of parts.
void run_on_team(std::int64_t parts, const std::function<void(std::int64_t part)>& run);
bool inside_team();  // is this thread in a call that run_on_team makes?

// While it lives, the matrix library runs on the calling thread only.
class LibraryAlone {
 public:
  LibraryAlone();
  ~LibraryAlone();
  LibraryAlone(const LibraryAlone&) = delete;
  LibraryAlone& operator=(const LibraryAlone&) = delete;

 private:
  const int before_;
};

}  // namespace gradus
