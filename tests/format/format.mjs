// format.mjs ROOT [--write]: compares the files that standard input names with what the formatter of their language makes
// of them, and names the first line of each that differs, or writes it.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname } from "node:path";

const { resolve } = createRequire(`${process.env.GRADUS_NODE_MODULES}/x.js`);
const clang = await import(resolve("@wasm-fmt/clang-format"));
const ruff = await import(resolve("@wasm-fmt/ruff_fmt"));
const dprint = await import(resolve("@dprint/formatter"));
const [root, write] = [process.argv[2], process.argv[3] === "--write"];

// A folder's .clang-format adds to the one above it.
function clang_style(folder) {
  const own = existsSync(`${folder}/.clang-format`) ? readFileSync(`${folder}/.clang-format`, "utf8") : "";
  return (folder === root ? "" : clang_style(dirname(folder))) + own.replace("BasedOnStyle: InheritParentConfig\n", "");
}

const { lineWidth, indentWidth, typescript } = JSON.parse(readFileSync(`${root}/.dprint.json`, "utf8"));
const script = dprint.createFromBuffer(readFileSync(resolve("@dprint/typescript/plugin.wasm")));
script.setConfig({ lineWidth, indentWidth }, typescript);
const line_width = Number(/line-length = (\d+)/.exec(readFileSync(`${root}/.ruff.toml`, "utf8"))[1]);

const as_c = (path, text) => clang.format(text, path, clang_style(dirname(path)));
const as_script = (path, text) => script.formatText({ filePath: path, fileText: text });
const as_python = (path, text) => ruff.format(text, path, { line_width, indent_style: "space", indent_width: 4 });
const formatter = { ".h": as_c, ".cpp": as_c, ".js": as_script, ".mjs": as_script, ".py": as_python };

const files = readFileSync(0, "utf8").trim().split("\n").sort();
let differing = 0;
for (const file of files) {
  const before = readFileSync(file, "utf8"), after = formatter[extname(file)](file, before);
  if (before === after) continue;
  ++differing;
  const [old, formatted] = [before.split("\n"), after.split("\n")];
  const line = formatted.findIndex((text, i) => text !== old[i]);
  console.log(`${file}:${line + 1}: ${old[line]?.trim()}\n  formatted: ${formatted[line]?.trim()}`);
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
