// What the server has packed: unpacked on its way, and kept here for the next visit. And the site itself, for where there is no network.
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

// Modules in the order of their compilation, and blobs by their addresses: what one worker has loaded and another can take over.
export const nothing_kept = () => ({ modules: [], blobs: new Map() });

export async function blob_of(url, kept_as, tell, { blobs }) {
  if (!blobs.has(url)) blobs.set(url, await new Response(await unpacked(url, kept_as, tell)).blob());
  return blobs.get(url);
}

async function cache_of(kept_as) {
  const kind = /^[a-z]+-[a-z]+-/.exec(kept_as)[0];
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? [];
  await Promise.all(names.filter((name) => name.startsWith(kind) && name !== kept_as).map((name) => caches.delete(name)));
  return globalThis.caches?.open(kept_as).catch(() => undefined);
}

const SOON = 3000; // ms

// From now on the site's pages are here without a network, too: those that have been looked at, and what they have asked for.
export async function keep_the_site(base, version) {
  const { serviceWorker: service } = navigator;
  if (!service) return; // a browser without one, or no secure connection
  const kept_as = `gradus-site-${version}`;
  await cache_of(kept_as);
  const here = service.controller ?? new Promise((done) => service.addEventListener("controllerchange", done, { once: true }));
  await service.register(`${base}offline.js?${version}`);
  const seen = performance.getEntriesByType("resource").map(({ name }) => name);
  const own = [...new Set([location.href.replace(/#.*/, ""), ...seen])].filter((url) => url.startsWith(base) && !url.endsWith(".gz"));
  const cache = await caches.open(kept_as);
  await Promise.all(own.map((url) => cache.add(url).catch(() => {})));
  await Promise.race([here, new Promise((done) => setTimeout(done, SOON))]);
}

// runLLVM. It asks for its parts by fetch(); the packed ones are unpacked on their way. `kept` is what another worker has loaded, if one
// has, and holds the same of this one then.
export async function loaded_compiler(base, version, tell, kept = nothing_kept()) {
  const modules = kept.modules.splice(0), compile = WebAssembly.compileStreaming.bind(WebAssembly);
  globalThis.fetch = async (url, options) => {
    const name = String(url).split("/").at(-1);
    if (name.endsWith(".wasm") && modules.length > 0) return new Response("");
    if (!packed[name]) return plain_fetch(url, options);
    const headers = { "content-type": packed[name] }, from = `${base}${name}.gz`, kept_as = `gradus-compiler-${version}`;
    if (name.endsWith(".wasm")) return new Response(await unpacked(from, kept_as, tell), { headers });
    return new Response(await blob_of(from, kept_as, tell, kept), { headers });
  };
  WebAssembly.compileStreaming = async (response) => {
    const module = modules.shift() ?? (await compile(response));
    kept.modules.push(module);
    return module;
  };
  const { runLLVM } = await import(/* @vite-ignore */ `${base}bundle.js`);
  await runLLVM(null, {}, { fetchProgress: () => {} }); // loads it, and does nothing else
  return runLLVM;
}
