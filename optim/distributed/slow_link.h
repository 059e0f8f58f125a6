// A slow link, to see on one machine what many machines meet.
#pragma once

#include <thread>

#include "optim/distributed/collectives.h"

namespace gradus::distributed {

// Another link, slower: a message of b bytes takes α + β b seconds to send, a declared time that is slept, not a network's.
class SlowLink final : public Link {
 public:
  SlowLink(Link& fast, const LinkCost& cost) : Link(fast.rank(), fast.ranks()), fast_(fast), cost_(cost) {}

  void send(int to, ConstMessage message) override { slowed(message).send(to, message); }
  void receive(int from, Message message) override { slowed({}).receive(from, message); }
  void exchange(int to, ConstMessage sent, int from, Message received) override { slowed(sent).exchange(to, sent, from, received); }

 private:
  // The other link, after the time that this message takes.
  Link& slowed(ConstMessage message) {
    fast_.set_patience(patience());
    fast_.set_task(task());
    if (message.empty()) return fast_;
    const double seconds = cost_.latency + cost_.byte_time * static_cast<double>(message.size());
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    return fast_;
  }

  Link& fast_;
  LinkCost cost_;
};

}  // namespace gradus::distributed
