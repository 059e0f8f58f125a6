// The grader, as WebAssembly, and beside it the student's module: a worker that is used once.
import { Module } from "../widgets/module.mjs";
import { Student } from "./run.mjs";

let grader, student;

const page = { call: (number, slots, count) => student.call(grader.memory, number, slots, count) };
const ask = (name, ...values) => JSON.parse(grader.ask(name, ...values));

// Function by function, until the first that fails; { begun } before each, with the lines of those that have passed.
async function run(id, module, tell) {
  student = new Student(await WebAssembly.compile(module));
  for (let stage = 0, passed = "";; ++stage) {
    tell({ begun: stage, passed });
    student.begin();
    const seen = ask("judge", id, stage, passed);
    student.flush();
    if (seen.error) throw new Error(seen.error);
    if (seen.screen) {
      const printed = grader.ask("printed", student.printed);
      return { ...seen, screen: seen.screen + printed, named: seen.named && seen.named + printed };
    }
    passed = seen.passed;
  }
}

self.onmessage = async ({ data: { id, url, name, values } }) => {
  try {
    grader ??= await Module.at(url, { page });
    const tell = (progress) => self.postMessage({ id, progress });
    const answer = name === "run" ? await run(...values, tell) : ask(name, ...values);
    if (answer.error) throw new Error(answer.error);
    self.postMessage({ id, answer });
  } catch (error) {
    self.postMessage({ id, failed: String(error?.message ?? error) });
  }
};
