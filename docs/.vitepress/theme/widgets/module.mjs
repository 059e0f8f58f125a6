// A module of the library, as WebAssembly, whose functions are asked with texts and numbers, and give a text.
import { System } from "../programs/system.mjs";

export class Module {
  // `imported` has functions of the page that it calls, by the name of their group.
  static async at(url, imported = {}) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    const module = new Module();
    const system = new System(new Map(), () => {}).imports(() => module.exports.memory);
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), { ...system, ...imported });
    module.exports = instance.exports;
    module.exports._initialize();
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
