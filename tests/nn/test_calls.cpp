// Which tensors a call of a module made: nn/call_scope.h and core/inspect/calls.h.
#include <algorithm>
#include <map>

#include "core/inspect/calls.h"
#include "core/inspect/trace.h"
#include "nn/nn.h"
#include "tests/support/check.h"
#include "tests/support/failing_new.h"

using namespace gradus;
using inspect::CallLog;
using inspect::ModuleCall;

namespace {

std::vector<std::string> called_paths(const CallLog& log) {
  std::vector<std::string> result;
  for (const ModuleCall& call : log.calls()) result.push_back(call.path);
  return result;
}

bool holds(const ModuleCall& call, const Tensor& x) { return call.first <= x.number() && x.number() < call.last; }

nn::LanguageModel small_model() { return nn::LanguageModel({.vocabulary = 11, .context = 4, .d_model = 8, .layers = 2, .heads = 2}); }

Tensor some_ids() { return tensor({{1, 2, 3}}, DType::i64); }

}  // namespace

TEST_CASE("calls: each call of a module has its path, its type and the tensors that it made") {
  nn::Sequential model{nn::Linear{2, 3}, nn::act::tanh, nn::Linear{3, 1}};
  CallLog log;
  const Tensor x = ones({1, 2});
  const Tensor y = model(x);
  const Tensor after = y * 2;
  REQUIRE(called_paths(log) == std::vector<std::string>{"", "0", "1", "2"});
  CHECK(log.calls()[1].type == "Linear(2 -> 3)");
  CHECK(holds(log.calls()[0], y));
  CHECK(holds(log.calls()[3], y));
  CHECK_FALSE(holds(log.calls()[2], y));
  CHECK_FALSE(holds(log.calls()[0], x));
  CHECK_FALSE(holds(log.calls()[0], after));
  CHECK(log.calls()[1].last <= log.calls()[2].first);
}

TEST_CASE("calls: a second call of the same module has an interval of its own") {
  nn::Linear map(2, 2);
  CallLog log;
  const Tensor first = map(ones({1, 2})), second = map(first);
  REQUIRE(log.calls().size() == 2);
  CHECK(holds(log.calls()[0], first));
  CHECK(holds(log.calls()[1], second));
  CHECK_FALSE(holds(log.calls()[0], second));
}

TEST_CASE("calls: a language model's are its blocks, norms and maps by the paths of its state dict, each inside its own") {
  nn::LanguageModel model = small_model();
  CallLog log;
  const Tensor loss = sum(model(some_ids()));
  const auto all = called_paths(log);
  for (const char* path : {"", "embedding", "blocks.0", "blocks.0.placement.norm1", "blocks.0.attention", "blocks.0.attention.q_proj",
                           "blocks.0.feed_forward", "blocks.1", "blocks.1.feed_forward"}) {
    CHECK_MESSAGE(std::count(all.begin(), all.end(), path) == 1, path);
  }
  for (std::size_t i = 1; i < log.calls().size(); ++i) {  // intervals nest as paths do
    const ModuleCall& call = log.calls()[i];
    CHECK(call.first >= log.calls()[i - 1].first);
    CHECK(call.last <= log.calls()[0].last);
  }
  std::map<std::string, std::uint64_t> numbers;
  for (const auto& [name, parameter, role] : model.named_parameters()) numbers[name] = parameter.number();
  CHECK(log.names().size() == numbers.size());
  for (const auto& [number, name] : log.names()) CHECK(numbers.at(name) == number);

  const inspect::Trace trace = inspect::trace(loss);
  bool in_norm = false;
  for (const inspect::TracedTensor& x : trace.tensors) {
    if (x.op == "rms_norm" && x.module >= 0) {
      in_norm |= trace.modules[static_cast<std::size_t>(x.module)].path == "blocks.0.placement.norm1";
    }
  }
  CHECK(in_norm);
  CHECK(trace.tensor(numbers.at("embedding.weight")).name == "embedding.weight");
  CHECK(trace.dimensions == std::map<std::string, int64_t>{{"B", 1}, {"T", 3}, {"C", 8}, {"H", 2}});
}

TEST_CASE("calls: attention that is given inputs, an encoder-decoder and a condition are heard too") {
  nn::MultiHeadAttention attention({.d_model = 8, .heads = 2});
  nn::TransformerOptions tiny = nn::original_transformer();
  tiny.vocabulary = 7;
  tiny.context = 4;
  tiny.d_model = 8;
  tiny.heads = 2;
  tiny.layers = 1;
  nn::EncoderDecoder translator({.source_vocabulary = 5, .stacks = tiny});
  CallLog log;
  attention(ones({1, 3, 8}), {});
  CHECK(log.calls()[0].path == "");
  CHECK(log.calls()[1].path == "q_proj");
  log.forget_calls();
  translator(tensor({{1, 2}}, DType::i64), tensor({{1, 2}}, DType::i64));
  const auto all = called_paths(log);
  for (const char* path : {"", "source_embedding", "encoder", "encoder.blocks.0", "decoder", "decoder.blocks.0.cross_attention"}) {
    CHECK_MESSAGE(std::count(all.begin(), all.end(), path) == 1, path);
  }
}

TEST_CASE("calls: nothing is heard without a log, of a module that no caller knows, or by a log that is gone") {
  nn::Linear map(2, 2), stranger(2, 2);
  {
    CallLog outer;
    {
      CallLog inner;
      map(ones({1, 2}));
      CHECK(inner.calls().size() == 1);
    }
    CHECK(outer.calls().size() == 1);
    outer.forget_calls();
    CHECK(CallLog::active() == &outer);
    nn::Sequential model(nn::Linear{2, 2});
    struct Borrower final : nn::Layer {
      explicit Borrower(nn::Layer& other) : other_(other) {}
      Tensor forward(const Tensor& x) override { return other_(x); }
      void members(nn::Members&) override {}
      nn::Layer& other_;
    };
    Borrower borrower(stranger);
    borrower(ones({1, 2}));
    CHECK(called_paths(outer) == std::vector<std::string>{""});
    outer.forget_calls();
    CHECK(outer.calls().empty());
  }
  CHECK(CallLog::active() == nullptr);
  map(ones({1, 2}));
}

TEST_CASE("calls: a call that ends by an exception is closed") {
  nn::Sequential model{nn::Linear{2, 3}, nn::Linear{2, 1}};
  CallLog log;
  CHECK_THROWS_AS(model(ones({1, 2})), ShapeError);
  CHECK(log.calls().size() == 3);
  for (const ModuleCall& call : log.calls()) CHECK(call.last >= call.first);
  CHECK(model.parameters().size() == 4);
  log.forget_calls();
  CHECK(log.calls().empty());
  nn::Linear map(2, 2);
  map(ones({1, 2}));
  CHECK(called_paths(log) == std::vector<std::string>{""});  // a root again
}

TEST_CASE("calls: an observer that could throw as a call ends does not compile, as that would end the process") {
  static_assert(noexcept(std::declval<Observer&>().leave()));
}

TEST_CASE("calls: where there is no memory for a call, the log is as it was, and has no end without a begin") {
  CallLog log;
  const std::string path(100, 'a');
  const auto failed = test::fail_each_allocation(
      [&] {
        log.enter(path, path);
        log.leave();
      },
      [&] {
        CHECK(log.calls().empty());
        log.leave();
      });
  CHECK(failed > 0);
  REQUIRE(log.calls().size() == 1);
  const std::uint64_t end = log.calls()[0].last;
  const Tensor between = ones({1});
  log.enter("b", "B");
  log.leave();
  log.leave();
  CHECK(log.calls()[0].last == end);
  CHECK(log.module_of(between.number()) == "");
}

TEST_CASE("calls: an error's place is looked for anew where the search before failed") {
  struct Inner : nn::Layer {
    bool fails = true;
    void members(nn::Members&) override { check<ValueError>(!fails, "no members"); }
    Tensor forward(const Tensor& x) override {
      const auto what = [&] {
        try {
          sum(x, {7});
        } catch (const ShapeError& error) {
          return std::string(error.what());
        }
        return std::string();
      };
      CHECK(what().starts_with("Inner: "));
      fails = false;
      CHECK(what().starts_with("Sequential.0, Inner: "));
      return x;
    }
  };
  nn::Sequential model(Inner{});
  model(ones({2}));
}
