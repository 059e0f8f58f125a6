// A student's module on tensors, which has the grader in it: a worker that is used once.
import { ending_of, System } from "../programs/system.mjs";

const most_printed = 2000;
const endings = [[/called itself/, 3], [/outside/, 4], [/divided/, 5], [/was ended/, 6]]; // wasm/slot.h's, by what is said of them
const EXITED = 7, SPENT = 1024; // bytes of stack, which grows down to 0
let module, system, exports, printed = "";

async function begin() {
  system = new System(new Map(), (text) => printed.length < most_printed && (printed += text));
  const { page, ...wasi } = system.imports(() => exports.memory);
  ({ exports } = await WebAssembly.instantiate(module, { page: { ...page, call: () => EXITED }, ...wasi }));
  exports.__wasm_call_ctors();
}

function put(text) {
  const bytes = new TextEncoder().encode(`${text}\0`), at = exports.malloc(bytes.length);
  new Uint8Array(exports.memory.buffer).set(bytes, at);
  return at;
}

function said(name, ...values) {
  const at = exports[name](...values.map((value) => (typeof value === "string" ? put(value) : value)));
  const from = new Uint8Array(exports.memory.buffer, at);
  return new TextDecoder().decode(from.subarray(0, from.indexOf(0)));
}
const ask = (...asked) => JSON.parse(said(...asked));

function how(error) {
  if (exports.__stack_pointer.value < SPENT) return endings[0][1];
  const { why = "" } = system.ended ?? ending_of(error);
  return endings.find(([words]) => words.test(why))?.[1] ?? EXITED;
}

// The verdict on a function, also on one that ends the module: then the grader, begun anew, says how.
async function judged(id, stage, passed) {
  try {
    return ask("judge", id, stage, passed);
  } catch (error) {
    const ending = how(error);
    await begin();
    return ask("trapped", id, stage, passed, ending);
  }
}

// Function by function, until the first that fails; { begun } before each, with the lines of those that have passed.
async function run(id, tell) {
  for (let stage = 0, passed = "";; ++stage) {
    tell({ begun: stage, passed });
    const seen = await judged(id, stage, passed);
    if (seen.error) throw new Error(seen.error);
    if (seen.screen) {
      const more = said("printed", printed);
      return { ...seen, screen: seen.screen + more, named: seen.named && seen.named + more };
    }
    passed = seen.passed;
  }
}

self.onmessage = async ({ data: { id, name, values, ...given } }) => {
  try {
    module = await WebAssembly.compile(given.module ?? values[1]);
    await begin();
    const answer = name === "run" ? await run(values[0], (progress) => self.postMessage({ id, progress })) : ask(name, ...values);
    if (answer.error) throw new Error(answer.error);
    self.postMessage({ id, answer });
  } catch (error) {
    self.postMessage({ id, failed: String(error?.message ?? error) });
  }
};
