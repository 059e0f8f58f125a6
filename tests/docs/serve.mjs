// Starts docs/.vitepress/serve.mjs and asks it what no browser would.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";

const work = mkdtempSync(join(tmpdir(), "serve-"));
const folder = join(work, "site");
const program = fileURLToPath(new URL("../../docs/.vitepress/serve.mjs", import.meta.url));
const write = (name, content) => writeFileSync(join(folder, name), content);
for (const name of ["part", "assets"]) mkdirSync(join(folder, name), { recursive: true });
writeFileSync(join(work, "secret.txt"), "secret");
write("index.html", "front");
write("a page.html", "first");
write("part/index.html", "part");
write("assets/app.1a2b.js", "code");
write("module.wasm", "module");
write("module.wasm.br", brotliCompressSync("module"));
write("large.txt", randomBytes(4_000_000).toString("hex"));

const server = spawn(process.execPath, [program, folder, "0"], { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((_, failed) => server.once("exit", (code) => failed(new Error(`the server ended with ${code}`))));
const port = await Promise.race([ended, new Promise((told) => server.stdout.on("data", (text) => told(/:(\d+)/.exec(text)[1])))]);

function ask(path, headers = {}, method = "GET") {
  return Promise.race([ended, new Promise((done, failed) => {
    request({ host: "127.0.0.1", port, path, headers, method, agent: false }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end",
        () => done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts), at: performance.now() }));
    }).on("error", failed).end();
  })]);
}

async function expect(path, status, text) {
  const said = await ask(path);
  assert.equal(said.status, status, path);
  assert.match(said.body.toString(), text, path);
}

async function ask_for_pages() {
  for (const [path, text] of [["/", /^front$/], ["//", /^front$/], ["///", /^front$/], ["/?x=%", /^front$/], ["/part", /^part$/], [
    "/a%20page",
    /^first$/,
  ], ["http://localhost/part/", /^part$/]]) {
    await expect(path, 200, text);
  }
  for (const path of ["/100%", "/%ff", "/%", "http://[", "*"]) await expect(path, 400, / is no path of a page\n$/);
  for (const path of ["/nosuch", "/%00", "/../secret.txt", "/..%2fsecret.txt", "//../secret.txt", "x://y/..%2fsecret.txt",
    `/${"x".repeat(5000)}`])
  {
    await expect(path, 404, /^There is no page \/.* here\.\n$/);
  }
  assert.equal((await ask("/nosuch", {}, "HEAD")).body.length, 0);
  for (const path of ["/a%20page/", "//a%20page/", "/part/../a%20page/"]) {
    const said = await ask(path);
    assert.deepEqual([said.status, said.headers.location], [308, "/a%20page"], path); // never //a%20page, another host
  }
  write("404.html", "not here");
  await expect("/nosuch", 404, /^not here$/);
  assert.equal((await ask("/nosuch", { "if-none-match": "*" })).status, 404);
}

async function ask_for_packed_pages() {
  for (const wanted of ["gzip", "deflate, gzip;q=0.5", "br, GZIP"]) {
    const said = await ask("/", { "accept-encoding": wanted });
    assert.equal(said.headers["content-encoding"], "gzip", wanted);
    assert.equal(gunzipSync(said.body).toString(), "front");
  }
  for (const wanted of ["identity", "gzip;q=0", "gzip; q=0.0, br", "x-gzip", ""]) {
    const said = await ask("/", { "accept-encoding": wanted });
    assert.equal(said.headers["content-encoding"], undefined, wanted);
    assert.equal(said.body.toString(), "front");
  }
  const module = await ask("/module.wasm", { "accept-encoding": "gzip, br" });
  assert.equal(module.headers["content-type"], "application/wasm");
  assert.equal(brotliDecompressSync(module.body).toString(), "module");
  const plain = await ask("/module.wasm");
  assert.equal(plain.body.toString(), "module");
  const packed = async () => gunzipSync((await ask("/a%20page", { "accept-encoding": "gzip" })).body).toString();
  assert.equal(await packed(), "first");
  write("a page.html", "again");
  utimesSync(join(folder, "a page.html"), new Date(), new Date(Date.now() + 5000));
  assert.equal(await packed(), "again");
}

// What a browser has is not sent again.
async function ask_again() {
  for (const [path, kept] of [["/", "no-cache"], ["/assets/app.1a2b.js", "max-age=31536000, immutable"]]) {
    const tags = new Set();
    for (const coding of ["gzip", "identity"]) {
      const first = await ask(path, { "accept-encoding": coding });
      assert.equal(first.headers["cache-control"], kept, path);
      tags.add(first.headers.etag);
      for (const known of [first.headers.etag, `"other", W/${first.headers.etag}`]) {
        const again = await ask(path, { "accept-encoding": coding, "if-none-match": known });
        assert.deepEqual([again.status, again.body.length], [304, 0], `${path} ${coding}`);
      }
      assert.equal((await ask(path, { "accept-encoding": coding, "if-none-match": '"other"' })).status, 200);
    }
    assert.equal(tags.size, 2, "two codings have one tag");
  }
}

async function ask_as_nobody_should() {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"]) {
    const said = await ask("/", {}, method);
    assert.deepEqual([said.status, said.headers.allow], [405, "GET, HEAD"], method);
  }
  const head = await ask("/", {}, "HEAD");
  assert.deepEqual([head.status, head.headers["content-length"], head.body.length], [200, "5", 0]);
  for (const host of ["example.com", "localhost.example.com:80", "127.0.0.1.example.com"])
    assert.equal((await ask("/", { host })).status, 421, host);
  for (const host of ["localhost", `localhost:${port}`, "127.0.0.1"]) assert.equal((await ask("/", { host })).status, 200, host);
  for (const path of ["/", "/nosuch", "/module.wasm"]) assert.equal((await ask(path)).headers["x-content-type-options"], "nosniff", path);
}

// While a large file is packed, while many ask, and beside those who never end their request, a reader is answered.
async function ask_with_others() {
  const begun = performance.now();
  const large = ask("/large.txt", { "accept-encoding": "gzip" });
  const small = await ask("/");
  const took = (await large).at - begun;
  assert.ok(small.at - begun < took / 2, `answered after ${Math.round(small.at - begun)} ms, while packing took ${Math.round(took)}`);
  const many = await Promise.all(Array.from({ length: 200 }, (_, i) => ask(["/", "/part", "/nosuch", "/module.wasm"][i % 4])));
  assert.ok(many.every(({ status }, i) => status === (i % 4 === 2 ? 404 : 200)));
  const slow = Array.from({ length: 300 }, () =>
    connect(port, "127.0.0.1", function() {
      this.write("GET / HTTP/1.1\r\nHo");
    }).on("error", () => {}));
  await Promise.all(slow.map((one) => one.readyState === "open" || new Promise((open) => one.on("connect", open))));
  assert.equal((await ask("/")).status, 200);
  slow.forEach((one) => one.destroy());
}

try {
  await ask_for_pages();
  await ask_for_packed_pages();
  await ask_again();
  await ask_as_nobody_should();
  await ask_with_others();
} finally {
  server.removeAllListeners("exit");
  server.kill();
  rmSync(work, { recursive: true });
}
