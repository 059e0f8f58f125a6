// A module of the library, as WebAssembly, whose functions are asked with texts and numbers, and give a text.
import { System } from "../programs/system.mjs";

export class Module {
  // `page` has functions that it calls.
  static async at(url, page) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return Module.of(await WebAssembly.compile(await response.arrayBuffer()), page);
  }

  // Of what was compiled; `system` is what it runs on.
  static async of(compiled, page = {}, system = new System(new Map(), () => {})) {
    const module = new Module(), imports = system.imports(() => module.exports.memory);
    module.exports = (await WebAssembly.instantiate(compiled, { ...imports, page: { ...imports.page, ...page } })).exports;
    (module.exports._initialize ?? module.exports.__wasm_call_ctors)();
    return module;
  }

  // What is in its memory, until it next calls for more.
  get memory() {
    return new Uint8Array(this.exports.memory.buffer);
  }

  ask(name, ...values) {
    const given = values.map((value) => (typeof value === "string" ? this.put(value) : value));
    const at = this.exports[name](...given);
    values.forEach((value, i) => typeof value !== "string" || this.exports.free(given[i]));
    return new TextDecoder().decode(this.memory.subarray(at, this.memory.indexOf(0, at)));
  }

  put(text) {
    const bytes = new TextEncoder().encode(`${text}\0`);
    const at = this.exports.malloc(bytes.length);
    this.memory.set(bytes, at);
    return at;
  }
}
