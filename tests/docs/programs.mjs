// The programs and snippets of the path, compiled, linked and run in node by the code and the files of the page, print what the book
// prints, also with the names that a walk asks for: node programs.mjs [NAME...]. Of programs that train for long, the first lines.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { docs, read, root } from "../../docs/.vitepress/book/tree.mjs";
import { build, line_of_error } from "../../docs/.vitepress/theme/programs/program.mjs";
import { Ended, run } from "../../docs/.vitepress/theme/programs/system.mjs";
import { lines_at, with_lines, with_names } from "../../docs/.vitepress/theme/programs/walk.mjs";
import { runLLVM } from "../../docs/node_modules/@yowasp/clang/gen/bundle.js";
import { all_snippets, difference, programs } from "./programs_cases.mjs";

const part = (name) => gunzipSync(readFileSync(join(docs, "public/library", `${name}.gz`)));
const parts = { headers: JSON.parse(part("headers.json")), header: part("program.pch"), library: part("libgradus.a") };
const files = new Map([["examples/data/shakespeare.txt", new Uint8Array(part("shakespeare.txt"))]]);

// What a compiler of this machine makes of it prints what the page has to print.
function printed_here(source) {
  const folder = mkdtempSync(join(tmpdir(), "gradus-"));
  try {
    execFileSync("c++", ["-std=c++20", source, "-o", join(folder, "program")]);
    return execFileSync(join(folder, "program"), { encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const exceptions = "tests/docs/exceptions.cpp";
const own = { name: "exceptions", text: read(exceptions), output: printed_here(join(root, exceptions)) };

const cases = [own, ...all_snippets, ...programs];

// What it prints, up to that many lines, and how it ended.
async function run_of(text, lines) {
  const began = performance.now();
  const { module, said } = await build(runLLVM, text, parts);
  const built = performance.now();
  if (!module) return { said };
  let printed = "";
  const print = (piece) => {
    printed += piece;
    if (lines !== undefined && printed.split("\n").length > lines) throw new Ended(0);
  };
  const ended = await run(await WebAssembly.compile(module), files, print);
  const seconds = [built - began, performance.now() - built].map((ms) => (ms / 1000).toFixed(1));
  return { printed, ...ended, seconds, bytes: module.length };
}

const wrong = [];
async function attempt(name, f) {
  try {
    await f();
  } catch (error) {
    wrong.push(`${name}: ${error.message}`);
  }
}

await runLLVM(null, {}, { fetchProgress: () => {} });
const asked = process.argv.slice(2);
let exact = 0;
for (const { name, text, output, lines } of cases.filter(({ name }) => asked.length === 0 || asked.some((one) => name.includes(one)))) {
  await attempt(name, async () => {
    const { printed, said, code, why, seconds, bytes } = await run_of(with_names(text), lines);
    assert.equal(said, undefined);
    assert.equal(code, 0, `${why}\n${printed}`);
    const off = difference(output, printed);
    exact += off === 0;
    console.log(
      `${name}: built in ${seconds[0]} s, ran ${seconds[1]} s, ${bytes} bytes${off > 0 ? `, off by ${off.toExponential(1)}` : ""}`,
    );
  });
}
console.log(`${cases.length} programs and snippets, ${exact} of them to the last digit`);

// What goes wrong is said.
const faults = [
  ["a missing semicolon", 'Tensor a = tensor(1);\nTensor b = a\nfmt::print("{}\\n", b);\n', { line: 2, said: /expected ';'/ }],
  ["shapes", 'Tensor a = ones({2, 3});\nfmt::print("{}\\n", matmul(a, a));\n', { code: 134,
    printed: /gradus::ShapeError: matmul: .*\[2, 3\]/ }],
  ["a name with a layer", "nn::Sequential model(nn::Linear(2, 3), nn::Linear(2, 3));\nmodel(ones({1, 2}));\n", { code: 134,
    printed: /ShapeError: Sequential\.1, Linear\(2 -> 3\): linear/ }],
  ["a catch", 'try {\n  ones({2}) + ones({3});\n} catch (const ShapeError& error) {\n  fmt::print("caught {}\\n", error.what());\n}\n', {
    code: 0,
    printed: /caught add/,
  }],
  ["endless recursion",
    'struct F { static int f(int n) { volatile int a[64] = {}; return n + a[0] + f(n + 1) + f(n); } };\nfmt::print("{}\\n", F::f(1));\n', {
    code: 139,
    why: /stack was full|outside/,
  }],
  ["memory", "Tensor x = zeros({1 << 20});\nfor (int i = 0; i < 12; ++i) x = cat({x, x}, 0);\n", { code: 134,
    printed: /MemoryError: cat: no memory for \[268435456\]/ }],
  ["endless output", 'for (;;) fmt::print("again and again\\n");\n', { code: 134, why: /printed more than 200,000 bytes/ }],
  ["abort", "std::abort();\n", { code: 134, why: /abort/ }],
  ["exit", "std::exit(3);\n", { code: 3 }],
];
for (const [name, text, expected] of faults.filter(([name]) => asked.length === 0 || asked.includes("faults") || asked.includes(name))) {
  await attempt(name, async () => {
    const got = await run_of(text);
    if (expected.line) assert.equal(line_of_error(got.said), expected.line, got.said);
    for (const key of ["said", "why", "printed"]) if (expected[key]) assert.match(got[key] ?? JSON.stringify(got), expected[key]);
    if (expected.code !== undefined) assert.equal(got.code, expected.code, JSON.stringify(got).slice(0, 500));
  });
}

// A walk has the names and the lines of the program: of what is called, first that line, and then the one that calls.
const walks = `auto twice = [](const Tensor& x) { // a, b = c; {
  const Tensor y = x + x;
  return y; };
Tensor a = tensor(3).set_requires_grad(), b = tensor(4);
for (int i = 0; i < 3; ++i) sum(twice(a)
  * b).backward();
`;
await attempt("a walk", async () => {
  const { module, said } = await build(runLLVM, with_names(walks), parts);
  assert.equal(said, undefined);
  const walk = async (number) => run(await WebAssembly.compile(module), files, () => {}, number);
  assert.equal((await walk()).walks, 3);
  const { html, stacks } = await walk(3), lines = await lines_at(runLLVM, module, [...new Set([...stacks.values()].flat())]);
  const [, json] = /class="trace">([^]*?)<\/script>/.exec(with_lines(html, walks, stacks, lines)), trace = JSON.parse(json);
  assert.equal(trace.program, walks);
  const seen = trace.tensors.map(({ name, op, lines }) => `${name ?? "-"} ${op ?? "-"} ${lines}`);
  assert.deepEqual(seen, ["a - 4", "b - 4", "y add 2,5", "- mul 6", "- sum 5"]);
});
for (const one of wrong) console.error(one);
process.exit(wrong.length > 0 ? 1 : 0);
