// Serves a built site on this machine as a web host would: pages without .html, text packed.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".gif": "image/gif",
};
const packed = new Map();

const is_file = (path) => existsSync(path) && statSync(path).isFile();

function file_of(folder, url) {
  const path = join(folder, normalize(decodeURIComponent(new URL(url, "http://here").pathname)));
  return [path, `${path}.html`, join(path, "index.html")].find(is_file);
}

// { origin, close }: the folder at http://127.0.0.1 on a free port.
export async function serve(folder) {
  const server = createServer((request, response) => {
    const file = file_of(folder, request.url);
    if (!file) return response.writeHead(404).end();
    if (!packed.has(file)) packed.set(file, gzipSync(readFileSync(file)));
    const head = { "content-type": types[extname(file)] ?? "application/octet-stream", "content-encoding": "gzip" };
    response.writeHead(200, { ...head, "content-length": packed.get(file).length }).end(packed.get(file));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
