// A student's text: compiled, run, and judged, as the tutor in the terminal does it.
import { Compiler } from "../programs/compiler.mjs";
import { Asked } from "../widgets/asked.mjs";

const LIMIT = 2000; // milliseconds for each function
const MOST_COMPILING = 40; // seconds
const after = `${LIMIT / 1000} seconds`;

const aborted = (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

export class Grading {
  // `base` is the site's; `version` that of the compiler.
  constructor(base, version) {
    Object.assign(this, { url: new URL(`${base}widgets/grader.wasm`, location.href).href });
    const worker = () => new Worker(new URL("./compiler_worker.mjs", import.meta.url), { type: "module" });
    this.compiler = new Compiler(worker, (load) => load({ base: new URL(`${base}compiler/`, location.href).href, version }));
  }

  runner = () => new Asked(new Worker(new URL("./runner_worker.mjs", import.meta.url), { type: "module" }));

  // Asks the grader's module, in its own worker.
  async grader(name, ...values) {
    const runner = this.runner();
    try {
      return await runner.ask({ url: this.url, name, values });
    } finally {
      runner.end();
    }
  }

  about = (id) => this.grader("about", id);

  // `tell` hears how many bytes have come.
  load(tell) {
    return this.compiler.load(tell);
  }

  question = (build) => ({ build });

  // { passes, screen, named }: the screen as the grader has it, with the terminal's colours, and the same with the mistake's name.
  // `signal` stops it.
  async check(id, { file, driver }, text, tell, signal) {
    await this.compiler.loaded(signal);
    tell("compiling");
    const question = this.question({ file, driver, text });
    const { module, said, undefined: name } = await this.compiler.ask(question, MOST_COMPILING, signal);
    if (name) return this.grader("not_linked", id, name);
    if (!module) return { passes: false, said, ...(await this.grader("does_not_compile", id, said)) };
    tell("running");
    return this.run(id, module, aborted(signal));
  }

  async run(id, module, stop) {
    const runner = this.runner();
    let clock, at;
    const stopped = new Promise((resolve) => {
      this.begun = (progress) => {
        at = progress;
        clearTimeout(clock);
        clock = setTimeout(resolve, LIMIT, "stopped");
      };
    });
    try {
      const ended = await Promise.race([runner.ask({ url: this.url, name: "run", values: [id, module] }, this.begun), stopped, stop]);
      if (ended !== "stopped") return ended;
      runner.end();
      return await this.grader("hung", id, at.begun, at.passed, after);
    } finally {
      clearTimeout(clock);
      runner.end();
    }
  }
}
