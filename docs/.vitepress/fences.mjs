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

#include <string>

#include "nn/nn.h"
#include "optim/optim.h"

using namespace gradus;

namespace {

bool fails(const char* name, void (*code)(), const std::string& message) {
  std::string what = "nothing";
  try {
    code();
  } catch (const Error& error) {
    what = error.what();
  }
  const bool right = what.find(message) != std::string::npos;
  if (!right) fmt::print(stderr, "{}: it says \\"{}\\", not \\"{}\\"\\n", name, what, message);
  return right;
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
