// A checkpoint is loaded whole or not at all, and saved whole or not at all.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>

#include "core/io/safetensors.h"
#include "tests/examples/shared/training/tiny_run.h"
#include "tests/support/check.h"
#include "tests/support/sample.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

std::string saved(Trainer& trainer, const TemporaryDirectory& directory) {
  trainer.save(directory.file("state"));
  return read_bytes(directory.file("state"));
}

// The message with which `trainer` refuses the checkpoint; it must not change by that.
std::string refusal(Trainer& trainer, const TemporaryDirectory& directory, const std::string& path) {
  const std::string before = saved(trainer, directory);
  std::string message;
  try {
    trainer.load(path);
    FAIL("a checkpoint that does not fit was loaded");
  } catch (const Error& error) {
    message = error.what();
  }
  CHECK(saved(trainer, directory) == before);
  return message;
}

}  // namespace

TEST_CASE("checkpoint: of another shape, it is refused with every reason at once, and nothing changes") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  TrainOptions options = tiny();
  const std::string path = directory.file("narrow");
  Trainer(options, corpus).save(path);
  io::SafeTensors older = io::read_safetensors(path);
  older.metadata.erase("options");  // which would tell before the tensors do
  io::write_safetensors(path, older);
  options.model.d_ff = 48;
  options.model.tie_weights = false;
  Trainer wide(options, corpus);
  const std::string message = refusal(wide, directory, path);
  CHECK(mentions(message, path + ": nothing was loaded: "));
  CHECK(mentions(message, "missing model/head.weight"));
  CHECK(mentions(message, "missing optimizer/first/head.weight"));
  CHECK(mentions(message, "w1.weight has shape [32, 16], expected [48, 16]"));
  CHECK(mentions(message, "w2.weight has shape [16, 32], expected [16, 48]"));
}

TEST_CASE("checkpoint: of the same shapes, but other options, it is refused with each of them, and nothing changes") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  const std::string path = directory.file("rotary");
  TrainOptions options = tiny();
  options.model.position = "rope";
  Trainer(options, corpus).save(path);
  options.model.rope_theta = 500;
  options.model.heads = 1;
  options.schedule.total += 5;  // what the tensors do not depend on may change
  Trainer other(options, corpus);
  CHECK(refusal(other, directory, path) == path +
                                               ": nothing was loaded: its run had other options: heads 2, now 1; rope_theta "
                                               "null, now 500.0; was config.json changed?");
}

TEST_CASE("checkpoint: when the model fits and the optimizer's state does not, nothing changes") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  Trainer trainer(tiny(), corpus), other(tiny(), corpus);
  steps(other, 3);
  other.save(directory.file("other"));
  const io::SafeTensors good = io::read_safetensors(directory.file("other"));
  const std::string bad = directory.file("bad");
  const auto refused_with = [&](const std::function<void(io::SafeTensors&)>& spoil) {
    io::SafeTensors file = good;
    spoil(file);
    io::write_safetensors(bad, file);
    const std::string message = refusal(trainer, directory, bad);
    REQUIRE(message.size() > bad.size());
    return message.substr(bad.size());
  };
  CHECK(refused_with([](auto& f) { f.tensors.erase("optimizer/second/embedding.weight"); }) ==
        ": nothing was loaded: missing optimizer/second/embedding.weight");
  CHECK(refused_with([](auto& f) { f.tensors["optimizer/first/embedding.weight"] = zeros({2}); }) ==
        ": nothing was loaded: optimizer/first/embedding.weight has shape [2], expected [256, 16]");
  CHECK(refused_with([](auto& f) { f.tensors["optimizer/third"] = zeros({2}); }) == ": nothing was loaded: unexpected optimizer/third");
  CHECK(refused_with([](auto& f) { f.metadata["optimizer"] = "lion"; }) ==
        ": nothing was loaded: the optimizer was lion, this run has adamw");
  CHECK(refused_with([](auto& f) { f.metadata["options"] = "{"; }) == ": not a training checkpoint: metadata 'options' is no JSON object");
  CHECK(refused_with([](auto& f) { f.metadata.erase("optimizer"); }) == ": not a training checkpoint: metadata 'optimizer' is missing");
  CHECK(refused_with([](auto& f) { f.metadata["options"] = R"({"heads": 2, "dreams": true})"; }) ==
        ": nothing was loaded: its run had other options: dreams true, which is unknown here; was config.json changed?");
  for (const char* beyond : {"9007199254740993", "18446744073709551615"}) {
    CHECK(refused_with([&](auto& f) { f.metadata["step"] = beyond; }) ==
          fmt::format(": not a training checkpoint: metadata 'step' is {}", beyond));
  }
  CHECK(refused_with([](auto& f) { f.metadata.erase("step"); }) ==
        ": not a training checkpoint: metadata 'step' is missing or not a number");
  CHECK(refused_with([](auto& f) { f.metadata["generator.batches.counter"] = "-1"; }) ==
        ": not a training checkpoint: metadata 'generator.batches.counter' is missing or not a number");
  CHECK(refused_with([](auto& f) { f.metadata["generator.default.seed"] = "99999999999999999999999"; }) ==
        ": not a training checkpoint: metadata 'generator.default.seed' is missing or not a number");
}

TEST_CASE("checkpoint: not strict, it loads what fits and says what it skipped") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  Trainer source(tiny(), corpus);
  steps(source, 3);
  const std::string path = directory.file("adamw");
  source.save(path);
  TrainOptions options = tiny();
  options.optimizer = "sgd";
  Trainer target(options, corpus);
  const auto skipped = target.load(path, {.strict = false});
  const io::SafeTensors before = io::read_safetensors(path);
  std::size_t moments = 0;
  for (const auto& [name, tensor] : before.tensors) moments += name.find("optimizer/") == 0 ? 1 : 0;
  CHECK(skipped.size() == moments);
  CHECK(skipped[0].find("unexpected optimizer/first/") == 0);
  target.save(directory.file("sgd"));
  for (const auto& [name, tensor] : io::read_safetensors(directory.file("sgd")).tensors) CHECK(equal(tensor, before.tensors.at(name)));
  CHECK(target.steps_done() == 3);
}

TEST_CASE("checkpoint: its metadata names the step, the optimizer, the schedule and both generators") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  Trainer trainer(tiny(), corpus);
  steps(trainer, 2);
  trainer.save(directory.file("a"));
  const auto metadata = io::read_safetensors(directory.file("a")).metadata;
  CHECK(metadata.at("step") == "2");
  CHECK(metadata.at("optimizer") == "adamw");
  CHECK(metadata.at("schedule") == "cosine lr 0.01 to 0.001, warm-up 2, steps 60");
  CHECK(metadata.at("generator.batches.seed") == "1");
  CHECK(metadata.at("generator.batches.counter") != "0");
  CHECK(metadata.at("generator.default.seed") == "0");
  CHECK(metadata.count("generator.default.counter") == 1);
}

TEST_CASE("checkpoint: it knows the text that was learned, whatever its name") {
  const TemporaryDirectory directory;
  const std::string path = write_text(directory);
  const auto corpus_of = [&](const std::string& text) {
    std::ofstream(directory.file("other.txt")) << text;
    return Corpus::from_file(directory.file("other.txt"), 16);
  };
  const std::string text = read_bytes(path);
  const Corpus corpus = Corpus::from_file(path, 16);
  Trainer trainer(tiny(), corpus);
  CHECK(trainer.same_text());
  trainer.save(directory.file("saved"));
  const auto same = [&](const Corpus& other) {
    Trainer resumed(tiny(), other);
    resumed.load(directory.file("saved"));
    return resumed.same_text();
  };
  CHECK(same(corpus_of(text)));
  std::string changed = text;
  for (const std::size_t at : {std::size_t{0}, text.size() - 1}) {  // to learn, and to validate
    changed = text;
    changed[at] ^= 1;
    CHECK_FALSE(same(corpus_of(changed)));
  }
  changed = text;
  std::swap(changed[3], changed[8]);
  CHECK_FALSE(same(corpus_of(changed)));
  io::SafeTensors older = io::read_safetensors(directory.file("saved"));
  older.metadata.erase("text");
  io::write_safetensors(directory.file("saved"), older);
  CHECK(same(corpus_of(changed)));  // of a time when it was not kept
  CHECK(corpus_of(std::string(1000, 'a')).fingerprint() == "1000 bytes, FNV-1a 3c835852fbac676d");
}

// A child saves the checkpoint again and again, numbered, and reports each number once it is saved; it is killed at a
// random moment. The file must then be whole, and as new as the last report or newer.
TEST_CASE("checkpoint: kills at random moments of saving lose nothing") {
  const TemporaryDirectory directory;
  const Corpus corpus = Corpus::from_file(write_text(directory), 16);
  const std::string path = directory.file("checkpoint");
  Trainer(tiny(), corpus).save(path);
  io::SafeTensors original = io::read_safetensors(path);
  using Clock = std::chrono::steady_clock;
  const auto begun = Clock::now();
  io::write_safetensors(path, original);
  const int64_t one_save = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begun).count();
  Generator moments(17);
  int64_t saved = 0, killed = 0, broken = 0, lost = 0;
  Sample kills(4);
  for (int moment = 0; moment < 200; ++moment) {
    const int64_t delay = moments.below(std::min<int64_t>(4 * one_save, 20000) + 2000);
    if (!kills.takes_next()) continue;
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {  // nothing here uses threads, which fork does not copy
      for (int64_t number = saved + 1;; ++number) {
        original.metadata["number"] = std::to_string(number);
        io::write_safetensors(path, original);
        if (::write(ends[1], &number, sizeof number) != sizeof number) ::_exit(1);
      }
    }
    ::close(ends[1]);
    int64_t reported = saved;
    if (killed++ % 2 == 1) REQUIRE(::read(ends[0], &reported, sizeof reported) == sizeof reported);  // a busy machine is slow
    ::usleep(static_cast<useconds_t>(delay));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    while (::read(ends[0], &reported, sizeof reported) == sizeof reported) {
    }
    ::close(ends[0]);
    try {
      const io::SafeTensors found = io::read_safetensors(path);
      for (const auto& [name, tensor] : original.tensors) broken += equal(found.tensors.at(name), tensor) ? 0 : 1;
      const auto number = found.metadata.find("number");
      saved = number == found.metadata.end() ? 0 : std::stoll(number->second);
    } catch (const Error&) {
      ++broken;
    }
    if (saved < reported) ++lost;
  }
  CHECK(broken == 0);
  CHECK(lost == 0);
  CHECK(saved >= killed / 2);  // there were saves to be killed
}
