#include "examples/ch09_encoder_decoder/call_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "core/inspect/forward_log.h"

namespace gradus::examples {
namespace {

using Made = inspect::ForwardLog::Made;
using inspect::ModuleCall;

class Steps {
 public:
  explicit Steps(const inspect::ForwardLog& log) : made_(log.made().begin(), log.made().end()) {
    std::copy_if(log.calls().begin(), log.calls().end(), std::back_inserter(calls_), [&](const ModuleCall& call) {
      const auto made = made_.lower_bound(call.first);
      return made != made_.end() && made->first < call.last;  // dropout of nothing makes nothing
    });
    for (const auto& [number, made] : made_) {
      if (made.by == "reshape" || is_leaf(innermost(number))) continue;
      const std::string name = joined(innermost(number)->path, made.by);
      const int count = ++times_[name];
      ops_[number] = count == 1 ? name : fmt::format("{}{}", name, count);
    }
  }

  std::vector<CallStep> all() const {
    std::map<std::uint64_t, std::vector<CallStep>> by_number;  // a call comes before what it makes
    for (const ModuleCall& call : calls_) {
      if (call.path.empty() || in_a_later_block(call.path)) continue;
      by_number[call.first].push_back({call.path, call.type, std::prev(made_.lower_bound(call.last))->second.shape, read_by(call)});
    }
    for (const auto& [number, path] : ops_) {
      if (in_a_later_block(path)) continue;
      by_number[number].push_back({path, made_.at(number).by, made_.at(number).shape, read_by(number)});
    }
    std::vector<CallStep> steps;
    for (auto& [number, some] : by_number) std::move(some.begin(), some.end(), std::back_inserter(steps));
    return steps;
  }

 private:
  static bool holds(const ModuleCall& call, std::uint64_t number) { return call.first <= number && number < call.last; }
  static std::string joined(const std::string& path, const std::string& name) { return path.empty() ? name : path + "." + name; }
  static bool in_a_later_block(const std::string& path) {
    const std::size_t at = path.find("blocks."), end = path.find('.', at + 7);
    return at != std::string::npos && end != std::string::npos && path[at + 7] != '0';
  }

  // The innermost call that made this tensor; the outermost of all if it was made after it.
  const ModuleCall* innermost(std::uint64_t number) const {
    const auto found = std::find_if(calls_.rbegin(), calls_.rend(), [&](const ModuleCall& call) { return holds(call, number); });
    return found == calls_.rend() ? &calls_.front() : &*found;
  }
  bool is_leaf(const ModuleCall* call) const { return call + 1 == &*calls_.end() || !holds(*call, (call + 1)->first); }

  std::vector<std::string> read_by(const ModuleCall& call) const {
    std::vector<std::string> paths;
    for (auto made = made_.lower_bound(call.first); made != made_.end() && made->first < call.last; ++made) {
      for (const std::uint64_t input : made->second.inputs) {
        if (input < call.first) add_maker(paths, input, call.first);
      }
    }
    return paths;
  }
  std::vector<std::string> read_by(std::uint64_t number) const {
    std::vector<std::string> paths;
    for (const std::uint64_t input : made_.at(number).inputs) add_maker(paths, input, number);
    return paths;
  }

  // Who made `input`, seen from whoever begins at `reader`: the outermost part that had ended by then, else an op.
  void add_maker(std::vector<std::string>& paths, std::uint64_t input, std::uint64_t reader) const {
    const auto made = made_.find(input);
    if (made == made_.end()) return;  // a parameter or a constant
    const auto call = std::find_if(calls_.begin(), calls_.end(),
                                   [&](const ModuleCall& one) { return !one.path.empty() && holds(one, input) && one.last <= reader; });
    if (call == calls_.end() && made->second.by == "reshape") return add_maker(paths, made->second.inputs[0], reader);
    const std::string path = call != calls_.end() ? call->path : ops_.at(input);
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }

  std::map<std::uint64_t, Made> made_;  // by number: in the order in which they were made
  std::vector<ModuleCall> calls_;
  std::map<std::string, int> times_;
  std::map<std::uint64_t, std::string> ops_;  // the ops that are steps, and their paths
};

}  // namespace

std::vector<CallStep> call_steps(const std::function<Tensor()>& forward) {
  const inspect::ForwardLog log;
  forward();
  return Steps(log).all();
}

}  // namespace gradus::examples
