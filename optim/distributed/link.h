// Link: a rank's connection to the other ranks.
//
// A rank is one of n workers. Each has a model, a tape and memory to itself; they share nothing and send each other messages.
// Everything in this folder but MPI's own sum uses only the three calls of a Link. Two kinds send for real: threads.h, where the
// ranks are threads of this process; mpi.h, where they are processes, perhaps on several machines.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "core/check.h"

namespace gradus::distributed {

using Message = std::span<std::byte>;
using ConstMessage = std::span<const std::byte>;

class Link {
 public:
  virtual ~Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  int rank() const { return rank_; }  // who am I: 0 … ranks() - 1
  int ranks() const { return ranks_; }

  // Messages from one rank to another arrive in the order in which they were sent. The receiver knows the size. IoError if the
  // other rank has stopped, or if nothing has come for patience(); ValueError for a rank that there is not.
  virtual void send(int to, ConstMessage message) = 0;
  virtual void receive(int from, Message message) = 0;
  // Both at once. A ring in which every rank first sends, and only then receives, may wait for ever.
  virtual void exchange(int to, ConstMessage sent, int from, Message received) = 0;

  void barrier();  // returns when every rank has called it

  // How long a rank waits for another before it takes it for lost, and what it tells then it waits for.
  std::chrono::duration<double> patience() const { return patience_; }
  void set_patience(std::chrono::duration<double> limit) { patience_ = limit; }
  void set_task(std::string what) { task_ = std::move(what); }
  const std::string& task() const { return task_; }

 protected:
  Link(int rank, int ranks) : rank_(rank), ranks_(ranks) {}
  void check_rank(const char* call, int other) const;
  [[noreturn]] void refuse_waiting(int other) const;  // the IoError of a rank that has waited for too long

 private:
  int rank_, ranks_;
  std::chrono::duration<double> patience_{30};
  std::string task_ = "a message";
};

// One rank and no others, so that what is written for many runs alone.
class Alone final : public Link {
 public:
  Alone() : Link(0, 1) {}
  void send(int to, ConstMessage) override { check_rank("send", to); }
  void receive(int from, Message) override { check_rank("receive", from); }
  void exchange(int to, ConstMessage, int, Message) override { check_rank("exchange", to); }
};

template <typename T> void send(Link& link, int to, std::span<T> numbers) { link.send(to, std::as_bytes(numbers)); }
template <typename T> void receive(Link& link, int from, std::span<T> numbers) { link.receive(from, std::as_writable_bytes(numbers)); }
template <typename A, typename B> void exchange(Link& link, int to, std::span<A> sent, int from, std::span<B> received) {
  link.exchange(to, std::as_bytes(sent), from, std::as_writable_bytes(received));
}

// ValueError, on every rank, unless all give the same number, such as the hash of what must be alike: "the options of rank 2 are
// not those of rank 0".
void check_same(Link& link, const std::string& what, std::uint64_t number);
std::uint64_t hash_of(const std::string& text);  // FNV-1a (Fowler, Noll and Vo, 1991): the same on every machine

}  // namespace gradus::distributed
