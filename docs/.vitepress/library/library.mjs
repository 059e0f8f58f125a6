// Makes the library for the page, with the page's own compiler, and a precompiled header for programs:
//   node library.mjs COMPILER KEPT TO    (the compiler's package; a folder for what has been compiled; what the page loads, packed)
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { recipe } from "../theme/programs/toolchain.mjs";
import { headers, included, of_programs, units } from "./units.mjs";

const WORKERS = 2; // each takes a gigabyte
const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../../..");
const [compiler, kept, to] = process.argv.slice(2).map((path) => resolve(path));

const hash = (texts) => texts.reduce((all, text) => all.update(`${text}\0`), createHash("sha256")).digest("hex").slice(0, 32);
const { version } = JSON.parse(readFileSync(join(compiler, "package.json")));
const header_files = headers(root);
const is_ours = ([path]) => !path.startsWith("include/");
const ours = new Map(header_files.filter(is_ours)), theirs = hash(header_files.filter((one) => !is_ours(one)).flat());

// A step, with the name under which its result is kept: another one if anything changes that it is made of.
function step(asked) {
  const texts = asked.files.map((file) => readFileSync(join(root, file), "utf8"));
  return { ...asked, kept_as: hash([version, recipe(asked.level), theirs, JSON.stringify(asked), ...texts, ...included(texts, ours)]) };
}
const place = ({ kept_as }) => join(kept, kept_as);

const precompiled = (level) => step({ name: `${level}.h`, tool: "precompile", level, files: [`examples/shared/wasm/${level}.h`] });
const library_header = precompiled("library"), program_header = precompiled("program");
const objects = units(root).map((unit) => step({ ...unit, tool: "compile", level: "library", header: library_header.kept_as }));

// The steps that have not been taken, by so many workers.
async function take(steps) {
  const waiting = steps.filter((step) => !existsSync(place(step))), all = waiting.length;
  let done = 0;
  const work = async () => {
    if (waiting.length === 0) return;
    const worker = new Worker(join(here, "worker.mjs"), { workerData: { root, compiler, kept, header_files } });
    const made_by = (step) =>
      new Promise((answer, failed) => {
        worker.removeAllListeners().once("message", answer).once("error", failed).postMessage(step);
      });
    try {
      for (let step; (step = waiting.shift());) {
        const { made, said } = await made_by(step);
        if (!made) throw new Error(`${step.name}: ${said}`);
        writeFileSync(place(step), made);
        console.log(`[${++done}/${all}] ${step.name}`);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
}

mkdirSync(kept, { recursive: true });
await take([library_header, program_header]);
await take(objects);

const made = [library_header, program_header, ...objects].map(({ kept_as }) => kept_as);
for (const name of readdirSync(kept)) if (!made.includes(name)) rmSync(join(kept, name));

const text = readFileSync(join(root, "examples/data/shakespeare.txt"));
const now = hash([...made, ...of_programs(header_files).flat(), text]), stamp = join(to, "version");
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== now) {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const pack = (name, bytes) => writeFileSync(join(to, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  const library = objects.map((object) => readFileSync(place(object)));
  pack("library.o", Buffer.concat(library));
  pack("program.pch", readFileSync(place(program_header)));
  pack("parts.json", JSON.stringify({ headers: of_programs(header_files), objects: library.map(({ length }) => length) }));
  pack("shakespeare.txt", text);
  writeFileSync(stamp, now); // last: all is there
}
