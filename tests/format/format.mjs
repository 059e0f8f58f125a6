// format.mjs STYLE [--write]: compares the C++ files that standard input names with what the formatter makes of them, and
// names the first line of each that differs, or writes it.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const { format } = await import(createRequire(`${process.env.GRADUS_NODE_MODULES}/x.js`).resolve("@wasm-fmt/clang-format"));
const [style, write] = [readFileSync(process.argv[2], "utf8"), process.argv[3] === "--write"];
const files = readFileSync(0, "utf8").trim().split("\n").sort();
let differing = 0;
for (const file of files) {
  const before = readFileSync(file, "utf8"), after = format(before, file, style);
  if (before === after) continue;
  ++differing;
  const [old, formatted] = [before.split("\n"), after.split("\n")];
  const line = formatted.findIndex((text, i) => text !== old[i]);
  console.log(`${file}:${line + 1}: ${old[line]?.trim()}\n  formatted: ${formatted[line].trim()}`);
  if (write) {
    writeFileSync(`${file}.new`, after);
    renameSync(`${file}.new`, file);
  }
}
console.log(`${files.length - differing} of ${files.length} files were formatted`);
if (differing && !write) {
  console.log("tests/format/format_test.sh --write formats the others");
  process.exit(1);
}
