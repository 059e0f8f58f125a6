// The headers that a program in the page can include, as JSON, and precompiled by the page's own compiler:
//   node precompile.mjs COMPILER INCLUDE PRECOMPILED JSON    (the compiler's package; the folder of the libraries' headers)
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { precompile, tree_of } from "../theme/programs/toolchain.mjs";

const [compiler, include, precompiled, json] = process.argv.slice(2).map((path) => resolve(path));
const root = fileURLToPath(new URL("../../..", import.meta.url));

const headers = ["core", "nn", "optim", "examples/first", "examples/shared/wasm", "examples/exercises", "include/fmt"].flatMap((folder) => {
  const there = folder.startsWith("include/") ? resolve(include, "..", folder) : join(root, folder);
  const names = readdirSync(there, { recursive: true }).filter((name) => name.endsWith(".h")).sort();
  return names.map((name) => [`${folder}/${name}`, readFileSync(join(there, name), "utf8")]);
});

const { runLLVM } = await import(pathToFileURL(join(compiler, "gen/bundle.js")));
const { made, said } = await precompile(runLLVM, "/examples/shared/wasm/program.h", tree_of(headers));
if (!made) throw new Error(said);
writeFileSync(precompiled, made);
writeFileSync(json, JSON.stringify(headers));
