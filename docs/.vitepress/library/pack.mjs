// Packs what the page loads: node pack.mjs TO/version FILE...
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const [version, ...files] = process.argv.slice(2);
const to = dirname(version), hash = createHash("sha256");
rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
for (const file of files) {
  const bytes = readFileSync(file);
  hash.update(bytes);
  writeFileSync(join(to, `${basename(file)}.gz`), gzipSync(bytes, { level: 9 }));
}
writeFileSync(version, hash.digest("hex").slice(0, 32)); // last: all is there
