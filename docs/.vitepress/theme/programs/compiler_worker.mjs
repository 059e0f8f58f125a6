// clang and wasm-ld in a thread of their own, with the library: asked { load } first, and then { build }; what comes back between a
// question and its answer is progress. One question after another.
import { loaded_compiler, unpacked } from "./load.mjs";
import { build } from "./program.mjs";

let run, parts;

async function load({ base, compiler, library }, tell) {
  const part = async (name) => new Response(await unpacked(`${base}library/${name}.gz`, `gradus-library-${library}`, tell));
  const bytes = async (name) => new Uint8Array(await (await part(name)).arrayBuffer());
  const [runLLVM, headers, header, archive] = await Promise.all([
    loaded_compiler(`${base}compiler/`, compiler, tell),
    part("headers.json").then((response) => response.json()),
    bytes("program.pch"),
    bytes("libgradus.a"),
  ]);
  run = runLLVM;
  parts = { headers, header, library: archive };
}

async function answer({ id, load: from, build: text }) {
  try {
    if (from) await load(from, (bytes) => self.postMessage({ id, progress: { bytes } }));
    self.postMessage({ id, answer: from ? true : await build(run, text, parts) });
  } catch (error) {
    self.postMessage({ id, failed: String(error?.message ?? error) });
  }
}

let last = Promise.resolve();
self.onmessage = ({ data }) => {
  last = last.then(() => answer(data));
};
