// clang and wasm-ld, as WebAssembly, in a thread that does not hold up the page.
import { loaded_compiler } from "../programs/load.mjs";
import { build } from "./build.mjs";

const raw = (found) => Object.entries(found).map(([path, text]) => [path.replace(/^.*\/examples\//, "examples/"), text]);
const sources = [
  ...raw(import.meta.glob("../../../../examples/exercises/rows.h", { query: "?raw", import: "default", eager: true })),
  ...raw(import.meta.glob("../../../../examples/exercises/wasm/{slot,callable}.h", { query: "?raw", import: "default", eager: true })),
  ...raw(import.meta.glob("../../../../examples/exercises/wasm/std/*", { query: "?raw", import: "default", eager: true })),
];

function as_tree(files) {
  const tree = {};
  for (const [path, text] of files) {
    const names = path.split("/");
    const folder = names.slice(0, -1).reduce((above, name) => (above[name] ??= {}), tree);
    folder[names.at(-1)] = text;
  }
  return tree;
}

const headers = as_tree(sources);
let compiler;

// The first file takes as long as five later ones, so it is none of the reader's.
const first = {
  file: "first.cpp",
  text: '#include "examples/exercises/rows.h"\nvoid f(In x, Out y) { y[0][0] = std::exp(x[0][0]); }\n',
  driver: '#include "first.cpp"\n#include "examples/exercises/wasm/callable.h"\nvoid (*const used)(In, Out) = f;\n',
  headers,
};

async function answer({ id, load: from, build: asked }) {
  const tell = (progress) => self.postMessage({ id, progress });
  try {
    if (asked) return self.postMessage({ id, answer: await build(compiler, { ...asked, headers }, (why) => tell({ why })) });
    compiler = await loaded_compiler(from.base, from.version, (bytes) => tell({ bytes }));
    await build(compiler, first);
    self.postMessage({ id, answer: true });
  } catch (error) {
    self.postMessage({ id, failed: String(error?.message ?? error) });
  }
}

// Asked { load: { base, version } } first, and then to { build }; what comes back between the question and the answer is progress.
// One question after another.
let last = Promise.resolve();
self.onmessage = ({ data }) => {
  last = last.then(() => answer(data));
};
