// A student's module on tensors, which has the grader in it.
import { ending_of, System } from "../programs/system.mjs";
import { Module } from "../widgets/module.mjs";
import { judge_here } from "./judging.mjs";

const most_printed = 2000;
const endings = [[/called itself/, 3], [/outside/, 4], [/divided/, 5], [/was ended/, 6]]; // wasm/slot.h's, by what is said of them
const EXITED = 7, SPENT = 1024; // bytes of stack, which grows down to 0
let compiled, system, module, printed = "";

async function start() {
  system = new System(new Map(), (text) => printed.length < most_printed && (printed += text));
  module = await Module.of(compiled, { call: () => EXITED }, system);
}

function how(error) {
  if (module.exports.__stack_pointer.value < SPENT) return endings[0][1];
  const { why = "" } = system.ended ?? ending_of(error);
  return endings.find(([words]) => words.test(why))?.[1] ?? EXITED;
}

judge_here({
  async begin({ module: alone, values }) {
    compiled = await WebAssembly.compile(alone ?? values[1]);
    await start();
  },
  ask: (...asked) => module.ask(...asked),
  // Where the function ends the module, the grader, begun anew, says how.
  async judge(...asked) {
    try {
      return module.ask("judge", ...asked);
    } catch (error) {
      const ending = how(error);
      await start();
      return module.ask("trapped", ...asked, ending);
    }
  },
  printed: () => printed,
});
