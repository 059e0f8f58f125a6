// Walks: what the page learns of a program's backward passes. It counts them, and one of them it may ask for: that one is written
// down, as a page of the viewer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/inspect/calls.h"
#include "core/inspect/trace.h"
#include "core/inspect/tracer.h"
#include "examples/shared/wasm/note_name.h"

extern "C" {
// The tensor of that number has come to be, in a line that the page finds on the stack. May the walk that it asks for visit it?
[[clang::import_module("page"), clang::import_name("made")]] bool gradus_page_made(std::uint32_t tensor);
[[clang::import_module("page"), clang::import_name("asks")]] bool gradus_page_asks();  // for the walk that begins?
[[clang::import_module("page"), clang::import_name("walked")]] void gradus_page_walked();
[[clang::import_module("page"), clang::import_name("shows")]] void gradus_page_shows(const char* html, std::size_t bytes);
}

namespace gradus::inspect {

class Walks final : public Observer {
 public:
  void made(const char*, const Tensor& y, std::span<const Tensor>, bool) override {
    gradus_page_made(static_cast<std::uint32_t>(y.number()));
  }
  void start(const Tensors& outputs, std::uint64_t oldest) override {
    tracer_ = gradus_page_asks() ? std::make_unique<Tracer>(TraceOptions{.whole_tape = kSmallTape}) : nullptr;
    if (tracer_) tracer_->start(outputs, oldest);
  }
  void visit(const Tensor& y, const Tensor& gradient) override {
    if (tracer_) tracer_->visit(y, gradient);
  }
  void arriving(int i, const Tensor& x, const Gradient& contribution, const Tensor& before) override {
    if (tracer_) tracer_->arriving(i, x, contribution, before);
  }
  void arrived(const Tensor& after) override {
    if (tracer_) tracer_->arrived(after);
  }
  void finish() override {
    gradus_page_walked();
    calls_.forget_calls();
    if (!tracer_) return;
    tracer_->finish();
    const std::string page = html({tracer_->take()});
    gradus_page_shows(page.data(), page.size());
  }

 private:
  static constexpr std::int64_t kSmallTape = 50'000;  // elements: kept whole, that is some megabytes

  CallLog calls_;
  std::unique_ptr<Tracer> tracer_;
  const Observing observing_{this};
};

}  // namespace gradus::inspect
