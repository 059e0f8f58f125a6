// The grading of exercises on tensors: a student's file is compiled as a program of the path is, and linked with the library and with
// the grader.
import { Programs } from "../programs/programs.mjs";
import { Asked } from "../widgets/asked.mjs";
import { Grading } from "./grading.mjs";

export class OnTensors extends Grading {
  // `versions` are those of the compiler and the library.
  constructor(base, versions) {
    super(base, versions.compiler);
    this.compiler = new Programs(base, versions).compiler;
  }

  runner = () => new Asked(new Worker(new URL("./judge_worker.mjs", import.meta.url), { type: "module" }));
  question = (judge) => ({ judge });

  about = async (id) => {
    const { default: all } = await import("../../../made/results/exercises.json");
    const { file, driver, stages } = all.find((one) => one.id === id);
    return { file, driver, functions: stages.map(({ function: name, hints }) => ({ name, hints })) };
  };

  // Asks the grader, where there is no module of the student's.
  async grader(name, ...values) {
    this.alone ??= (await (await this.compiler.load()).ask({ judge: {} })).module;
    const runner = this.runner();
    try {
      return await runner.ask({ name, values, module: this.alone });
    } finally {
      runner.end();
    }
  }
}
