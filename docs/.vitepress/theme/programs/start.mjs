// The programs and snippets of the path that can be run in the page: below each a button. What that needs is loaded when it is
// pressed and not before.
import { element } from "../../../kit/dom.mjs";
import { on_each_page } from "../each_page.mjs";
import { recall_text } from "../storage.mjs";

const sources = import.meta.glob("../../../../examples/first/*.cpp", { query: "?raw", import: "default" });

// What a program needs: a module with an exception and a vector, and memory for the compiler.
const sample = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 27, 1, 25, 0], // of one function, which has this body:
  ...[6, 64, 25, 11, 253, 12, ...Array(16).fill(0), 26, 11], // try, catch_all, end; a vector of zeros, drop; end
]);
const PAGES = 8192; // of 64 kB

// Why none can run here; undefined if they can.
function obstacle(window) {
  const { WebAssembly } = window;
  const known = WebAssembly?.validate(sample) && ["Worker", "DecompressionStream"].every((name) => name in window);
  if (!known) return "To run it in the page takes a newer browser: this one has no exceptions in WebAssembly.";
  try {
    new WebAssembly.Memory({ initial: PAGES });
  } catch {
    return "To run it in the page takes more memory than there is here: the compiler needs a gigabyte.";
  }
  return undefined;
}

// What takes long in the page is shorter there, in this line.
const shorter = {
  gpt: {
    line: ["kSteps = 1000", "kSteps = 200"],
    remark: "In the page kSteps is 200, not 1000, and the losses are those of a shorter run: a page has one processor, and no fused " +
      "multiply-add. At a desk 1,000 steps take half a minute.",
  },
};

// What of these elements has its output below it, by this name and its number.
const with_output = (elements, name, is_it = () => true) =>
  [...elements]
    .filter((code) => code.nextElementSibling?.matches(".language-text, .program") && is_it(code.textContent))
    .map((code, at) => ({ name: `${name}-${at + 1}`, after: code, shown: code, text: () => code.querySelector("pre").textContent }));

// { name, after, shown, text, remark } of what can be run on this page: the snippets of its sections, its whole programs, and those of
// the thread that it shows or links to in a separate line.
function found({ document, location }) {
  const sections = [...document.querySelectorAll(".vp-doc section[data-path]")];
  const snippets = sections.flatMap((one) => with_output(one.querySelectorAll(":scope > .language-cpp"), one.dataset.path));
  const page = /([^/]*?)(\.html)?$/.exec(location.pathname)[1];
  const whole = with_output(document.querySelectorAll(".vp-doc .language-cpp"), page, (text) => /^int main\(/m.test(text));
  const links = [...document.querySelectorAll('.vp-doc p > a.source:only-child[href^="source/examples/first/"]')];
  const regions = [...document.querySelectorAll('.vp-doc section[data-path^="thread#"] > .region[data-file^="examples/first/"]')];
  const program = (path, after, shown) => {
    const name = /(\w+)\.cpp/.exec(path)[1];
    const { line = ["", ""], remark } = shorter[name] ?? {};
    const text = async () => (await sources[`../../../../examples/first/${name}.cpp`]()).replace(...line);
    return { name, after, shown, text, remark };
  };
  const programs = [
    ...regions.map((region) => program(region.dataset.file, region, region)),
    ...links.filter(({ parentElement, textContent }) => parentElement.textContent === textContent)
      .map((link) => program(link.getAttribute("href"), link.parentElement)),
  ];
  return [...snippets, ...whole, ...programs].filter(({ after }) => !after.nextElementSibling?.matches(".program"));
}

// `about`: { compiler, library }, their versions, and how many bytes they are.
export function start_programs(window, about, base) {
  let programs;
  const made = async () => {
    const { Programs } = await import("./programs.mjs");
    return (programs ??= new Programs(base, about));
  };
  const open = async ({ name, shown, text, remark }, place, then) => {
    for (const button of place.querySelectorAll("button")) button.disabled = true;
    try {
      const [{ Bench }, all, book] = await Promise.all([import("./bench.mjs"), made(), text()]);
      then(new Bench({ name, place, shown, text: book, programs: all, about, remark }));
    } catch (error) {
      place.append(element("span.note", `It could not be opened: ${error.message}`));
    }
  };
  const closed = (one) => {
    const button = (words, then) => element("button", { type: "button", onclick: () => open(one, place, then) }, words);
    const words = `in this page; loads a compiler and the library once, ${Math.round(about.bytes / 1e6)} MB`;
    const place = element("div.program.desk", { "data-program": one.name },
      element("div.buttons", button("Run", (bench) => bench.focus().run()), button("Change it", (bench) => bench.edit().focus()),
        element("span.note", words)), one.remark && element("p.note.remark", one.remark));
    return place;
  };
  const why = obstacle(window);
  const find = () => {
    for (const one of found(window)) {
      const place = why ? element("div.program.desk", { "data-program": one.name }, element("span.note", why)) : closed(one);
      one.after.after(place);
      if (!why && recall_text(`gradus-program-${one.name}`).text !== undefined) open(one, place, () => {});
    }
  };
  on_each_page(window, find);
}
