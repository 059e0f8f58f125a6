// A reader's programs: compiled and linked in one worker, and each run in its own worker.
import { Asked } from "../widgets/asked.mjs";
import { keep_the_site, unpacked } from "./load.mjs";
import { with_lines, with_names } from "./walk.mjs";

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

  // Once for all programs; `tell` hears how many bytes have come. The page keeps what was loaded, for a compiler that takes the place
  // of a stopped one.
  load(tell) {
    this.loading ??= this.begin(tell).catch((error) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  async begin(tell) {
    await keep_the_site(this.base, this.versions.library).catch(() => {}); // then it has to be there
    const compiler = new Asked(new Worker(new URL("./compiler_worker.mjs", import.meta.url), { type: "module" }));
    let bytes = 0;
    try {
      const load = { base: this.base, ...this.versions, kept: this.kept };
      this.kept = await compiler.ask({ load }, (progress) => tell(bytes += progress.bytes));
    } catch (error) {
      compiler.end();
      throw error;
    }
    return compiler;
  }

  // { said }, of a text that does not compile, or { code, why, walks }, how it ended and how many backward passes there were; `print`
  // hears what is printed, in pieces [text, file], `tell` what is being done. `signal` stops it.
  async run(text, { print, tell, signal }) {
    const compiler = await this.loaded(tell, signal);
    tell("compiling");
    const { module, said } = await this.built(compiler, { build: text }, signal);
    if (!module) return { said };
    tell("running");
    return this.started(module, text, { print, signal });
  }

  // The same program once more, up to the end of that walk: { html }, the viewer's page of it, or { code, why }.
  async walk(text, walk, { tell, signal }) {
    const compiler = await this.loaded(tell, signal), build = (build) => this.built(compiler, { build }, signal);
    tell("compiling, with the names of its tensors");
    const named = await build(with_names(text)), { module } = named.module ? named : await build(text);
    tell(walk > 1 ? `running up to its backward pass ${walk}, the last` : "running up to its backward pass");
    const { html, stacks, ...ended } = await this.started(module, text, { print: () => {}, signal, walk });
    if (!html) return ended;
    const addresses = [...new Set([...stacks.values()].flat())];
    const lines = addresses.length > 0 ? await this.built(compiler, { lines: { module, addresses } }, signal) : new Map();
    return { html: with_lines(html, text, stacks, lines) };
  }

  async loaded(tell, signal) {
    const stopped = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    return Promise.race([this.load((bytes) => tell("loading", bytes)), stopped]);
  }

  // A compiler that is stopped, or does not come to an end, is given up, and another one begins when it is needed: so also for whoever
  // else was waiting for it.
  async built(compiler, question, signal) {
    const words = `it did not compile in ${MOST_COMPILING} seconds`, another = () => this.loaded(() => {}, signal);
    if (compiler.ended) compiler = await another();
    try {
      return await within(MOST_COMPILING, words, signal, compiler.ask(question));
    } catch (error) {
      const was_ended = compiler.ended && !signal.aborted && !(error instanceof Late);
      if (!compiler.ended) compiler.end(), this.forget();
      if (!was_ended) throw error;
      return within(MOST_COMPILING, words, signal, (await another()).ask(question));
    }
  }

  forget() {
    this.loading = undefined;
  }

  async started(module, text, { print, signal, walk }) {
    const files = reads(text) ? [[TEXT, await this.text()]] : [];
    const runner = new Asked(new Worker(new URL("./run_worker.mjs", import.meta.url), { type: "module" }));
    const clock = {};
    const heard = (pieces) => {
      clock.wind();
      print(pieces);
    };
    try {
      const words = `it was stopped: it printed nothing for ${MOST_SILENT} seconds`;
      return await within(MOST_SILENT, words, signal, runner.ask({ module, files, walk }, heard), clock);
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
