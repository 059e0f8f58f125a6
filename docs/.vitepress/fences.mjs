// The book's ```cpp fails="…"``` fences as one program, which runs each and ends with 1 unless it throws what it has to; the
// right column of the cheat sheet, and its program, which have to run; and the snippets of the path, which have to print what
// stands below them.
//   node docs/.vitepress/fences.mjs OUT.cpp
import { writeFileSync } from "node:fs";
import { the_path } from "./book/path.mjs";
import { snippets } from "./book/snippets.mjs";
import { pages, read } from "./book/tree.mjs";

const fences = pages().flatMap((page) =>
  [...read(`docs/${page}`).matchAll(/^```cpp fails="(.*)"\n([\s\S]*?)^```$/gm)].map(([, message, code], at) => ({
    name: `docs/${page}, fence ${at + 1}`,
    message,
    code,
  }))
);

const sheet = read("docs/cheat-sheet.md");
const [before, whole] = [...sheet.matchAll(/^```cpp\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
const program = whole.replace(/^[\s\S]*?^using namespace gradus;\n/m, "").replace(/^int main\(\)/m, "void program()");
const entries = [...sheet.matchAll(/^\|.*(?<!\\)\| (.*) \|$/gm)].flatMap(([, cell]) =>
  [...cell.matchAll(/`([^`]+)`/g)]
    .map(([, code]) => code.replaceAll("\\|", "|"))
    .filter((code) => /[(;]/.test(code))
);

// Each prints into a text.
const printing = snippets(the_path()).map(({ code, ...snippet }) => ({
  ...snippet,
  code: code.replace(/\bfmt::print\(/g, "printed += fmt::format("),
}));

const literal = (text) => JSON.stringify(text);

const snippet = ({ name, code }, at) =>
  `std::string snippet_${at}() {
  std::string printed;
#line 1 ${literal(name)}
${code}  return printed;
}
`;

const counts = `${fences.length} fences, ${entries.length} entries of the cheat sheet, ${printing.length} snippets`;

writeFileSync(
  process.argv[2],
  `#include <fmt/format.h>

#include <exception>
#include <string>

#include "core/inspect/inspect.h"
#include "nn/nn.h"
#include "optim/optim.h"

using namespace gradus;

namespace {

bool fails(const char* name, void (*code)(), const std::string& message) {
  try {
    code();
    fmt::print(stderr, "{}: it does not fail\\n", name);
    return false;
  } catch (const std::exception& error) {
    if (std::string(error.what()).find(message) != std::string::npos) return true;
    fmt::print(stderr, "{}: it says \\"{}\\", not \\"{}\\"\\n", name, error.what(), message);
    return false;
  }
}

bool runs(const char* code, void (*entry)()) {
  try {
    entry();
    return true;
  } catch (const std::exception& error) {
    fmt::print(stderr, "docs/cheat-sheet.md, {}: {}\\n", code, error.what());
    return false;
  }
}

bool prints(const char* name, std::string (*code)(), const std::string& expected) {
  std::string got;
  try {
    manual_seed(0);
    got = code();
  } catch (const std::exception& error) {
    got = std::string("the error: ") + error.what();
  }
  if (got != expected) fmt::print(stderr, "{}: expected\\n{}got\\n{}\\n", name, expected, got);
  return got == expected;
}

${fences.map(({ code }, at) => `void fence_${at}() {\n${code}}\n`).join("\n")}
// Each entry with tensors of its own.
${entries.map((code, at) => `void entry_${at}() {\n${before}${code};\n}\n`).join("\n")}
${program}
${printing.map(snippet).join("\n")}
}  // namespace

int main() {
  int wrong = !runs("its program", program);
${fences.map(({ name, message }, at) => `  wrong += !fails(${literal(name)}, fence_${at}, ${literal(message)});`).join("\n")}
${entries.map((code, at) => `  wrong += !runs(${literal(code)}, entry_${at});`).join("\n")}
${printing.map(({ name, output }, at) => `  wrong += !prints(${literal(name)}, snippet_${at}, ${literal(output)});`).join("\n")}
  fmt::print("${counts}, {} wrong\\n", wrong);
  return wrong > 0;
}
`,
);
