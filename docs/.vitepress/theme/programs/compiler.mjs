// A compiler in a worker, for all that a page asks of it.
import { Asked } from "../widgets/asked.mjs";

export class Late extends Error {}

// `promise`, unless `seconds` go by, or `signal` stops it: then an error. `clock.wind()` begins the seconds anew.
export async function within(seconds, words, signal, promise, clock = {}) {
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

export class Compiler {
  // `worker()` makes one; `first(load)` says what it loads, by load(what), whose answer is the worker's.
  constructor(worker, first) {
    Object.assign(this, { worker, first });
  }

  async begin(tell) {
    let compiler, bytes = 0;
    const load = (what) => {
      compiler = new Asked(this.worker());
      return compiler.ask({ load: what }, (progress) => tell(bytes += progress.bytes));
    };
    try {
      await this.first(load);
    } catch (error) {
      compiler?.end();
      throw error;
    }
    return compiler;
  }

  // Once for all that ask; `tell` hears how many bytes have come.
  load(tell = () => {}) {
    this.loading ??= this.begin(tell).catch((error) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  loaded(signal, tell) {
    const stopped = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    return Promise.race([this.load(tell), stopped]);
  }

  // A compiler that is stopped, or does not answer in so many seconds, is given up, and another one begins when it is needed: so also
  // for whoever else was waiting for it.
  async ask(question, seconds, signal) {
    for (let again = true;; again = false) {
      const loading = this.load(), compiler = await this.loaded(signal);
      try {
        return await within(seconds, `it did not compile in ${seconds} seconds`, signal, compiler.ask(question));
      } catch (error) {
        again &&= compiler.ended && !signal.aborted && !(error instanceof Late);
        if (this.loading === loading) this.loading = undefined;
        compiler.end();
        if (!again) throw error;
      }
    }
  }
}
