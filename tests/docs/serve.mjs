// Starts docs/.vitepress/serve.mjs and asks it what no browser would.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

const work = mkdtempSync(join(tmpdir(), "serve-"));
const folder = join(work, "site");
const program = fileURLToPath(new URL("../../docs/.vitepress/serve.mjs", import.meta.url));
mkdirSync(join(folder, "part"), { recursive: true });
writeFileSync(join(work, "secret.txt"), "secret");
writeFileSync(join(folder, "index.html"), "front");
writeFileSync(join(folder, "a page.html"), "first");
writeFileSync(join(folder, "part", "index.html"), "part");
writeFileSync(join(folder, "module.wasm"), "module");

const server = spawn(process.execPath, [program, folder, "0"], { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((_, failed) => server.once("exit", (code) => failed(new Error(`the server ended with ${code}`))));
const port = await Promise.race([ended, new Promise((told) => server.stdout.on("data", (text) => told(/:(\d+)/.exec(text)[1])))]);

function ask(path, headers = {}, method = "GET") {
  return Promise.race([ended, new Promise((done, failed) => {
    request({ host: "127.0.0.1", port, path, headers, method }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
    }).on("error", failed).end();
  })]);
}

async function expect(path, status, text) {
  const said = await ask(path);
  assert.equal(said.status, status, path);
  assert.match(said.body.toString(), text, path);
}

try {
  for (const [path, text] of [["/", /^front$/], ["//", /^front$/], ["///", /^front$/], ["/?x=%", /^front$/], ["/part", /^part$/],
                              ["/a%20page", /^first$/], ["http://localhost/part/", /^part$/]]) {
    await expect(path, 200, text);
  }
  for (const path of ["/100%", "/%ff", "/%", "http://[", "*"]) await expect(path, 400, / is no path of a page\n$/);
  for (const path of ["/nosuch", "/%00", "/../secret.txt", "/..%2fsecret.txt", "//../secret.txt", `/${"x".repeat(5000)}`]) {
    await expect(path, 404, /^There is no page \/.* here\.\n$/);
  }
  assert.equal((await ask("/nosuch", {}, "HEAD")).body.length, 0);

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
  const packed = async () => gunzipSync((await ask("/a%20page", { "accept-encoding": "gzip" })).body).toString();
  assert.equal(await packed(), "first");
  writeFileSync(join(folder, "a page.html"), "built again");
  utimesSync(join(folder, "a page.html"), new Date(), new Date(Date.now() + 5000));
  assert.equal(await packed(), "built again");
} finally {
  server.removeAllListeners("exit");
  server.kill();
  rmSync(work, { recursive: true });
}
