// The programs and snippets of the path that can be run in the page: below each a button. What that needs is loaded when it is
// pressed and not before.
import { element } from "../../../kit/dom.mjs";
import { on_each_page } from "../each_page.mjs";
import { recall } from "../storage.mjs";

const sources = import.meta.glob("../../../../examples/first/*.cpp", { query: "?raw", import: "default" });
const able = (window) => ["WebAssembly", "Worker", "DecompressionStream"].every((name) => name in window);

// { name, after, shown, text } of what can be run on this page: the snippets of its sections, each with its output below it, and the
// programs that it shows whole, or links to in a line of their own.
function found(document) {
  const snippets = [...document.querySelectorAll(".vp-doc section[data-path]")].flatMap((section) =>
    [...section.querySelectorAll(":scope > .language-cpp")]
      .filter(({ nextElementSibling: next }) => next?.matches(".language-text, .program"))
      .map((code, at) => {
        const text = () => code.querySelector("pre").textContent;
        return { name: `${section.dataset.path}-${at + 1}`, after: code, shown: code, text };
      })
  );
  const links = [...document.querySelectorAll('.vp-doc p > a.source:only-child[href^="source/examples/first/"]')];
  const regions = [...document.querySelectorAll('.vp-doc section[data-path^="thread#"] > .region[data-file^="examples/first/"]')];
  const program = (path, after, shown) => {
    const name = /(\w+)\.cpp/.exec(path)[1];
    return { name, after, shown, text: sources[`../../../../examples/first/${name}.cpp`] };
  };
  const programs = [
    ...regions.map((region) => program(region.dataset.file, region, region)),
    ...links.filter(({ parentElement, textContent }) => parentElement.textContent === textContent)
      .map((link) => program(link.getAttribute("href"), link.parentElement)),
  ];
  return [...snippets, ...programs].filter(({ after }) => !after.nextElementSibling?.matches(".program"));
}

// `about`: { compiler, library }, their versions, and how many bytes they are.
export function start_programs(window, about, base) {
  let programs;
  const made = async () => {
    const { Programs } = await import("./programs.mjs");
    return (programs ??= new Programs(base, about));
  };
  const open = async ({ name, shown, text }, place, then) => {
    for (const button of place.querySelectorAll("button")) button.disabled = true;
    try {
      const [{ Bench }, all, book] = await Promise.all([import("./bench.mjs"), made(), text()]);
      then(new Bench({ name, place, shown, text: book, programs: all, about }));
    } catch (error) {
      place.append(element("span.note", `It could not be opened: ${error.message}`));
    }
  };
  const closed = (one) => {
    const button = (words, then) => element("button", { type: "button", onclick: () => open(one, place, then) }, words);
    const words = `in this page; loads a compiler and the library once, ${Math.round(about.bytes / 1e6)} MB`;
    const place = element("div.program.desk", { "data-program": one.name },
      element("div.buttons", button("Run", (bench) => bench.run()), button("Change it", (bench) => bench.edit()),
        element("span.note", words)));
    return place;
  };
  const find = () => {
    for (const one of found(window.document)) {
      const place = closed(one);
      one.after.after(place);
      if (recall("localStorage", `gradus-program-${one.name}`).text !== undefined) open(one, place, () => {});
    }
  };
  if (able(window)) on_each_page(window, find);
}
