// main.mjs [COMMIT | FILE...]: see run.
import { exec, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { is_there, read, root } from "../../docs/.vitepress/book/tree.mjs";
import { mutants_of } from "./mutants.mjs";

const preset = process.env.GRADUS_PRESET || "release";
const build = join(root, "build", preset);
const made = join(root, "build/mutants");
const given = process.argv.slice(2);
const output = (cwd, ...words) => execFileSync(words[0], words.slice(1), { cwd, encoding: "utf8", maxBuffer: 1 << 30 });

// What is to be changed: path → the lines that have changed since a commit, or undefined: all.
function chosen() {
  if (given.length > 0 && given.every(is_there)) return new Map(given.map((path) => [path]));
  const lines = new Map();
  let path;
  const difference = output(root, "git", "diff", "--unified=0", "--no-prefix", given[0] ?? "HEAD~1", "--", "core", "nn", "optim");
  for (const line of difference.split("\n")) {
    path = line.match(/^\+\+\+ (.*)/)?.[1] ?? path;
    const [, first, count = 1] = line.match(/^@@ \S+ \+(\d+),?(\d+)? @@/) ?? [];
    for (let at = 0; first && at < count; ++at) lines.set(path, [...(lines.get(path) ?? []), Number(first) + at]);
  }
  return lines;
}

function mutants_in(path, lines) {
  const source = read(path);
  return mutants_of(source)
    .map(({ start, end, text }) => {
      const [before, was, after] = [source.slice(0, start), source.slice(start, end), source.slice(end)];
      return { path, line: before.split("\n").length, was, text, source: before + text + after };
    })
    .filter(({ line }) => !lines || lines.includes(line));
}

// Does a source read this file: is it the same, or included by it?
function reads(source, path, seen = new Set()) {
  if (source === path) return true;
  if (seen.has(source) || !is_there(source)) return false;
  seen.add(source);
  return [...read(source).matchAll(/^#include "(\w+\/.+)"/gm)].some(([, included]) => reads(included, path, seen));
}

// The sources that a unit is made of.
function parts_of(unit) {
  if (!unit.includes("/Unity/")) return [relative(root, unit)];
  return [...readFileSync(unit, "utf8").matchAll(/^#include "(.*)"/gm)].map(([, part]) => relative(root, part));
}

// Does a command end well, in 8 GB?
function succeeds(command) {
  const env = { ...process.env, GRADUS_THREADS: "1" };
  return new Promise((resolve) =>
    exec(`ulimit -c 0 -v 8000000; { ${command}; } >/dev/null 2>&1`, { cwd: build, env }, (error) => resolve(!error))
  );
}

// Takes the items one by one, several at a time: work(item, folder), each in a folder of its own.
const in_parallel = (items, work) =>
  Promise.all(
    Array.from({ length: Number(process.env.GRADUS_JOBS) }, async (_, at) => {
      for (let item; (item = items.shift());) await work(item, join(made, `${at}`));
    }),
  );

// The test program of a floor, for the mutants of one file: the units of the library that read the file are left out of it, and
// their parts linked, of which each mutant changes some.
class Program {
  constructor(path) {
    const [floor] = path.split("/");
    this.path = path;
    this.near = `--source-file=*/tests/${dirname(path)}/*`;
    const commands = output(build, "ninja", "-t", "commands", `test_${floor}`).trim().split("\n");
    this.link_command = commands.at(-1);
    this.parts = commands.flatMap((command) => {
      const [, unit] = command.match(/\/gradus_(?:core|inspect|nn|optim|distributed)(?:_kernels)?\.dir\/.* -c (\S+)$/) ?? [];
      const parts = unit ? parts_of(unit).map((part) => ({ part, command, changes: reads(part, path) })) : [];
      return parts.some(({ changes }) => changes) ? parts : [];
    });
  }

  compile({ part, command }, folder, source = join(root, part)) {
    const object = join(folder, `${part}.o`);
    mkdirSync(dirname(object), { recursive: true });
    return succeeds(
      command.replace(/ -MD -MT \S+ -MF \S+| -Werror/g, "").replace(` -I${root}`, ` -I${folder} -I${root}`)
        .replace(/ -o \S+ -c \S+$/, ` -O1 -w -o ${object} -c ${source}`),
    );
  }

  // In place of the units; before all else, as of an inline function the first is taken.
  link(program, folder) {
    const objects = this.parts.map(({ part, changes }) => join(changes ? folder : join(made, "whole"), `${part}.o`)).join(" ");
    return succeeds(this.link_command.replace(/ \S+\.o /, ` ${objects}$&`).replace(/ -o \S+/, ` -o ${program}`));
  }

  // Do the tests pass in these seconds, first those of the file's own folder?
  async passes(program, seconds = 3600) {
    const tests = `TMPDIR=${dirname(program)} timeout --foreground -s KILL ${seconds} ${program} --abort-after=1`;
    return (await succeeds(`${tests} '${this.near}'`)) && succeeds(tests);
  }

  // Compiles everything once without a mutant; undefined, or what is wrong.
  async prepare() {
    rmSync(made, { recursive: true, force: true });
    const whole = join(made, "whole");
    const program = join(whole, "tests");
    const wrong = [];
    await in_parallel([...this.parts], async (part) => {
      if (!(await this.compile(part, whole))) wrong.push(part.part);
    });
    if (this.parts.length === 0) return "the tests do not compile it";
    if (wrong.length > 0 || !(await this.link(program, whole))) return `cannot be compiled apart: ${wrong}`;
    const begun = Date.now();
    if (!(await this.passes(program))) return "its tests fail as it is";
    this.seconds = 10 + (Date.now() - begun) / 100; // ten times as long
    return undefined;
  }

  // What became of a mutant: "uncompiled", "caught" or "survived".
  async try(mutant, folder) {
    const program = join(folder, "tests");
    const copy = join(folder, this.path);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, mutant.source);
    for (const part of this.parts.filter(({ changes }) => changes))
      if (!(await this.compile(part, folder, part.part === this.path ? copy : undefined))) return "uncompiled";
    if (!(await this.link(program, folder))) return "uncompiled";
    return (await this.passes(program, this.seconds)) ? "survived" : "caught";
  }
}

const counts = { caught: 0, survived: 0, uncompiled: 0 };
const tried = () => counts.caught + counts.survived + counts.uncompiled;
const clear = process.stderr.isTTY ? "\r\x1b[K" : "";

const one_line = (text) => text.replace(/\s+/g, " ");
function tell({ path, line, was, text }) {
  process.stderr.write(clear);
  console.log(`${path}:${line}\n  - ${one_line(was)}\n  + ${one_line(text)}`);
}

const files = [...chosen()]
  .filter(([path]) => /\.(h|cpp)$/.test(path))
  .map(([path, lines]) => ({ path, mutants: mutants_in(path, lines) }))
  .filter(({ mutants }) => mutants.length > 0);
const count = files.reduce((sum, { mutants }) => sum + mutants.length, 0);
for (const { path, mutants } of files) {
  execFileSync("bash", ["-c", `. tests/support/setup.sh; build ${preset} test_${path.split("/")[0]}`], { cwd: root, stdio: "inherit" });
  const program = new Program(path);
  const wrong = await program.prepare();
  if (wrong) {
    console.log(`${path} is left out: ${wrong}`);
    process.exitCode = 1;
    continue;
  }
  await in_parallel(mutants, async (mutant, folder) => {
    const outcome = await program.try(mutant, folder);
    ++counts[outcome];
    if (outcome === "survived") tell(mutant);
    if (clear) process.stderr.write(`${clear}${tried()} of ${count} mutants, ${counts.survived} survived; now ${path}`);
  });
}
process.stderr.write(clear);
console.log(`${counts.caught} mutants were caught, ${counts.survived} survived, ${counts.uncompiled} did not compile`);
if (counts.survived > 0) process.exitCode = 1;
