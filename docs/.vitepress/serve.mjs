// Serves a built site, for this machine alone, as a web host would: pages without .html, text packed.
//   node serve.mjs FOLDER PORT
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".gif": "image/gif",
};
const packed = new Map();  // by coding and file: { bytes, changed }

const is_file = (path) => existsSync(path) && statSync(path).isFile();
const accepts = (header = "", wanted) =>
  header.split(",").some((coding) => coding.split(";")[0].trim().toLowerCase() === wanted && !/;\s*q=0(\.0*)?\s*$/i.test(coding));

// By which a file is packed for who accepts these; undefined: by none. What is packed best takes a second for each megabyte.
const coding_of = (file, accepted) =>
  extname(file) === ".gz" ? undefined : (extname(file) === ".wasm" ? ["br", "gzip"] : ["gzip"]).find((one) => accepts(accepted, one));

// The path that a request names; undefined where that is none, such as /100% or http://[.
function path_of(target) {
  try {
    return decodeURIComponent(new URL(target.startsWith("/") ? `http://here${target}` : target).pathname);
  } catch {
    return undefined;
  }
}

function file_of(folder, path) {
  const inside = join(folder, normalize(path));
  return [inside, `${inside}.html`, join(inside, "index.html")].find(is_file);
}

// Packed once for each version of it.
function packed_by(coding, file) {
  const changed = statSync(file).mtimeMs, key = `${coding} ${file}`;
  const pack = coding === "br" ? brotliCompressSync : gzipSync;
  if (packed.get(key)?.changed !== changed) packed.set(key, { bytes: pack(readFileSync(file)), changed });
  return packed.get(key).bytes;
}

function answer(folder, request, response) {
  const send = (status, head, body) => response.writeHead(status, { ...head, "content-length": body.length }).end(body);
  const refuse = (status, text) => send(status, { "content-type": "text/plain; charset=utf-8" }, Buffer.from(`${text}\n`));
  const path = path_of(request.url);
  if (path === undefined) return refuse(400, `${request.url} is no path of a page`);
  const file = file_of(folder, path);
  if (!file) return refuse(404, `There is no page ${path} here.`);
  const head = { "content-type": types[extname(file)] ?? "application/octet-stream", vary: "accept-encoding" };
  const coding = coding_of(file, request.headers["accept-encoding"]);
  if (!coding) return send(200, head, readFileSync(file));
  send(200, { ...head, "content-encoding": coding }, packed_by(coding, file));
}

// { origin, close }: the folder at http://127.0.0.1 on this port, on any that is free if it is 0.
export async function serve(folder, port = 0) {
  const server = createServer((request, response) => {
    try {
      answer(folder, request, response);
    } catch (error) {  // the book is being built anew
      response.writeHead(503, { "content-type": "text/plain; charset=utf-8" }).end(`${error.message}; try again\n`);
    }
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
