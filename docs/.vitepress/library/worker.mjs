// Takes one step of the build after another: { made } or { said }, what is wrong.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { compile, precompile, tree_of } from "../theme/programs/toolchain.mjs";

const { root, compiler, kept, header_files } = workerData;
const { runLLVM: run } = await import(pathToFileURL(join(compiler, "gen/bundle.js")));
await run(null, {}, { fetchProgress: () => {} }); // loads it, and does nothing else
const headers = tree_of(header_files);
const contents = new Map();
const read = (name) => contents.get(name) ?? contents.set(name, readFileSync(join(kept, name))).get(name);

const tools = {
  precompile: ({ level, files: [file] }) => precompile(run, level, `/${file}`, headers),
  compile({ level, name, files, header }) {
    const sources = files.map((file) => [file, readFileSync(join(root, file), "utf8")]);
    const text = files.map((file) => `#include "${file}"\n`).join("");
    const tree = tree_of([...header_files, ...sources, [name, text], ["library.pch", read(header)]]);
    return compile(run, level, `/${name}`, tree, "/library.pch");
  },
};

parentPort.on("message", async (step) => {
  try {
    parentPort.postMessage(await tools[step.tool](step));
  } catch (error) {
    parentPort.postMessage({ said: error.stack });
  }
});
