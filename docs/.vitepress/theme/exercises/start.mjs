// The exercises that can be written in the page: below the head of each a button, and with it a desk. What a desk needs is loaded
// when its button is pressed and not before.
import { element } from "../../../kit/dom.mjs";
import { on_each_page } from "../each_page.mjs";

const MEGABYTES = 25;

// A compiler takes half a gigabyte of memory, and code a keyboard.
const able = (window) =>
  ["WebAssembly", "Worker", "DecompressionStream"].every((name) => name in window) &&
  window.matchMedia("(pointer: fine) and (min-width: 768px)").matches;

const closed = (id, open) => {
  const button = element("button", { type: "button", onclick: (event) => open(event.currentTarget.parentElement) }, "Write it here");
  const words = `compiled and checked in this page; loads a compiler once, ${MEGABYTES} MB`;
  return element("div.desk", { "data-exercise": id }, button, element("span.note", words));
};

const at_home = (id) =>
  element("p.desk.at-home", { "data-exercise": id }, "In the page it needs a wide screen and a mouse. At home: ",
    element("code", `./examples/run exercises new ${id}`), " puts it into my/.");

// `exercises`: { ids, version }, the latter that of the compiler.
export function start_exercises(window, { ids, version }, base) {
  let grading;
  const open = async (desk) => {
    const button = desk.querySelector("button"), note = desk.querySelector(".note");
    button.disabled = true;
    try {
      const [{ Desk }, { Grading }] = await Promise.all([import("./desk.mjs"), import("./grading.mjs")]);
      grading ??= new Grading(base, version);
      desk.replaceWith(await Desk.open(desk.dataset.exercise, grading));
    } catch (error) {
      button.disabled = false;
      note.textContent = `It could not be opened: ${error.message}`;
    }
  };
  const find = () => {
    if (!window.document.querySelector("h2#rule-mul")) return;
    for (const id of ids) {
      const head = window.document.querySelector(`h2#${id} ~ p:not(.place)`);
      if (head && !head.nextElementSibling?.classList.contains("desk")) head.after(able(window) ? closed(id, open) : at_home(id));
    }
  };
  on_each_page(window, find);
}
