// What the server has packed: unpacked on its way, and kept here for the next visit.
const plain_fetch = globalThis.fetch.bind(globalThis);
const packed = { "llvm.core.wasm": "application/wasm", "llvm-resources.tar": "application/x-tar" };

// A packed file, from what was kept or from the server; `kept_as` ends with its version, and other versions are forgotten.
export async function unpacked(url, kept_as, tell) {
  const cache = await cache_of(kept_as);
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

async function cache_of(kept_as) {
  const kind = /^[a-z]+-[a-z]+-/.exec(kept_as)[0];
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? [];
  await Promise.all(names.filter((name) => name.startsWith(kind) && name !== kept_as).map((name) => caches.delete(name)));
  return globalThis.caches?.open(kept_as).catch(() => undefined);
}

// runLLVM. It asks for its parts by fetch(); the packed ones are unpacked on their way.
export async function loaded_compiler(base, version, tell) {
  globalThis.fetch = async (url, options) => {
    const name = String(url).split("/").at(-1);
    if (!packed[name]) return plain_fetch(url, options);
    const body = await unpacked(`${base}${name}.gz`, `gradus-compiler-${version}`, tell);
    return new Response(body, { headers: { "content-type": packed[name] } });
  };
  const { runLLVM } = await import(/* @vite-ignore */ `${base}bundle.js`);
  await runLLVM(null, {}, { fetchProgress: () => {} }); // loads it, and does nothing else
  return runLLVM;
}
