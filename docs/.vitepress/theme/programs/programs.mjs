// A reader's programs: compiled and linked in one worker, and each run in its own worker.
import { Asked } from "../widgets/asked.mjs";
import { Compiler, Late, within } from "./compiler.mjs";
import { keep_the_site, unpacked } from "./load.mjs";
import { with_lines, with_names } from "./walk.mjs";

const MOST_COMPILING = 90; // seconds
const MOST_SILENT = 120; // seconds without a printed line
const TEXT = "examples/data/shakespeare.txt";
const reads = (text) => /read_text|shakespeare/.test(text);

export class Programs {
  // `base` is the site's; `versions` those of the compiler and the library.
  constructor(base, versions) {
    Object.assign(this, { base: new URL(base, location.href).href, versions });
    const worker = () => new Worker(new URL("./compiler_worker.mjs", import.meta.url), { type: "module" });
    this.compiler = new Compiler(worker, async (load) => {
      await keep_the_site(this.base, versions.library).catch(() => {}); // then it has to be there
      this.kept = await load({ base: this.base, ...versions, kept: this.kept }); // for one that takes the place of a stopped one
    });
  }

  // { said }, of a text that does not compile, or { code, why, walks }, how it ended and how many backward passes there were; `print`
  // hears what is printed, in pieces [text, file], `tell` what is being done. `signal` stops it.
  async run(text, { print, tell, signal }) {
    await this.compiler.loaded(signal, (bytes) => tell("loading", bytes));
    tell("compiling");
    const { module, said } = await this.build({ build: text }, signal);
    if (!module) return { said };
    tell("running");
    return this.started(module, text, { print, signal });
  }

  // The same program once more, up to the end of that walk: { html }, the viewer's page of it, or { why }.
  async walk(text, walk, { tell, signal }) {
    await this.compiler.loaded(signal, (bytes) => tell("loading", bytes));
    tell("compiling, with the names of its tensors");
    const named = await this.build({ build: with_names(text) }, signal);
    const { module } = named.module ? named : await this.build({ build: text }, signal);
    tell(walk > 1 ? `running up to its backward pass ${walk}, the last` : "running up to its backward pass");
    let said = ""; // as an error
    const print = (pieces) => said += pieces.filter(([, file]) => file === 2).map(([words]) => words).join("");
    const { html, stacks, why = said } = await this.started(module, text, { print, signal, walk });
    if (!html) return { why };
    const addresses = [...new Set([...stacks.values()].flat())];
    const lines = addresses.length > 0 ? await this.build({ lines: { module, addresses } }, signal) : new Map();
    return { html: with_lines(html, text, stacks, lines) };
  }

  build(question, signal) {
    return this.compiler.ask(question, MOST_COMPILING, signal);
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
