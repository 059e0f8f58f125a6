#include "optim/distributed/threads.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/machine/threads.h"

namespace gradus::distributed {
namespace {

// Where messages lie until they are fetched, by sender and receiver.
class Mailboxes {
 public:
  explicit Mailboxes(int ranks) : ranks_(ranks), boxes_(static_cast<std::size_t>(ranks * ranks)), ended_(static_cast<std::size_t>(ranks)) {}

  void put(int from, int to, ConstMessage message) {
    {
      const std::lock_guard lock(mutex_);
      box(from, to).emplace_back(message.begin(), message.end());
    }
    changed_.notify_all();
  }

  enum class Fetched { message, nothing, stopped };
  Fetched fetch(int from, int to, Message message, std::chrono::duration<double> patience) {
    std::unique_lock lock(mutex_);
    auto& waiting = box(from, to);
    const bool came =
        changed_.wait_for(lock, patience, [&] { return !waiting.empty() || stopped_ >= 0 || ended_[static_cast<std::size_t>(from)]; });
    if (waiting.empty()) return came ? Fetched::stopped : Fetched::nothing;
    check<ValueError>(waiting.front().size() == message.size(), "receive: rank {} expected {} bytes from rank {}, which sent {}", to,
                      message.size(), from, waiting.front().size());
    std::copy(waiting.front().begin(), waiting.front().end(), message.begin());
    waiting.pop_front();
    return Fetched::message;
  }

  // Nothing more comes from a rank that has ended.
  void end(int rank) {
    {
      const std::lock_guard lock(mutex_);
      ended_[static_cast<std::size_t>(rank)] = true;
    }
    changed_.notify_all();
  }

  // The first that fails stops all.
  void stop(int rank, std::exception_ptr failure) {
    {
      const std::lock_guard lock(mutex_);
      if (stopped_ < 0) std::tie(stopped_, failure_) = std::tuple(rank, failure);
    }
    changed_.notify_all();
  }
  int stopped() const { return stopped_; }
  std::exception_ptr failure() const { return failure_; }

 private:
  std::deque<std::vector<std::byte>>& box(int from, int to) { return boxes_[static_cast<std::size_t>(from * ranks_ + to)]; }

  const int ranks_;
  std::vector<std::deque<std::vector<std::byte>>> boxes_;
  std::vector<bool> ended_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int stopped_ = -1;
  std::exception_ptr failure_;
};

class ThreadLink final : public Link {
 public:
  ThreadLink(int rank, int ranks, Mailboxes& mail) : Link(rank, ranks), mail_(mail) {}

  void send(int to, ConstMessage message) override {
    check_rank("send", to);
    mail_.put(rank(), to, message);
  }
  void receive(int from, Message message) override {
    check_rank("receive", from);
    const auto fetched = mail_.fetch(from, rank(), message, patience());
    if (fetched == Mailboxes::Fetched::nothing) refuse_waiting(from);
    check<IoError>(fetched == Mailboxes::Fetched::message, "rank {} has stopped, while rank {} takes part in {}",
                   mail_.stopped() >= 0 ? mail_.stopped() : from, rank(), task());
  }
  void exchange(int to, ConstMessage sent, int from, Message received) override {
    send(to, sent);
    receive(from, received);
  }

 private:
  Mailboxes& mail_;
};

}  // namespace

void run_threads(int ranks, const Body& body) {
  check<ValueError>(ranks > 0, "run_threads: needs at least one rank, got {}", ranks);
  Mailboxes mail(ranks);
  const auto work = [&](int rank) {
    ThreadLink link(rank, ranks, mail);
    try {
      const LibraryAlone alone;
      run_on_team(1, [&](std::int64_t) { body(link); });  // loops inside a part are not shared
      mail.end(rank);
    } catch (...) {
      mail.stop(rank, std::current_exception());
    }
  };
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(work, rank);
  for (std::thread& thread : threads) thread.join();
  if (mail.failure()) std::rethrow_exception(mail.failure());
}

}  // namespace gradus::distributed
