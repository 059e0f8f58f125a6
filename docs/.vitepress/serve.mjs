// Serves a built site, for this machine alone, as a web host would: pages without .html, text packed, validators, a page for 404.
//   node serve.mjs FOLDER PORT
import { createReadStream, existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, posix } from "node:path";
import { pipeline } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

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
const pack = promisify(gzip); // in a thread: others are answered meanwhile
const packed = new Map(); // by file: { etag, bytes }, the latter on their way
const own_names = /^(localhost|127\.0\.0\.1)(:\d+)?$/i;

const is_file = (path) => existsSync(path) && statSync(path).isFile();
const accepts = (header = "", wanted) =>
  header.split(",").some((coding) => coding.split(";")[0].trim().toLowerCase() === wanted && !/;\s*q=0(\.0*)?\s*$/i.test(coding));

// The path that a request names; undefined where that is none, such as /100% or http://[.
function path_of(target) {
  try {
    return posix.normalize(`/${decodeURIComponent(new URL(target.startsWith("/") ? `http://here${target}` : target).pathname)}`);
  } catch {
    return undefined;
  }
}

function file_of(folder, path) {
  const inside = join(folder, path);
  return [inside, `${inside}.html`, join(inside, "index.html")].find(is_file);
}

// How a file is sent to a reader who accepts these codings: what the build has packed, packed once for each version of it, or as it is.
function form_of(file, accepted) {
  if (extname(file) !== ".gz") {
    if (accepts(accepted, "br") && is_file(`${file}.br`)) return { coding: "br", sent: `${file}.br` };
    if (accepts(accepted, "gzip")) return { coding: "gzip", sent: file };
  }
  return { sent: file };
}

async function bytes_of(file, etag) {
  if (packed.get(file)?.etag !== etag) packed.set(file, { etag, bytes: readFile(file).then(pack) });
  return packed.get(file).bytes;
}

async function send(request, response, file, status, age) {
  const { coding, sent } = form_of(file, request.headers["accept-encoding"]);
  const { size, mtimeMs } = statSync(sent);
  const etag = `"${size}-${Math.round(mtimeMs)}-${coding ?? "plain"}"`;
  response.setHeader("vary", "accept-encoding").setHeader("etag", etag).setHeader("cache-control", age);
  const known = request.headers["if-none-match"]?.split(",").some((one) => [etag, "*"].includes(one.trim().replace(/^W\//, "")));
  if (known && status === 200) return response.writeHead(304).end();
  response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream");
  if (coding) response.setHeader("content-encoding", coding);
  if (coding === "gzip") {
    const bytes = await bytes_of(file, etag);
    return response.writeHead(status, { "content-length": bytes.length }).end(bytes);
  }
  response.writeHead(status, { "content-length": size });
  if (request.method === "HEAD") return response.end();
  pipeline(createReadStream(sent), response, () => {}); // the reader may have gone
}

async function answer(folder, request, response) {
  const refuse = (status, text) => response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
  response.setHeader("x-content-type-options", "nosniff");
  if (!own_names.test(request.headers.host)) return refuse(421, "The book is served as localhost and 127.0.0.1 alone.");
  if (!["GET", "HEAD"].includes(request.method))
    return refuse(405, `A page is read by GET, not by ${request.method}.`, response.setHeader("allow", "GET, HEAD"));
  const path = path_of(request.url);
  if (path === undefined) return refuse(400, `${request.url} is no path of a page`);
  const file = file_of(folder, path);
  if (file) return send(request, response, file, 200, path.startsWith("/assets/") ? "max-age=31536000, immutable" : "no-cache");
  const without_slash = path.replace(/\/$/, "");
  if (path !== without_slash && is_file(join(folder, `${without_slash}.html`)))
    return response.writeHead(308, { location: encodeURI(without_slash) }).end();
  const missing = join(folder, "404.html");
  return is_file(missing) ? send(request, response, missing, 404, "no-cache") : refuse(404, `There is no page ${path} here.`);
}

// { origin, close }: the folder at http://127.0.0.1 on this port, on any that is free if it is 0.
export async function serve(folder, port = 0) {
  const server = createServer((request, response) => {
    answer(folder, request, response).catch((error) => { // the book is being built anew
      if (response.headersSent) return response.destroy();
      for (const name of ["content-encoding", "etag", "cache-control"]) response.removeHeader(name);
      response.writeHead(503, { "content-type": "text/plain; charset=utf-8" }).end(`${error.message}; try again\n`);
    });
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
