// The book's ```cpp fails="…"``` fences as one program, which runs each and ends with 1 unless it throws what it has to.
//   node docs/.vitepress/fences.mjs OUT.cpp
import { writeFileSync } from "node:fs";
import { pages, read } from "./book/tree.mjs";

const fences = pages().flatMap((page) =>
  [...read(`docs/${page}`).matchAll(/^```cpp fails="(.*)"\n([\s\S]*?)^```$/gm)].map(([, message, code], at) => ({
    name: `docs/${page}, fence ${at + 1}`,
    message,
    code,
  })),
);

const literal = (text) => JSON.stringify(text);

writeFileSync(
  process.argv[2],
  `#include <fmt/core.h>

#include <exception>
#include <string>

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

${fences.map(({ code }, at) => `void fence_${at}() {\n${code}}\n`).join("\n")}
}  // namespace

int main() {
  int wrong = 0;
${fences.map(({ name, message }, at) => `  wrong += !fails(${literal(name)}, fence_${at}, ${literal(message)});`).join("\n")}
  fmt::print("${fences.length} fences, {} wrong\\n", wrong);
  return wrong > 0;
}
`,
);
