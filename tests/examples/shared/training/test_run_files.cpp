// A run's configuration, metrics and sample are written whole or not at all: on a disk that is full, by a process that is
// killed in the middle, and in a directory that may not be written into.
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "examples/shared/training/run_files.h"
#include "tests/core/io/full_disk.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/support/check.h"

using namespace gradus;
using examples::RunFiles;
namespace fs = std::filesystem;

namespace {

const std::string kLong(3000, 'x');  // longer than the disks below have room for

// A directory with a run of 40 steps.
struct Run {
  Run() {
    RunFiles files = RunFiles::create(path, {{"d_model", 16}, {"prompt", kLong}});
    for (int step = 1; step <= 40; ++step) {
      files.add_metrics({{"step", step}, {"loss", 2.5}, {"lr", 0.001}, {"gradient_norm", 1.0}, {"ms", 3.0}});
    }
    files.write_sample("The " + kLong);
    std::ofstream(files.checkpoint()) << "weights";
  }
  RunFiles open() const { return RunFiles::open(path); }

  // The bytes of every file, by its name.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> bytes;
    for (const auto& entry : fs::directory_iterator(path)) bytes[entry.path().filename()] = read_bytes(entry.path());
    return bytes;
  }

  TemporaryDirectory directory;
  fs::path path = directory.file("run");
};

const std::pair<const char*, void (*)(RunFiles&)> kWrites[] = {
    {"config.json", [](RunFiles& files) { files.write_config({{"d_model", 32}, {"prompt", kLong}}); }},
    {"metrics.jsonl", [](RunFiles& files) { files.keep_metrics_until(30, true); }},
    {"sample.txt", [](RunFiles& files) { files.write_sample("A " + kLong); }},
};

// What a process that may only do what others may does. (A superuser may write everywhere.)
class OneOfTheOthers {
 public:
  OneOfTheOthers() : before_(::geteuid()) {
    if (before_ == 0) REQUIRE(::seteuid(65534) == 0);
  }
  ~OneOfTheOthers() {
    if (before_ == 0) (void)!::seteuid(0);
  }
  OneOfTheOthers(const OneOfTheOthers&) = delete;
  OneOfTheOthers& operator=(const OneOfTheOthers&) = delete;

 private:
  uid_t before_;
};

}  // namespace

TEST_CASE("run files: on a full disk a file stays as it was, none is left over, and the error names file and reason") {
  const Run run;
  const auto before = run.contents();
  for (const auto& [name, write] : kWrites) {
    for (const rlim_t room : {0, 100}) {
      RunFiles files = run.open();
      const FullDisk disk(room);
      const std::string reason = (run.path / name).string() + ": writing failed: File too large";
      CHECK_THROWS_WITH_AS(write(files), reason.c_str(), IoError);
      CHECK(run.contents() == before);
    }
  }
}

TEST_CASE("run files: killed in the middle of a write, a run has its files as they were, and the next process clears up") {
  const Run run;
  const auto before = run.contents();
  for (const auto& [name, write] : kWrites) {
    CAPTURE(name);
    const pid_t child = ::fork();
    if (child == 0) {
      const rlimit no_core{};
      ::setrlimit(RLIMIT_CORE, &no_core);
      RunFiles files = run.open();
      const FullDisk disk(100, SIG_DFL);
      write(files);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE((WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ));
    auto after = run.contents();
    CHECK(after.size() == before.size() + 1);  // with what it had begun
    run.open();
    after = run.contents();
    CHECK(after == before);
  }
}

TEST_CASE("run files: without a folder of its own a run takes the first number that is free") {
  const TemporaryDirectory directory;
  const fs::path before = fs::current_path();
  fs::current_path(directory.file(""));
  const RunFiles first = RunFiles::create_numbered("a", {{"d_model", 16}}), second = RunFiles::create_numbered("a", {{"d_model", 16}});
  fs::create_directory("runs/a-3");
  std::ofstream("runs/a-3/checkpoint.safetensors") << "weights";
  const RunFiles last = RunFiles::create_numbered("a", {{"d_model", 16}});
  fs::current_path(before);
  CHECK(first.directory() == fs::path("runs/a"));
  CHECK(second.directory() == fs::path("runs/a-2"));
  CHECK(last.directory() == fs::path("runs/a-4"));
}

TEST_CASE("run files: what may not be written, or read, is told with the file and the reason") {
  const Run run;
  const fs::path closed = run.directory.file("closed"), config = run.path / "config.json";
  fs::create_directory(closed);
  fs::permissions(run.path.parent_path(), fs::perms(0755));
  fs::permissions(closed, fs::perms(0555));
  fs::permissions(config, fs::perms(0000));
  {
    const OneOfTheOthers limited;
    const auto refused = [](const std::function<void()>& call, const std::string& reason) {
      CHECK_THROWS_WITH_AS(call(), reason.c_str(), IoError);
    };
    refused([&] { RunFiles::create(closed, {{"d_model", 16}}); },
            (closed / "config.json").string() + ": a temporary file beside it cannot be created: Permission denied");
    refused([&] { RunFiles::create(closed / "inside", {{"d_model", 16}}); },
            "--out: cannot make the directory " + (closed / "inside").string() + ": Permission denied");
    refused([&] { (void)run.open().read_config(); }, config.string() + ": cannot be opened: Permission denied");
  }
  fs::permissions(closed, fs::perms(0755));
  CHECK(fs::is_empty(closed));
}

TEST_CASE("run files: in a directory that is moved, or that another process trains in, nothing is written") {
  const Run run;
  const fs::path moved = run.directory.file("moved");
  const std::string reason = (run.path / "metrics.jsonl").string() +
                             ": was moved, removed or replaced, or another process writes it; nothing more is written there";
  RunFiles files = run.open();
  const auto refuses_all = [&] {
    for (const auto& [name, write] : kWrites) {
      CAPTURE(name);
      CHECK_THROWS_WITH_AS(write(files), reason.c_str(), IoError);
    }
    CHECK_THROWS_WITH_AS(files.add_metrics({{"step", 41}, {"loss", 2.5}}), reason.c_str(), IoError);
    CHECK_THROWS_WITH_AS(files.check_in_place(), reason.c_str(), IoError);
  };
  fs::rename(run.path, moved);
  fs::create_directory(run.path);
  refuses_all();
  CHECK(fs::is_empty(run.path));
  fs::remove(run.path);
  fs::rename(moved, run.path);
  CHECK_NOTHROW(files.write_sample("The"));
  run.open().add_metrics({{"step", 41}, {"loss", 2.5}});
  refuses_all();
}

TEST_CASE("run files: a run that goes on keeps the validation loss of its end, one that ends there again makes it again") {
  const TemporaryDirectory directory;
  RunFiles files = RunFiles::create(directory.file("run"), {{"d_model", 16}});
  const auto add = [&](int step) { files.add_metrics({{"step", step}, {"loss", 2.5}}); };
  const auto end = [&](int step) { files.add_metrics({{"step", step}, {"validation_loss", step}}); };
  const auto kept = [&](int step, bool goes_on) {
    std::vector<int> steps;
    for (const nlohmann::json& line : files.read_metrics(step, goes_on)) {
      steps.push_back(line.contains("loss") ? line.at("step").get<int>() : -line.at("step").get<int>());
    }
    return steps;
  };
  end(0);
  add(1), add(2), end(2), add(3), end(3), end(3);
  CHECK(kept(3, true) == std::vector<int>{0, 1, 2, -2, 3, -3});
  CHECK(kept(3, false) == std::vector<int>{0, 1, 2, -2, 3});
  CHECK(kept(2, true) == std::vector<int>{0, 1, 2, -2});
  CHECK(kept(1, true) == std::vector<int>{0, 1});
}
