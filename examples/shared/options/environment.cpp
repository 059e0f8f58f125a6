// What the environment asks of any example, heard before its main():
//
//   GRADUS_FORMULA_ONLY=1       every fused op runs as the formula that it stands for, op by op;
//   GRADUS_TRACE=walk.html      the first backward walk is written down, as a page or, under another name, as JSON;
//   GRADUS_TRACE_WALK=100       … the hundredth walk instead;
//   GRADUS_TRACE_WHOLE=4096     … with all values of tensors of at most this many elements.
//
// The library itself asks no environment. A program is linked with this file, and need not know of it.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/inspect/tracer.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/observer.h"
#include "examples/shared/options/environment.h"

namespace gradus::examples {
namespace {

using namespace gradus::inspect;

// A program does not fail for want of what is said here.
void note(const std::string& text) { std::fputs((text + "\n").c_str(), stderr); }

std::int64_t number_from(const char* variable, std::int64_t otherwise) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  char* end = nullptr;
  const long long value = std::strtoll(text, &end, 10);
  if (*end == '\0' && value > 0) return value;
  note(fmt::format("{}={}: a positive number was expected; {} is taken", variable, text, otherwise));
  return otherwise;
}

std::string program_name() {
  std::ifstream file("/proc/self/comm");  // elsewhere than on Linux: nothing
  std::string name;
  return std::getline(file, name) ? name : "a program";
}

// Lets the walks before the one that is asked for pass, then writes that one.
class TraceOnce final : public Observer {
 public:
  explicit TraceOnce(std::string path)
      : path_(std::move(path)),
        walks_to_come_(number_from("GRADUS_TRACE_WALK", 1)),
        tracer_(std::make_unique<Tracer>(TraceOptions{.title = fmt::format("walk {} of {}", walks_to_come_, program_name()),
                                                      .whole = number_from("GRADUS_TRACE_WHOLE", 64),
                                                      .whole_tape = kSmallTape})) {}

  ~TraceOnce() override {
    if (tracer_ == nullptr || walks_to_come_ <= 0) return;
    note(fmt::format("GRADUS_TRACE: the program ended {} too early; GRADUS_TRACE_WALK chooses another walk",
                     walks_to_come_ == 1 ? "a walk" : fmt::format("{} walks", walks_to_come_)));
  }

  void start(const Tensors& outputs, std::uint64_t oldest) override {
    if (walks_to_come_ > 0) --walks_to_come_;
    if (active()) tracer_->start(outputs, oldest);
  }
  void visit(const Tensor& y, const Tensor& gradient) override {
    if (active()) tracer_->visit(y, gradient);
  }
  void arriving(int i, const Tensor& x, const Gradient& contribution, const Tensor& before) override {
    if (active()) tracer_->arriving(i, x, contribution, before);
  }
  void arrived(const Tensor& after) override {
    if (active()) tracer_->arrived(after);
  }
  void finish() override {
    if (!active()) {
      log_.forget_calls();
      return;
    }
    tracer_->finish();
    write(tracer_->take());
    tracer_.reset();
  }

 private:
  static constexpr std::int64_t kSmallTape = 50'000;  // elements: kept whole, that is some megabytes

  bool active() const { return walks_to_come_ == 0 && tracer_ != nullptr; }

  // A program does not fail for want of its trace.
  void write(const Trace& trace) const {
    try {
      const std::string_view path = path_;
      const bool page = path.size() > 5 && path.substr(path.size() - 5) == ".html";
      page ? write_html(path_, trace) : write_json(path_, trace);
      note(fmt::format("GRADUS_TRACE: wrote {}: {} tensors, {} visits", path_, trace.tensors.size(), trace.walk.size()));
    } catch (const std::exception& e) {
      note(fmt::format("GRADUS_TRACE: {}", e.what()));
    }
  }

  const std::string path_;
  std::int64_t walks_to_come_;
  std::unique_ptr<Tracer> tracer_;
  CallLog log_;
};

struct FromEnvironment {
  FromEnvironment() {
    const char* path = std::getenv("GRADUS_TRACE");
    if (path == nullptr || *path == '\0') return;
    tracing = std::make_unique<TraceOnce>(path);
    watch.emplace(tracing.get());
  }
  const FormulaOnly readable{is_switched_on("GRADUS_FORMULA_ONLY")};
  std::unique_ptr<TraceOnce> tracing;
  std::optional<Observing> watch;
};
const FromEnvironment from_environment;

// A program ends without its libraries' ends: where memory is short, a thread of OpenBLAS asks for some over and over, and its
// library waits for that thread. Registered before all else, this comes after all that the program itself does when it ends.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)  // whose report of leaks is made at the end
void end_now(int status, void*) {
  std::cout.flush();
  std::fflush(nullptr);
  ::_exit(status);
}
[[gnu::constructor(101)]] void end_without_libraries() { ::on_exit(end_now, nullptr); }
#endif

}  // namespace
}  // namespace gradus::examples
