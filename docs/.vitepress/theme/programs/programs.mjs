// A reader's programs: compiled and linked in one worker, and each run in a worker of its own.
import { Asked } from "../widgets/asked.mjs";
import { unpacked } from "./load.mjs";

const MOST_COMPILING = 90; // seconds
const MOST_SILENT = 120; // seconds without a printed line
const TEXT = "examples/data/shakespeare.txt";
const reads = (text) => /read_text|shakespeare/.test(text);

class Late extends Error {}

// `promise`, unless `seconds` go by, or `signal` stops it: then an error. `clock.wind()` begins the seconds anew.
async function within(seconds, words, signal, promise, clock = {}) {
  let timer, stop;
  const late = new Promise((_, reject) => {
    clock.wind = () => {
      clearTimeout(timer);
      timer = setTimeout(() => reject(new Late(words)), 1000 * seconds);
    };
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
  });
  clock.wind();
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

export class Programs {
  // `base` is the site's; `versions` those of the compiler and the library.
  constructor(base, versions) {
    Object.assign(this, { base: new URL(base, location.href).href, versions });
  }

  // Once for all programs; `tell` hears how many bytes have come.
  load(tell) {
    this.loading ??= this.begin(tell).catch((error) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  async begin(tell) {
    const compiler = new Asked(new Worker(new URL("./compiler_worker.mjs", import.meta.url), { type: "module" }));
    let bytes = 0;
    try {
      await compiler.ask({ load: { base: this.base, ...this.versions } }, (progress) => tell(bytes += progress.bytes));
    } catch (error) {
      compiler.end();
      throw error;
    }
    return compiler;
  }

  // { said }, of a text that does not compile, or { code, why }, how it ended; `print` hears what is printed, in pieces [text, file],
  // `tell` what is being done. `signal` stops it.
  async run(text, { print, tell, signal }) {
    const stopped = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const compiler = await Promise.race([this.load((bytes) => tell("loading", bytes)), stopped]);
    tell("compiling");
    const { module, said } = await this.built(compiler, text, signal);
    if (!module) return { said };
    tell("running");
    return this.started(module, reads(text) ? [[TEXT, await this.text()]] : [], print, signal);
  }

  // A compiler that is stopped, or does not come to an end, is given up, and another one loaded when it is needed.
  async built(compiler, text, signal) {
    try {
      return await within(MOST_COMPILING, `it did not compile in ${MOST_COMPILING} seconds`, signal, compiler.ask({ build: text }));
    } catch (error) {
      compiler.end();
      this.loading = undefined;
      throw error;
    }
  }

  async started(module, files, print, signal) {
    const runner = new Asked(new Worker(new URL("./run_worker.mjs", import.meta.url), { type: "module" }));
    const clock = {};
    const heard = (pieces) => {
      clock.wind();
      print(pieces);
    };
    try {
      const words = `it was stopped: it printed nothing for ${MOST_SILENT} seconds`;
      return await within(MOST_SILENT, words, signal, runner.ask({ module, files }, heard), clock);
    } catch (error) {
      if (error instanceof Late) return { code: 137, why: error.message };
      throw error;
    } finally {
      runner.end();
    }
  }

  // What the programs from bytes on learn from.
  async text() {
    const body = await unpacked(`${this.base}library/shakespeare.txt.gz`, `gradus-text-${this.versions.library}`, () => {});
    return new Uint8Array(await new Response(body).arrayBuffer());
  }
}
