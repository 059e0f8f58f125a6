// The exercises that can be written in the page: below the head of each a button, and with it a desk. What a desk needs is loaded
// when its button is pressed and not before.
import { element } from "../../../kit/dom.mjs";
import { on_each_page } from "../each_page.mjs";

const MEGABYTES = { rows: 25, tensors: 46 };

// A compiler takes half a gigabyte of memory, and code a keyboard.
const able = (window) =>
  ["WebAssembly", "Worker", "DecompressionStream"].every((name) => name in window) &&
  window.matchMedia("(pointer: fine) and (min-width: 768px)").matches;

const closed = (id, megabytes, open) => {
  const button = element("button", { type: "button", onclick: (event) => open(event.currentTarget.parentElement) }, "Write it here");
  const words = `compiled and checked in this page; loads a compiler once, ${megabytes} MB`;
  return element("div.desk", { "data-exercise": id }, button, element("span.note", words));
};

const at_home = (id) =>
  element("p.desk.at-home", { "data-exercise": id }, "In the page it needs a wide screen and a mouse. At home: ",
    element("code", `./examples/run exercises new ${id}`), " makes the file to write in.");

// `exercises`: { rows, tensors, compiler, library }: ids, and versions.
export function start_exercises(window, { rows, tensors, ...versions }, base) {
  const gradings = {};
  const grading_of = async (id) => {
    if (rows.includes(id)) return gradings.rows ??= new (await import("./grading.mjs")).Grading(base, versions.compiler);
    return gradings.tensors ??= new (await import("./on_tensors.mjs")).OnTensors(base, versions);
  };
  const open = async (desk) => {
    const button = desk.querySelector("button"), note = desk.querySelector(".note");
    button.disabled = true;
    try {
      const [{ Desk }, grading] = await Promise.all([import("./desk.mjs"), grading_of(desk.dataset.exercise)]);
      const opened = await Desk.open(desk.dataset.exercise, grading);
      desk.replaceWith(opened.element);
      opened.editor.focus();
    } catch (error) {
      button.disabled = false;
      note.textContent = `It could not be opened: ${error.message}`;
    }
  };
  const find = () => {
    if (!window.document.querySelector("h2#rule-mul")) return;
    for (const id of [...rows, ...tensors]) {
      const head = window.document.querySelector(`h2#${id} ~ p:not(.place)`);
      if (head && !head.nextElementSibling?.classList.contains("desk"))
        head.after(able(window) ? closed(id, MEGABYTES[rows.includes(id) ? "rows" : "tensors"], open) : at_home(id));
    }
  };
  on_each_page(window, find);
}
