// Packs a file beside itself, for the server: node brotli.mjs FILE. It takes a second for each megabyte.
import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const file = process.argv[2];
writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
