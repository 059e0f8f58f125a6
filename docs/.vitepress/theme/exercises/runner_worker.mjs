// The grader, as WebAssembly, and beside it the student's module.
import { Module } from "../widgets/module.mjs";
import { judge_here } from "./judging.mjs";
import { Student } from "./run.mjs";

let grader, student;

judge_here({
  async begin({ url, name, values }) {
    grader = await Module.at(url, { call: (number, slots, count) => student.call(grader.memory, number, slots, count) });
    if (name === "run") student = new Student(await WebAssembly.compile(values[1]));
  },
  ask: (...asked) => grader.ask(...asked),
  judge(...asked) {
    student.begin();
    const verdict = grader.ask("judge", ...asked);
    student.flush();
    return verdict;
  },
  printed: () => student.printed,
});
