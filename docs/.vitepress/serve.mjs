// Serves a built site, for this machine alone, as a web host would: pages without .html, text packed.
//   node serve.mjs FOLDER PORT
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
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

// { origin, close }: the folder at http://127.0.0.1 on this port, on any that is free if it is 0.
export async function serve(folder, port = 0) {
  const server = createServer((request, response) => {
    const file = file_of(folder, request.url);
    if (!file) return response.writeHead(404).end();
    if (!packed.has(file)) packed.set(file, gzipSync(readFileSync(file)));
    const head = { "content-type": types[extname(file)] ?? "application/octet-stream", "content-encoding": "gzip" };
    response.writeHead(200, { ...head, "content-length": packed.get(file).length }).end(packed.get(file));
  });
  await new Promise((done, failed) => server.once("error", failed).listen(port, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, port] = process.argv.slice(2);
  try {
    const { origin } = await serve(folder, Number(port));
    console.log(`The book: ${origin}   (Ctrl-C ends it)`);
  } catch (error) {
    console.error(`The port ${port} cannot be used (${error.code}). Choose another: GRADUS_PORT=4174 ./docs/run`);
    process.exit(1);
  }
}
