// A slow link, to see on one machine what many machines meet.
#pragma once

#include <thread>

#include "optim/distributed/collectives.h"

namespace gradus::distributed {

// Another link, slower: a message of b bytes takes α + β b seconds to send, a declared time that is slept, not a network's.
class SlowLink final : public Link {
 public:
  SlowLink(Link& fast, const LinkCost& cost) : Link(fast.rank(), fast.ranks()), fast_(fast), cost_(cost) { set_patience(fast.patience()); }

  void send(int to, ConstMessage message) override { sleep(message), fast_.send(to, message); }
  void receive(int from, Message message) override { fast_.receive(from, message); }
  void exchange(int to, ConstMessage sent, int from, Message received) override {
    sleep(sent);
    fast_.exchange(to, sent, from, received);
  }

 private:
  void sleep(ConstMessage message) const {
    const double seconds = cost_.latency + cost_.byte_time * static_cast<double>(message.size());
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }

  Link& fast_;
  LinkCost cost_;
};

}  // namespace gradus::distributed
