// clang and wasm-ld, as WebAssembly, in a thread that does not hold up the page. What they are made of is packed on the server,
// and kept here for the next visit.
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
const packed = { "llvm.core.wasm": "application/wasm", "llvm-resources.tar": "application/x-tar" };
let compiler;

// A packed file: from what was kept of this version, or from the server.
async function unpacked(plain_fetch, url, kept_as, tell) {
  const cache = await globalThis.caches?.open(kept_as).catch(() => undefined);
  const kept = await cache?.match(url);
  const response = kept ?? (await plain_fetch(url));
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  if (!kept) cache?.put(url, response.clone()).catch(() => {}); // no room is no fault
  const count = new TransformStream({
    transform(bytes, controller) {
      tell(bytes.length);
      controller.enqueue(bytes);
    },
  });
  return response.body.pipeThrough(count).pipeThrough(new DecompressionStream("gzip"));
}

async function forget_other_versions(kept_as) {
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? [];
  await Promise.all(names.filter((name) => name.startsWith("gradus-compiler-") && name !== kept_as).map((name) => caches.delete(name)));
}

// The compiler asks for its parts by fetch(); the packed ones are unpacked on their way.
async function load({ base, version }, tell) {
  const plain_fetch = globalThis.fetch.bind(globalThis), kept_as = `gradus-compiler-${version}`;
  await forget_other_versions(kept_as);
  globalThis.fetch = async (url, options) => {
    const name = String(url).split("/").at(-1);
    if (!packed[name]) return plain_fetch(url, options);
    const body = await unpacked(plain_fetch, `${base}${name}.gz`, kept_as, tell);
    return new Response(body, { headers: { "content-type": packed[name] } });
  };
  const { runLLVM } = await import(/* @vite-ignore */ `${base}bundle.js`);
  await runLLVM(null, {}, { fetchProgress: () => {} }); // loads it, and does nothing else
  return runLLVM;
}

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
    compiler = await load(from, (bytes) => tell({ bytes }));
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
