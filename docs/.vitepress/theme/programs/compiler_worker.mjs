// clang and wasm-ld in their own thread, with the library: asked { load } first, whose answer is what the next worker can begin with;
// then { build }, { judge }, a student's file with the grader, or { lines }, where in the program the addresses of a module are. What
// comes back between a question and its answer is progress. One question after another.
import { blob_of, loaded_compiler, nothing_kept } from "./load.mjs";
import { build, build_judge } from "./program.mjs";
import { lines_at } from "./walk.mjs";

let run, parts, bytes;

async function load({ base, compiler, library, kept = nothing_kept() }, tell) {
  const part = (name) => blob_of(`${base}library/${name}.gz`, `gradus-library-${library}`, tell, kept);
  bytes = async (name) => new Uint8Array(await (await part(name)).arrayBuffer());
  const [runLLVM, headers, header, archive] = await Promise.all([
    loaded_compiler(`${base}compiler/`, compiler, tell, kept),
    part("headers.json").then((blob) => blob.text()),
    bytes("program.pch"),
    bytes("libgradus.a"),
  ]);
  run = runLLVM;
  parts = { headers: JSON.parse(headers), header, library: archive };
  return kept;
}

const tools = {
  load: (from, id) => load(from, (bytes) => self.postMessage({ id, progress: { bytes } })),
  build: (text) => build(run, text, parts),
  judge: async (answer) => build_judge(run, answer, parts, parts.judge ??= await bytes("libjudge.a")),
  lines: ({ module, addresses }) => lines_at(run, module, addresses),
};

async function answer({ id, ...question }) {
  try {
    const [[tool, value]] = Object.entries(question);
    self.postMessage({ id, answer: await tools[tool](value, id) });
  } catch (error) {
    self.postMessage({ id, failed: String(error?.message ?? error) });
  }
}

let last = Promise.resolve();
self.onmessage = ({ data }) => {
  last = last.then(() => answer(data));
};
