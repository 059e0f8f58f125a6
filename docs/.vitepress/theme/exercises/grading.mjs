// A student's text: compiled, run, and judged, as the tutor in the terminal does it.
import { Asked } from "../widgets/asked.mjs";

const LIMIT = 2000; // milliseconds for each function
const MOST_COMPILING = 40000;
const after = `${LIMIT / 1000} seconds`;

const aborted = (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

export class Grading {
  // `base` is the site's; `version` that of the compiler.
  constructor(base, version) {
    Object.assign(this, { base, version, url: new URL(`${base}widgets/grader.wasm`, location.href).href });
  }

  runner = () => new Asked(new Worker(new URL("./runner_worker.mjs", import.meta.url), { type: "module" }));

  // Asks the grader's module, in a worker of its own.
  async grader(name, ...values) {
    const runner = this.runner();
    try {
      return await runner.ask({ url: this.url, name, values });
    } finally {
      runner.end();
    }
  }

  about = (id) => this.grader("about", id);

  // Once for all exercises; `tell` hears how many bytes have come.
  load(tell) {
    this.loading ??= this.begin(tell).catch((error) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  forget() {
    this.loading = undefined;
  }

  question = (build) => ({ build });

  async begin(tell) {
    const compiler = new Asked(new Worker(new URL("./compiler_worker.mjs", import.meta.url), { type: "module" }));
    let bytes = 0;
    try {
      const load = { base: new URL(`${this.base}compiler/`, location.href).href, version: this.version };
      await compiler.ask({ load }, (progress) => tell(bytes += progress.bytes));
    } catch (error) {
      compiler.end();
      throw error;
    }
    return compiler;
  }

  // { passes, screen, named }: the screen as the grader has it, with the terminal's colours, and the same with the mistake's name.
  // `signal` stops it.
  async check(id, { file, driver }, text, tell, signal) {
    const stop = aborted(signal);
    const compiler = await Promise.race([this.load(() => {}), stop]);
    tell("compiling");
    const { module, said, undefined: name } = await this.built(compiler, { file, driver, text }, stop);
    if (name) return this.grader("not_linked", id, name);
    if (!module) return { passes: false, said, ...(await this.grader("does_not_compile", id, said)) };
    tell("running");
    return this.run(id, module, stop);
  }

  // A compiler that is stopped, or does not come to an end, is given up, and another one loaded.
  async built(compiler, build, stop) {
    let clock;
    const late = new Promise((_, reject) => {
      clock = setTimeout(() => reject(new Error(`it did not compile in ${MOST_COMPILING / 1000} seconds`)), MOST_COMPILING);
    });
    try {
      return await Promise.race([compiler.ask(this.question(build)), late, stop]);
    } catch (error) {
      compiler.end();
      this.forget();
      throw error;
    } finally {
      clearTimeout(clock);
    }
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
