// Calls in a student's module, which has a memory of its own: what the grader sends is copied there, and back.
const slot_bytes = 32, around = 2048; // around: bytes beside an array that is only read
const outside = [0x64, 0x69, 0x73, 0x74, 0x75, 0x6f, 0xf8, 0x7f]; // what they hold: grader/function.cpp's kOutside
const endings = { returned: 0, not_written: 1, out_of_memory: 2, recursion: 3, outside: 4, division: 5, trap: 6, exited: 7 };
const most_printed = 2000;

class End {
  constructor(how) {
    this.how = how;
  }
}

const slots_in = (view, at, count) =>
  Array.from({ length: count }, (_, i) => at + i * slot_bytes).map((slot) => ({
    slot,
    address: view.getUint32(slot + 8, true),
    bytes: view.getUint32(slot + 20, true),
    beside: view.getUint32(slot + 24, true),
  }));

export class Student {
  constructor(module) {
    this.module = module;
    this.printed = "";
  }

  // Its memory and its variables are as at first.
  begin() {
    const page = { end: (how) => {
      throw new End(how);
    } };
    const wasi = new Proxy(this.system(), { get: (own, name) => own[name] ?? (() => 52) }); // ENOSYS
    this.exports = new WebAssembly.Instance(this.module, { page, wasi_snapshot_preview1: wasi }).exports;
    this.started = false;
  }

  // What it can ask of the system: to print, and to end.
  system() {
    const decoder = new TextDecoder();
    return {
      fd_write: (file, vectors, count, written) => {
        const view = new DataView(this.exports.memory.buffer);
        let all = 0;
        for (let i = 0; i < count; ++i) {
          const [at, bytes] = [view.getUint32(vectors + 8 * i, true), view.getUint32(vectors + 8 * i + 4, true)];
          if (this.printed.length < most_printed)
            this.printed += decoder.decode(new Uint8Array(view.buffer, at, Math.min(bytes, most_printed)));
          all += bytes;
        }
        view.setUint32(written, all, true);
        return 0;
      },
      fd_fdstat_get: (file, at) => {
        new DataView(this.exports.memory.buffer).setUint8(at, 2); // a terminal
        return 0;
      },
      proc_exit: () => {
        throw new End(endings.exited);
      },
    };
  }

  // For the grader's module, whose memory is `heap`: one of the endings.
  call(heap, number, slots, count) {
    try {
      if (!this.started) this.exports._initialize();
      this.started = true;
      const room = this.exports.room();
      const sent = this.send(heap, slots, count, room);
      const result = this.exports.call(number, room);
      const own = new Uint8Array(this.exports.memory.buffer);
      for (const { address, bytes, beside, to } of sent) {
        if (address) heap.set(own.subarray(to - beside, to + bytes + beside), address - beside);
      }
      new DataView(heap.buffer).setFloat64(slots + count * slot_bytes, result, true);
      return endings.returned;
    } catch (error) {
      return this.ending_of(error);
    }
  }

  // What it has printed, and still holds, unless it has spoilt that.
  flush() {
    try {
      this.exports.fflush?.(0);
    } catch {} // then nothing more is printed
  }

  send(heap, slots, count, room) {
    const own = new Uint8Array(this.exports.memory.buffer), view = new DataView(own.buffer);
    let at = room + count * slot_bytes;
    const sent = slots_in(new DataView(heap.buffer), slots, count).map((one) => {
      const to = Math.ceil((at + Math.max(one.beside, around)) / 16) * 16;
      if (one.address) at = to + one.bytes + Math.max(one.beside, around);
      return { ...one, to };
    });
    own.fill(0, room, at);
    own.set(heap.subarray(slots, slots + count * slot_bytes), room);
    sent.forEach(({ address, bytes, beside, to }, i) => {
      if (!address) return;
      for (let p = beside ? around : 0; p < around; p += 8) {
        own.set(outside, to - around + p);
        own.set(outside, to + bytes + p);
      }
      own.set(heap.subarray(address - beside, address + bytes + beside), to - beside);
      view.setUint32(room + i * slot_bytes + 8, to, true);
    });
    return sent;
  }

  // Engines have different words for the same trap.
  ending_of(error) {
    if (error instanceof End) return error.how;
    if (error instanceof RangeError || error.constructor.name === "InternalError") return endings.recursion;
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    const stack = this.exports.__stack_pointer?.value ?? 65536;
    if (stack < 1024) return endings.recursion; // it grows down to 0
    if (/bounds/i.test(error.message)) return endings.outside;
    return /zero|overflow/i.test(error.message) ? endings.division : endings.trap;
  }
}
