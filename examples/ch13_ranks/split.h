// A model in pieces: how long the stages of a pipeline wait, and what a rank holds under ZeRO.
#pragma once

#include <string>
#include <vector>

namespace gradus::examples {

using Schedule = std::string (*)(int rank, int ranks, int micro_batches);  // F: forward, B: backward, of the next micro-batch
std::string all_forward(int rank, int ranks, int micro_batches);           // GPipe (Huang et al., 2019)
std::string one_by_one(int rank, int ranks, int micro_batches);            // 1F1B (Narayanan et al., 2019)

// What each rank does in each unit of time, '.' where it waits. An F needs that of the rank before, a B that of the rank after.
std::vector<std::string> diaries(Schedule schedule, int ranks, int micro_batches);
double waiting(const std::vector<std::string>& diaries);  // the share of all units

// Bytes on the rank that has most.
struct Held { double parameters, gradients, moments; };
Held held_by_one_rank(int stage, int ranks);  // stage 0: each rank has all; 1, 3: of ZeRO

}  // namespace gradus::examples
