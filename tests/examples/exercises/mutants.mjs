// Answers with one small fault each, as one file.
//   node mutants.mjs ANSWER.cpp SET COUNT SEED OUT.cpp     prints a line for each: the function, the line as it was, and as it is
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { mutants_of } from "../../mutation/mutants.mjs";
import { answer_of, functions_of, one_file } from "./one_file.mjs";

const [answer, set, count, seed, out] = process.argv.slice(2);
const source = answer_of(answer);
const blanks = [...source.matchAll(/^ *\/\/ blank[^]*?^ *\/\/ end$/gm)].map(({ 0: text, index }) => [index, index + text.length]);

// Minimal standard generator: the same draws everywhere.
let state = (Number(seed) % 2147483646) + 1;
const draw = () => (state = (state * 48271) % 2147483647) / 2147483647;

const within = mutants_of(source).filter(({ start, end }) => blanks.some(([from, to]) => start >= from && end <= to));
const sample = within
  .map((mutant) => ({ mutant, at: draw() }))
  .sort((a, b) => a.at - b.at)
  .slice(0, Number(count))
  .map(({ mutant }) => mutant);

// Without those that do not compile.
let left = sample;
for (;;) {
  const changed = left.map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end));
  writeFileSync(out, one_file(set, source, changed));
  const flags = ["-std=c++20", "-I.", "-fsyntax-only", "-fmax-errors=0", "-fdiagnostics-color=never", out];
  const { stderr } = spawnSync(process.env.CXX ?? "c++", flags, { encoding: "utf8", maxBuffer: 1 << 28 });
  const wrong = new Set([...stderr.matchAll(/^answer_(\d+):.*error:/gm)].map(([, at]) => Number(at)));
  if (wrong.size === 0) break;
  left = left.filter((_, at) => !wrong.has(at));
}

// The function that a mutant is in, its lines as they were, and as they are.
function shown({ start, end, text }) {
  const home = [...source.slice(0, start).matchAll(/^\w[\w:<>&* ]*[\s&*](\w+)\(/gm)].at(-1)[1];
  const from = source.lastIndexOf("\n", start - 1) + 1, to = source.indexOf("\n", end);
  const plain = (lines) => lines.replace(/\/\/.*/g, "").replace(/\s+/g, " ").trim();
  return [home, plain(source.slice(from, to)), plain(source.slice(from, start) + text + source.slice(end, to)) || "(nothing)"];
}
for (const mutant of left) console.log(shown(mutant).join("\t"));
console.error(
  `${within.length} faults, ${left.length} of ${sample.length} that were drawn compile; functions: ${functions_of(source).join(", ")}`,
);
