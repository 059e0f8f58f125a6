// Copies of the sources with their switches, compiled. What does not compile with a fault is found by the lines that the
// compiler complains about: that fault is dropped, and the rest compiled again.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { faults_by_line, schemata } from "./schemata.mjs";
import { build, floor_of, floors, hash, preset, read, root, with_included } from "./tree.mjs";

export const built = join(root, "build", preset);
export const jobs = Number(process.env.GRADUS_MUTATION_JOBS ?? 2);

// Runs a command; { status, output } with what it says on both streams.
export function run(command, cwd = built) {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", command], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (output += data));
    child.on("close", (status) => resolve({ status, output }));
  });
}

// Calls work(item) for each, `jobs` of them at a time.
export async function in_parallel(items, work) {
  const left = [...items];
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      while (left.length > 0) await work(left.shift());
    }),
  );
}

let units;

// The sources that the compiler reads in a file: those that a unit of several includes, or the file itself.
function parts_of(file) {
  if (!/\/Unity\/unity_\d+_cxx\.cxx$/.test(file)) return [file.slice(root.length + 1)];
  return [...readFileSync(file, "utf8").matchAll(/^#include "(.*)"$/gm)].map(([, part]) => part.slice(root.length + 1));
}

// How the build compiles a source for its library or program, as cmake has written it down: path → the unit that it is in,
// { name, parts, command }. Where another program compiles a source of the library once more, that does not count.
function all_units() {
  if (units) return units;
  units = new Map();
  for (const { file, command } of JSON.parse(readFileSync(join(built, "compile_commands.json"), "utf8"))) {
    const unit = { name: file.slice(root.length + 1), parts: parts_of(file), command };
    const floor = floor_of(unit.parts[0]);
    const own = new RegExp(`/gradus_${floor}(_kernels)?\\.dir/`);
    if (!floors.includes(floor) || own.test(command)) { for (const path of unit.parts) units.set(path, unit); }
  }
  return units;
}

export const command_of = (path) => all_units().get(path)?.command;

// Does the build compile what stands in this file under these conditions, such as GRADUS_BLAS or !GRADUS_BLAS?
export const is_compiled = ({ path, conditions }) =>
  conditions.every((condition) => {
    const [, not, name] = condition.match(/^(!?)(\w+)$/);
    return new RegExp(` -D${name}=[1-9]`).test(command_of(path) ?? "") === (not === "");
  });

// The same command for another source and object. -O1, as loops full of switches are slow to optimise and hardly faster.
export function adapted(command, { source, object, include }) {
  return command
    .replace(/ -O3\b/, " -O1")
    .replace(/ -(W\S+|fopenmp-simd)/g, "")
    .replace(/( -Xclang)? -include(-pch)?( -Xclang)? \S+cmake_pch\S+/g, "")
    .replace(
      ` -I${root}`,
      ` ${include ? `-I${include} ` : ""}-I${root} -w -Wno-narrowing -include ${root}/tests/mutation/switch.h`,
    )
    .replace(/ -o \S+ -c \S+$/, ` -o ${object} -c ${source}`);
}

const put = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
};

const files_of = ({ parts }) => parts.flatMap(with_included);

// The copies, in `folder`, of the files that have faults; with all that is compiled again because of them.
export class Copies {
  // `mutants` get their numbers here; of these, `uncompiled` are known not to compile.
  constructor(folder, mutants, uncompiled = []) {
    this.dropped = new Set(uncompiled);
    this.folder = join(build, folder);
    mutants.forEach((mutant, i) => (mutant.number = i + 1));
    this.mutants = mutants;
    this.changed = new Set(mutants.map(({ path }) => path));
    const of_library = new Set([...all_units().values()].filter(({ parts }) => floors.includes(floor_of(parts[0]))));
    this.units = [...of_library].filter((unit) => files_of(unit).some((file) => this.changed.has(file)));
  }

  source_of = (path) => join(this.folder, "src", path);
  object_of = ({ name }) => join(this.folder, "objects", `${name}.o`);
  objects_of = (floors) => this.units.filter(({ parts }) => floors.includes(floor_of(parts[0]))).map(this.object_of);

  // What the compiler reads for a unit: a copy of it that includes the copies.
  file_of({ name, parts }) {
    const now = (path) => (this.changed.has(path) ? this.source_of(path) : join(root, path));
    if (parts[0] === name) return now(name);
    const file = join(this.folder, "units", name);
    put(file, parts.map((path) => `#include "${now(path)}"\n`).join(""));
    return file;
  }

  write() {
    this.texts = new Map();
    for (const path of this.changed) {
      const own = this.mutants.filter((mutant) => mutant.path === path && !this.dropped.has(mutant));
      this.texts.set(path, schemata(path, own));
      put(this.source_of(path), this.texts.get(path));
    }
  }

  // Compiles a unit, unless nothing of it has changed. Returns what the compiler says if it fails, else "".
  async compile(unit) {
    const object = this.object_of(unit);
    const command = adapted(unit.command, { source: this.file_of(unit), object, include: join(this.folder, "src") });
    const key = hash(command, ...files_of(unit).map((file) => this.texts.get(file) ?? read(file)));
    if (existsSync(object) && existsSync(`${object}.key`) && readFileSync(`${object}.key`, "utf8") === key) return "";
    mkdirSync(dirname(object), { recursive: true });
    const { status, output } = await run(command);
    if (status === 0) writeFileSync(`${object}.key`, key);
    return status === 0 ? "" : output;
  }

  // The mutants in the lines of which the output complains.
  blamed(output) {
    const found = new Set();
    for (const path of this.changed) {
      const lines = faults_by_line(this.texts.get(path));
      const complaints = (kind) =>
        [
          ...output.matchAll(new RegExp(`${this.source_of(path).replaceAll(".", "\\.")}:(\\d+):\\d+: (${kind})`, "g")),
        ].map(([, line]) => Number(line));
      const errors = complaints("error");
      const numbers = errors.map((line) => lines.get(line)).filter(Boolean);
      // No error stands in a line with a switch: the mutants within four lines of one are to blame.
      if (numbers.length === 0 && errors.length > 0) {
        for (const line of errors)
          for (let near = line - 4; near <= line + 4; ++near) if (lines.has(near)) numbers.push(lines.get(near));
      }
      for (const number of numbers) found.add(this.mutants[number - 1]);
    }
    return found;
  }

  // Compiles everything, in rounds, until it compiles; `progress(done, all, round)` is told how far that is. The mutants that
  // do not compile are in `dropped`.
  async make(progress) {
    let left = this.units;
    for (let round = 1; left.length > 0; ++round) {
      this.write();
      const failed = new Map();
      let done = 0;
      await in_parallel(left, async (unit) => {
        const output = await this.compile(unit);
        if (output) failed.set(unit.name, output);
        progress(done += 1, left.length, round);
      });
      const before = this.dropped.size;
      for (const output of failed.values()) for (const mutant of this.blamed(output)) this.dropped.add(mutant);
      if (failed.size > 0 && this.dropped.size === before) {
        throw new Error(
          `${[...failed.keys()].join(", ")} cannot be compiled:\n${[...failed.values()][0].slice(0, 4000)}`,
        );
      }
      left = failed.size > 0 ? this.units : [];
    }
  }
}
