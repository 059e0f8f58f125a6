// Answers that once passed though they were wrong, failed though they were right, or got a verdict that led nowhere: each gets
// the verdict that stands beside it.
//   node holes.mjs EXERCISES HOLES.txt...     EXERCISES is the program
// A line of a table has, with tabs between them: the exercise, the verdict ("mistake", or "wrong" for any but right), words of
// what is said, a piece of the project's answer, and what stands in its place. \n is the end of a line.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { answer_of, one_file } from "./one_file.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const answers = join(root, "examples/exercises/answers");
const [program, ...tables] = process.argv.slice(2);

const holes = tables.flatMap((table) =>
  readFileSync(table, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [exercise, verdict, words, from, to] = line.split("\t").map((cell) => cell.replaceAll("\\n", "\n"));
      return { exercise, verdict, words, from, to };
    })
);

// What the grader says to these answers, in their order.
function said(folder, exercise, right, texts) {
  const set = exercise.replaceAll("-", "_");
  const [source, library] = [join(folder, `${set}.cpp`), join(folder, `${set}.so`)];
  writeFileSync(source, one_file(set, right, texts));
  const flags = ["-std=c++20", "-O0", "-w", "-fPIC", "-shared", `-I${root}`, "-DFMT_SHARED", "-o", library, source];
  const compiled = spawnSync(process.env.CXX ?? "c++", flags, { encoding: "utf8" });
  if (compiled.status !== 0) throw new Error(compiled.stderr);
  const { stdout } = spawnSync(program, ["answers", exercise, library], { encoding: "utf8", env: { ...process.env, GRADUS_ROOT: root } });
  return stdout.trimEnd().split("\n").map((line) => line.split("\t"));
}

const folder = mkdtempSync(join(tmpdir(), "holes-"));
let wrong = 0;
try {
  for (const exercise of new Set(holes.map((hole) => hole.exercise))) {
    const name = readdirSync(answers).find((file) => file.slice(3) === `${exercise.replaceAll("-", "_")}.cpp`);
    const right = answer_of(join(answers, name));
    const these = holes.filter((hole) => hole.exercise === exercise);
    for (const { from } of these) if (right.split(from).length !== 2) throw new Error(`${name} has not, or more than once: ${from}`);
    const verdicts = said(folder, exercise, right, these.map(({ from, to }) => right.replace(from, () => to)));
    these.forEach(({ verdict, words, to }, at) => {
      const [got, , sentence] = verdicts[at];
      const is_so = verdict === "wrong" ? got !== "pass" && got !== "convention" : got === verdict;
      if (is_so && sentence.includes(words)) return;
      console.log(`${exercise}: ${to}\n  is ${got}: ${sentence}\n  and should be ${verdict}: ${words}`);
      wrong++;
    });
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${holes.length} answers, ${wrong} with another verdict`);
process.exit(wrong > 0 ? 1 : 0);
