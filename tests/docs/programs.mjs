// The programs and snippets of the path, compiled, linked and run in node by the code and the files of the page, print what the book
// prints: node programs.mjs [NAME...]. Of programs that train for long, the first lines.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { the_path } from "../../docs/.vitepress/book/path.mjs";
import { snippets } from "../../docs/.vitepress/book/snippets.mjs";
import { docs, read, root } from "../../docs/.vitepress/book/tree.mjs";
import { build, line_of_error } from "../../docs/.vitepress/theme/programs/program.mjs";
import { Ended, run } from "../../docs/.vitepress/theme/programs/system.mjs";
import { runLLVM } from "../../docs/node_modules/@yowasp/clang/gen/bundle.js";

// A sum of many numbers is not the same where no multiplication is fused with an addition, and training makes that larger.
const LEAST = 1e-6, TRAINED = 3e-3;
const lines_of_training = { bytes: 3, attention: 2, block: 1, gpt: 1 }; // as many as take seconds

const part = (name) => gunzipSync(readFileSync(join(docs, "public/library", `${name}.gz`)));
const parts = { headers: JSON.parse(part("headers.json")), header: part("program.pch"), library: part("libgradus.a") };
const files = new Map([["examples/data/shakespeare.txt", new Uint8Array(part("shakespeare.txt"))]]);

const thread = read("docs/thread.md");
const programs = [...thread.matchAll(/^`\.\/examples\/run (\w+)` prints\n\n```text\n([^]*?)^```$/gm)].map(([, name, output]) => ({
  name,
  text: read(`examples/first/${name}.cpp`),
  output,
  lines: lines_of_training[name],
}));

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

const cases = [own, ...snippets(the_path()).map(({ name, code, output }) => ({ name, text: code, output })), ...programs];

// The largest difference of two texts whose words are the same and whose numbers are nearly so.
function difference(expected, got) {
  const number = /-?\d+\.\d+(?:e[-+]\d+)?/g;
  assert.equal(got.replace(number, "#"), expected.replace(number, "#"));
  const [a, b] = [expected, got].map((text) => (text.match(number) ?? []).map(Number));
  return Math.max(0, ...a.map((value, i) => Math.abs(value - b[i]) / Math.max(1, Math.abs(value))));
}

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
    const { printed, said, code, why, seconds, bytes } = await run_of(text, lines);
    assert.equal(said, undefined);
    assert.equal(code, 0, `${why}\n${printed}`);
    const expected = lines === undefined ? output : `${output.split("\n").slice(0, lines).join("\n")}\n`;
    const off = difference(expected, printed);
    exact += off === 0;
    console.log(
      `${name}: built in ${seconds[0]} s, ran ${seconds[1]} s, ${bytes} bytes${off > 0 ? `, off by ${off.toExponential(1)}` : ""}`,
    );
    assert.ok(off <= (/step/.test(output) ? TRAINED : LEAST), `expected\n${expected}got\n${printed}`);
  });
}
console.log(`${cases.length} programs and snippets, ${exact} of them to the last digit`);

// What goes wrong is said.
const faults = [
  ["a missing semicolon", 'Tensor a = tensor(1);\nTensor b = a\nfmt::print("{}\\n", b);\n', { line: 2, said: /expected ';'/ }],
  ["shapes", 'Tensor a = ones({2, 3});\nfmt::print("{}\\n", matmul(a, a));\n', { code: 134,
    printed: /gradus::ShapeError: matmul: .*\[2, 3\]/ }],
  ["a name with a layer", "nn::Sequential model(nn::Linear(2, 3), nn::Linear(2, 3));\nmodel(ones({1, 2}));\n", { code: 134,
    printed: /ShapeError: Sequential.*layer 2/ }],
  ["a catch", 'try {\n  ones({2}) + ones({3});\n} catch (const ShapeError& error) {\n  fmt::print("caught {}\\n", error.what());\n}\n', {
    code: 0,
    printed: /caught add/,
  }],
  ["endless recursion",
    'struct F { static int f(int n) { volatile int a[64] = {}; return n + a[0] + f(n + 1) + f(n); } };\nfmt::print("{}\\n", F::f(1));\n', {
    code: 139,
    why: /stack was full|outside/,
  }],
  ["memory", "Tensor x = zeros({1 << 20});\nfor (int i = 0; i < 12; ++i) x = cat({x, x});\n", { code: 134,
    printed: /MemoryError: memory: none left/ }],
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
for (const one of wrong) console.error(one);
process.exit(wrong.length > 0 ? 1 : 0);
