// The switch behind which every fault stands in the copies of the sources: `on(17) ? a - b : a + b`.
#pragma once

namespace gradus::mutation {

inline int active = 0;                    // the fault that is on; 0: none; -1: none, and those that are reached are marked
inline unsigned char* reached = nullptr;  // by number of fault: 1 if it was

inline bool on(int fault) {
  if (active < 0) reached[fault] = 1;
  return active == fault;
}

}  // namespace gradus::mutation
