// What a program can ask of its system, which is WASI: to print, to read the files that it is given, the time, and to end.
const MOST = 200_000; // bytes that it may print
const errors = { none: 0, badf: 8, nosys: 52, inval: 28, noent: 44, notdir: 54, rofs: 69, nametoolong: 37 };
const types = { terminal: 2, folder: 3, file: 4 };
const ROOT = 3; // the descriptor of /

// Those in the module, of the calls on a stack; an engine that does not say them has none.
const addresses = (stack) => [...stack.matchAll(/:wasm-function\[\d+\]:0x([0-9a-f]+)/g)].map(([, address]) => parseInt(address, 16));
const MOST_CALLS = 50; // that a stack shows

export class Ended {
  constructor(code, why) {
    Object.assign(this, { code, why });
  }
}

export class System {
  // `files`: path → bytes; `print` hears what is printed, a piece at a time; `walk` is the backward pass that is asked for, from 1.
  constructor(files, print, walk) {
    Object.assign(this, { files, print, walk, printed: 0, open: new Map(), last: ROOT, walks: 0, stacks: new Map() });
    this.decoders = [1, 2].map(() => new TextDecoder());
  }

  // For a module, whose memory is `memory()`.
  imports(memory) {
    const view = () => new DataView(memory().buffer);
    const bytes = (at, length) => new Uint8Array(memory().buffer, at, length);
    const text = (at, length) => new TextDecoder().decode(bytes(at, length));
    const file_at = (at, length) => this.files.get(text(at, length).split("/").filter((name) => name && name !== ".").join("/"));
    // The pieces that a call reads into, or writes from.
    const pieces = (at, count) =>
      Array.from({ length: count }, (_, i) => bytes(view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)));
    const put32 = (at, value) => view().setUint32(at, value, true);
    const put64 = (at, value) => view().setBigUint64(at, BigInt(value), true);
    const put_stat = (at, type, size) => {
      bytes(at, 64).fill(0);
      view().setUint8(at + 16, type);
      put64(at + 24, 1);
      put64(at + 32, size);
      return errors.none;
    };
    const none = (...addresses) => {
      for (const at of addresses) put32(at, 0);
      return errors.none;
    };
    const calls = {
      args_sizes_get: none,
      args_get: () => errors.none,
      environ_sizes_get: none,
      environ_get: () => errors.none,
      clock_time_get: (clock, precision, at) => {
        put64(at, Math.round(clock === 0 ? Date.now() * 1e6 : performance.now() * 1e6));
        return errors.none;
      },
      random_get: (at, length) => {
        crypto.getRandomValues(bytes(at, length));
        return errors.none;
      },
      proc_exit: (code) => this.end(code),
      fd_write: (file, at, count, written) => {
        if (file !== 1 && file !== 2) return errors.badf;
        const all = pieces(at, count);
        for (const piece of all) this.say(file, piece);
        put32(written, all.reduce((sum, piece) => sum + piece.length, 0));
        return errors.none;
      },
      fd_read: (file, at, count, read) => {
        const one = this.open.get(file);
        if (!one) return file === 0 ? none(read) : errors.badf;
        const before = one.at;
        for (const piece of pieces(at, count)) {
          const next = one.bytes.subarray(one.at, one.at + piece.length);
          piece.set(next);
          one.at += next.length;
        }
        put32(read, one.at - before);
        return errors.none;
      },
      fd_seek: (file, offset, whence, at) => {
        const one = this.open.get(file);
        if (!one) return errors.badf;
        one.at = [0, one.at, one.bytes.length][whence] + Number(offset);
        put64(at, one.at);
        return errors.none;
      },
      fd_close: (file) => (this.open.delete(file) ? errors.none : errors.badf),
      fd_fdstat_get: (file, at) => {
        const type = file <= 2 ? types.terminal : file === ROOT ? types.folder : this.open.has(file) ? types.file : undefined;
        if (type === undefined) return errors.badf;
        bytes(at, 24).fill(0);
        view().setUint8(at, type);
        if (file >= ROOT) bytes(at + 8, 16).fill(255); // all rights
        return errors.none;
      },
      fd_fdstat_set_flags: () => errors.none,
      fd_filestat_get: (file, at) => {
        const one = this.open.get(file);
        return one ? put_stat(at, types.file, one.bytes.length) : file <= ROOT ? put_stat(at, file === ROOT ? 3 : 2, 0) : errors.badf;
      },
      fd_prestat_get: (file, at) => {
        if (file !== ROOT) return errors.badf;
        put32(at, 0);
        put32(at + 4, 1); // bytes of its name
        return errors.none;
      },
      fd_prestat_dir_name: (file, at) => {
        bytes(at, 1)[0] = "/".charCodeAt(0);
        return errors.none;
      },
      path_filestat_get: (folder, flags, name, length, at) => {
        const found = file_at(name, length);
        return found ? put_stat(at, types.file, found.length) : errors.noent;
      },
      path_open: (folder, flags, name, length, how, rights, inherited, more, at) => {
        const found = file_at(name, length);
        if (how !== 0 && !found) return errors.rofs; // to make one
        if (!found) return errors.noent;
        this.open.set(++this.last, { bytes: found, at: 0 });
        put32(at, this.last);
        return errors.none;
      },
    };
    // What the program tells of its walks. Leaves are made before the first, and the rest of what leads to one right before it.
    const page = {
      made: (tensor) => {
        const is_visited = this.walk > 0 && (this.walks === 0 || this.walks === this.walk - 1);
        if (is_visited && !this.stacks.has(tensor)) this.stacks.set(tensor, addresses(new Error().stack));
        return Number(is_visited);
      },
      asks: () => Number(this.walks === this.walk - 1),
      walked: () => ++this.walks,
      shows: (at, length) => {
        this.html = text(at, length);
        this.end(0);
      },
    };
    return { page, wasi_snapshot_preview1: new Proxy(calls, { get: (own, name) => own[name] ?? (() => errors.nosys) }) };
  }

  // On its way out, destructors run; what ended it first is what is told.
  end(code, why) {
    throw (this.ended ??= new Ended(code, why));
  }

  say(file, piece) {
    this.printed += piece.length;
    if (this.printed > MOST) this.end(134, `it printed more than ${MOST.toLocaleString("en")} bytes`);
    this.print(this.decoders[file - 1].decode(piece, { stream: true }), file);
  }
}

// Why it ended, of what a run has thrown: { code, why }. Engines have different words for the same trap.
export function ending_of(error) {
  if (error instanceof Ended) return error;
  if (error instanceof RangeError || error?.constructor?.name === "InternalError")
    return new Ended(139, "it called itself until the stack was full");
  if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  if (/bounds/i.test(error.message)) return new Ended(139, "it read or wrote outside of its memory");
  if (/zero|overflow/i.test(error.message)) return new Ended(136, "it divided a whole number by 0");
  return new Ended(134, "it was ended: abort(), a failed assert, or the end of a function that returns nothing");
}

// Runs a module to its end, or to that of a walk: how it ended, after how many walks, and what it shows of the one.
export async function run(module, files, print, walk) {
  Error.stackTraceLimit = MOST_CALLS;
  const system = new System(files, print, walk);
  let memory;
  const instance = await WebAssembly.instantiate(module, system.imports(() => memory));
  memory = instance.exports.memory;
  let ended = new Ended(0);
  try {
    instance.exports._start();
  } catch (error) {
    ended = system.ended ?? ending_of(error);
  }
  const { walks, html, stacks } = system;
  return { ...ended, walks, html, stacks };
}
