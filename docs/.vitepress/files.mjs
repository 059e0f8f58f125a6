// The files that a page shows whole, in fences ```cpp file=nn/norm/l1_norm.h, written below a folder.
//   node docs/.vitepress/files.mjs PAGE FOLDER
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [page, folder] = process.argv.slice(2);
for (const [, indent, path, code] of readFileSync(page, "utf8").matchAll(/^( *)```cpp file=(\S+)\n([\s\S]*?)^\1```$/gm)) {
  const to = join(folder, path);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, code.replace(new RegExp(`^${indent}`, "gm"), ""));
}
