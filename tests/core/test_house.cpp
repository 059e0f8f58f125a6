// The house as docs/inside.md draws it: every arrow points down, each idea in one place; and what docs/how-to-add.md says of
// adding a part is so. All is read off the sources themselves.
#include <algorithm>
#include <filesystem>
#include <regex>

#include "tests/core/sources.h"
#include "tests/support/check.h"

using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

std::string without_comments(const std::string& text) { return std::regex_replace(text, std::regex("//[^\n]*"), ""); }

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

// The floor of a file of core, counted from the ground.
int floor_of(const std::string& path) {
  const std::vector<std::string> floors{"core/check.h", "core/machine",  "core/tensor",     "core/kernels", "core/tape",
                                        "core/ops",     "core/autograd", "core/composites", "core/inspect"};
  const std::string room = path == floors[0] ? path : folder_of(path);
  if (room == "core/options") return 1;  // it knows check.h alone
  if (room == "core/io") return 2;       // it knows tensors alone
  const auto floor = std::find(floors.begin(), floors.end(), room);
  return static_cast<int>(floor - floors.begin());  // core.h is above all
}

std::vector<std::string> includes_of(const std::string& text) { return found(text, "^#include \"([^\"]+)\""); }

// The recipe of docs/how-to-add.md for adding this: "an op".
std::string recipe(const std::string& what) {
  const auto rows = found(text_of("docs/how-to-add.md"), "^\\| " + what + " \\| (.*) \\|$");
  return rows.size() == 1 ? rows[0] : "";
}

bool names_file(const std::string& recipe, const std::string& path) { return recipe.find("`" + path + "`") != std::string::npos; }

}  // namespace

TEST_CASE("house: in core every arrow points down but one, from a tensor to the node that made it") {
  std::string up;
  for (const auto& [path, text] : sources({"core"})) {
    for (const std::string& included : includes_of(text)) {
      CHECK_MESSAGE(included.rfind("core/", 0) == 0, path, " includes ", included);
      if (floor_of(included) > floor_of(path)) up += path + " -> " + included + "\n";
    }
  }
  CHECK(up == "core/tensor/tensor.cpp -> core/tape/node.h\n");
}

TEST_CASE("house: what computes needs nothing of core/inspect") {
  for (const auto& [path, text] : sources({"core", "nn", "optim"})) {
    if (path.rfind("core/inspect/", 0) == 0) continue;
    for (const std::string& included : includes_of(text)) {
      CHECK_MESSAGE(included.rfind("core/inspect/", 0) != 0, path, " includes ", included);
    }
  }
}

// "core", "nn", "optim", and above these "optim/distributed".
std::string library_of(const std::string& path) {
  const std::string many_ranks = "optim/distributed";
  return path.rfind(many_ranks + "/", 0) == 0 ? many_ranks : path.substr(0, path.find('/'));
}

TEST_CASE("house: nn and optim know core, and not each other; optim/distributed knows all three, and none of them knows it") {
  const std::map<std::string, Names> known{
      {"nn", {"core", "nn"}}, {"optim", {"core", "optim"}}, {"optim/distributed", {"core", "nn", "optim", "optim/distributed"}}};
  for (const auto& [path, text] : sources({"nn", "optim"})) {
    for (const std::string& included : includes_of(text)) {
      CHECK_MESSAGE(known.at(library_of(path)).count(library_of(included)) == 1, path, " includes ", included);
    }
  }
}

TEST_CASE("house: one file knows MPI") {
  CHECK(files_with(sources({"core", "nn", "optim", "examples", "tests"}), "^#include <mpi\\.h>") == "optim/distributed/mpi.cpp\n");
}

TEST_CASE("house: no program of examples includes what is in the folder of another") {
  const auto program_of = [](const std::string& path) { return found(path, "^examples/(\\w+)/"); };
  for (const auto& [path, text] : sources({"examples"})) {
    for (const std::string& included : includes_of(text)) {
      const auto program = program_of(included);
      if (program.empty() || program[0] == "shared") continue;
      CHECK_MESSAGE(program_of(path) == program, path, " includes ", included);
    }
  }
}

TEST_CASE("house: no two folders of nn include each other, over any number of steps") {
  std::map<std::string, Names> below;  // the folders that a folder includes
  for (const auto& [path, text] : sources({"nn"})) {
    if (folder_of(path) == "nn") continue;
    for (const std::string& included : includes_of(text)) {
      const std::string folder = folder_of(included);
      if (folder.rfind("nn/", 0) == 0 && folder != folder_of(path)) below[folder_of(path)].insert(folder);
    }
  }
  for (std::size_t pass = 0; pass < below.size(); ++pass) {
    for (auto& [folder, known] : below) {
      for (const std::string& other : Names(known)) known.insert(below[other].begin(), below[other].end());
    }
  }
  for (const auto& [folder, known] : below) CHECK_MESSAGE(known.count(folder) == 0, folder, " is below itself");
}

TEST_CASE("house: core names no layer and no optimizer") {
  const Names shared{"relu", "sigmoid", "none", "learned", "optimizer", "reduction"};  // ops, and plain words
  std::string pattern;
  for (const auto& [path, text] : sources({"nn/activation", "nn/norm", "nn/attention", "nn/position", "nn/loss", "nn/recurrent",
                                           "nn/feed_forward", "nn/convolution", "optim"})) {
    const std::string stem = fs::path(path).stem().string();
    if (shared.count(stem) == 0 && library_of(path) != "optim/distributed") pattern += (pattern.empty() ? "" : "|") + stem;
  }
  CHECK(files_with(sources({"core"}), "\\b(?:" + pattern + ")\\b") == "");
}

TEST_CASE("house: OpenMP and matrix libraries stand in kernels alone") {
  for (const auto& [path, text] : sources({"core", "nn", "optim", "examples"})) {
    if (path.find("kernel") != std::string::npos || path == "core/machine/threads.cpp") continue;
    CHECK_MESSAGE(!has(text, "#pragma omp|#include <(?:omp|cblas|oneapi)"), path);
  }
}

TEST_CASE("house: no function is longer than 60 lines") {
  int count = 0;
  for (const auto& [path, text] : sources({"core", "nn", "optim"})) {
    for (const FunctionBody& body : functions(text)) {
      CHECK_MESSAGE(body.lines <= 60, path, ":", body.first, " has ", body.lines);
      ++count;
    }
  }
  CHECK(count > 1000);
  const std::string thing = "struct A {\n  int f() const {\n    return g('{');  // }\n  }\n};\n";
  REQUIRE(functions(thing).size() == 1);
  CHECK(functions(thing)[0].first == 2);
  CHECK(functions(thing)[0].lines == 3);
}

TEST_CASE("house: README shows programs of examples/first as they stand there; each has 120 lines at most") {
  const std::string readme = text_of("README.md");
  std::size_t shown = 0;
  for (const auto& [path, text] : sources({"examples/first"})) {
    CHECK_MESSAGE(std::count(text.begin(), text.end(), '\n') <= 120, path);
    shown += readme.find("```cpp\n" + text + "```\n") != std::string::npos;
  }
  CHECK(shown == 2);
  CHECK(found(readme, "^(```cpp)$").size() == shown);
}

TEST_CASE("house: no two formulas have one name") {
  Names regions;
  for (const auto& [path, text] : sources({"core", "nn", "optim"})) {
    for (const std::string& region : found(text, "// #region (\\S+)")) {
      CHECK_MESSAGE(regions.insert(region).second, path, ": ", region, " is there twice");
      CHECK_MESSAGE(has(text, "// #endregion " + region + "$"), path, ": ", region, " does not end");
    }
  }
  CHECK(regions.size() > 100);
}

TEST_CASE("recipe: an op is declared, defined and tested where the recipe says, and nowhere else") {
  const std::string steps = recipe("an op"), rows = text_of("tests/support/op_table.cpp");
  for (const char* file : {"core/ops/ops.h", "tests/support/op_table.cpp", "core/kernels/kernels.h"}) CHECK(names_file(steps, file));
  const Sources files = sources({"core"});
  const std::vector<std::string> names = found(text_of("core/ops/ops.h"), "^Tensor (\\w+)\\(");
  CHECK(names.size() > 50);
  for (const std::string& name : Names(names.begin(), names.end())) {
    CAPTURE(name);
    CHECK(has(rows, "\\{\"" + name + "[\"/]"));
    int families = 0, kernels = 0;
    for (const auto& [path, text] : naming(files, name)) {
      if (!has(text, "^(?:inline )?Tensor " + name + "\\(")) continue;
      CHECK_MESSAGE((folder_of(path) == "core/ops" || folder_of(path) == "core/kernels"), path);
      families += folder_of(path) == "core/ops" && path != "core/ops/ops.h";
      kernels += folder_of(path) == "core/kernels" && path != "core/kernels/kernels.h";
    }
    CHECK(families == 1);
    CHECK(kernels <= 1);
  }
}

TEST_CASE("recipe: a composite is declared, defined and tested where the recipe says, and puts nothing on the tape itself") {
  const std::string steps = recipe("a composite");
  for (const char* file : {"core/composites/composites.h", "tests/support/op_table.cpp"}) CHECK(names_file(steps, file));
  const auto files = sources({"core/composites"});
  const std::vector<std::string> names = found(text_of("core/composites/composites.h"), "^Tensor (\\w+)\\(");
  CHECK(names.size() > 20);
  for (const std::string& name : Names(names.begin(), names.end())) {
    CAPTURE(name);
    CHECK(found(files_with(files, "^Tensor " + name + "\\("), "(\\.cpp)$").size() == 1);
  }
  for (const auto& [path, text] : files) CHECK_MESSAGE(!has(text, "core/tape/|\\brecord\\("), path);
}

// Each name of the table is declared in one header, and defined or completed in the source beside it and its kernel.
// Besides them, only users (given by name), the table and example programs know it.
void check_family(const std::string& what, const std::string& table, const std::string& folder, const std::string& in_row,
                  const std::string& declared, const Names& used) {
  CHECK(names_file(recipe(what), table));
  const auto files = sources({"core", "nn", "optim", "examples"});
  auto code = files;
  for (auto& [path, text] : code) text = without_comments(text);
  const std::vector<std::string> members = found(text_of(table), in_row);
  CHECK(members.size() >= 10);
  for (const std::string& member : Names(members.begin(), members.end())) {
    CAPTURE(member);
    const std::string header = files_with(naming(files, member), std::regex_replace(declared, std::regex("NAME"), member));
    const std::string stem = header.substr(0, header.rfind('.'));
    CHECK(header == stem + ".h\n");  // one
    CHECK(folder_of(stem) == folder);
    if (used.count(member) != 0) continue;
    for (const auto& [path, text] : naming(code, member)) {
      // Programs, a reader's own among them, and what is written for one chapter, about one claim, or as a mistake, an exercise or a widget.
      static const std::regex program(R"(examples/(?:(?:first/)?\w+|(\w+)/\1)\.cpp)");
      if (std::regex_match(path, program) || path.rfind("examples/ch", 0) == 0 || path.rfind("examples/claims/", 0) == 0 ||
          path.rfind("examples/exercises/", 0) == 0 || path.rfind("examples/shared/mistakes/", 0) == 0 ||
          path.rfind("examples/widgets/", 0) == 0) {
        continue;
      }
      const bool own = path.rfind(stem + ".", 0) == 0 || path.rfind(stem + "_kernel.", 0) == 0;
      if (!own && path != table) CHECK_MESSAGE(!has(text, "\\b" + member + "\\b"), path, " knows ", member);
    }
  }
}

TEST_CASE("recipe: a norm is its header, its source and a row") {
  check_family("a norm", "nn/norm/norm_table.cpp", "nn/norm", "(?:make_unique|per_token)<(\\w+)>\\((?!std)", "^class NAME\\b[^;]* \\{$",
               {"LayerNorm", "GroupNorm", "BatchNorm1d", "RMSNorm", "PerToken"});
}

TEST_CASE("recipe: an optimizer is its header, its source and a row") {
  check_family("an optimizer", "optim/optimizer_table.cpp", "optim", "make<(\\w+), ", "^class NAME\\b[^;]* \\{$",
               {"Adam", "AdamW", "Momentum", "Muon"});
}

TEST_CASE("recipe: a schedule is its formula and a row") {
  check_family("a schedule", "optim/schedule.cpp", "optim", "\"schedule-[a-z-]+\", (\\w+)\\}", "^double NAME\\(.*\\);$",
               {"warmup_schedule"});
}

TEST_CASE("recipe: an activation is its header, its source and a row") {
  check_family("an activation", "nn/activation/activation_table.cpp", "nn/activation", "layer\\(act::(\\w+)",
               "^(?:extern const )?Activation (?:\\w+, )?NAME[;(,]",
               {"relu", "tanh", "sigmoid", "gelu", "gelu_tanh", "silu", "relu2", "softmax", "elu", "relu6", "hardsigmoid", "log_softmax",
                "softplus", "quick_gelu"});
}
