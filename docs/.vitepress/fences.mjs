// The book's ```cpp fails="…"``` fences as one program, which runs each and ends with 1 unless it throws what it has to; the
// right column of the cheat sheet, which has to run; and the snippets of the path and whole programs, which have to print what stands
// below them.
//   node docs/.vitepress/fences.mjs OUT.cpp
import { writeFileSync } from "node:fs";
import { the_path } from "./book/path.mjs";
import { snippets, whole_programs } from "./book/snippets.mjs";
import { pages, read } from "./book/tree.mjs";

const fences = pages().flatMap((page) =>
  [...read(`docs/${page}`).matchAll(/^```cpp fails="(.*)"\n([\s\S]*?)^```$/gm)].map(([, message, code], at) => ({
    name: `docs/${page}, fence ${at + 1}`,
    message,
    code,
  }))
);

const sheet = read("docs/cheat-sheet.md");
const [, before] = /^```cpp\n([\s\S]*?)^```$/m.exec(sheet);
const entries = [...sheet.matchAll(/^\|.*(?<!\\)\| (.*) \|$/gm)].flatMap(([, cell]) =>
  [...cell.matchAll(/`([^`]+)`/g)]
    .map(([, code]) => code.replaceAll("\\|", "|"))
    .filter((code) => /[(;]/.test(code))
);

const literal = (text) => JSON.stringify(text);

// Each is a function in a namespace for it, and prints into a text. Includes become empty lines.
const bodies = [
  ...snippets(the_path()).map((one) => ({ ...one, body: `void run() {\n#line 1 ${literal(one.name)}\n${one.code}}\n` })),
  ...whole_programs().map((one) => ({
    ...one,
    body: `#line 1 ${literal(one.name)}\n${one.code.replace(/^#include.*/gm, "").replace(/^int main\(/m, "void run(")}`,
  })),
];
const printing = bodies.map(({ body, ...one }) => ({ ...one, body: body.replace(/\bfmt::print\(/g, "printed += fmt::format(") }));

const counts = `${fences.length} fences, ${entries.length} entries of the cheat sheet, ${printing.length} snippets and programs`;

writeFileSync(
  process.argv[2],
  `#include <fmt/format.h>

#include <cmath>
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

std::string printed;

bool prints(const char* name, void (*code)(), const std::string& expected) {
  printed.clear();
  try {
    manual_seed(0);
    code();
  } catch (const std::exception& error) {
    printed = std::string("the error: ") + error.what();
  }
  if (printed != expected) fmt::print(stderr, "{}: expected\\n{}got\\n{}\\n", name, expected, printed);
  return printed == expected;
}

${fences.map(({ code }, at) => `void fence_${at}() {\n${code}}\n`).join("\n")}
// Each entry with tensors of its own.
${entries.map((code, at) => `void entry_${at}() {\n${before}${code};\n}\n`).join("\n")}
${printing.map(({ body }, at) => `namespace printing_${at} {\n${body}}  // namespace printing_${at}\n`).join("\n")}
}  // namespace

int main() {
  int wrong = 0;
${fences.map(({ name, message }, at) => `  wrong += !fails(${literal(name)}, fence_${at}, ${literal(message)});`).join("\n")}
${entries.map((code, at) => `  wrong += !runs(${literal(code)}, entry_${at});`).join("\n")}
${printing.map(({ name, output }, at) => `  wrong += !prints(${literal(name)}, printing_${at}::run, ${literal(output)});`).join("\n")}
  fmt::print("${counts}, {} wrong\\n", wrong);
  return wrong > 0;
}
`,
);
