// clang and wasm-ld, as WebAssembly, in a thread that does not hold up the page.
import { loaded_compiler } from "../programs/load.mjs";
import { tree_of } from "../programs/toolchain.mjs";
import { build, precompile } from "./build.mjs";

const found = {
  ...import.meta.glob("../../../../examples/exercises/rows.h", { query: "?raw", import: "default", eager: true }),
  ...import.meta.glob("../../../../examples/exercises/wasm/{callable,exercise,slot}.h", { query: "?raw", import: "default", eager: true }),
};
const headers = tree_of(Object.entries(found).map(([path, text]) => [path.replace(/^.*\/examples\//, "examples/"), text]));
let compiler, header;

async function load({ base, version }, tell) {
  compiler = await loaded_compiler(base, version, (bytes) => tell({ bytes }));
  const { made, said } = await precompile(compiler, headers); // a few seconds; to load it would be 6 MB
  if (!made) throw new Error(said);
  header = made;
}

async function answer({ id, load: from, build: asked }) {
  try {
    if (from) await load(from, (progress) => self.postMessage({ id, progress }));
    self.postMessage({ id, answer: from ? true : await build(compiler, { ...asked, headers, header }) });
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
