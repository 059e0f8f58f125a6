// A service worker, from the first Run on: what the site has sent is kept, and shown again where there is no network. What is packed
// (.gz) its readers keep themselves.
const kept_as = `gradus-site-${new URL(self.location).search.slice(1)}`;

async function answer(request) {
  const cache = await caches.open(kept_as);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone()).catch(() => {}); // no room is no fault
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(self.registration.scope) && !url.endsWith(".gz")) event.respondWith(answer(event.request));
});
