// TeX to SVG by MathJax, at build. A page's glyphs are defined once, in `glyphs()`, and used by all its formulas.
import { liteAdaptor } from "mathjax-full/js/adaptors/liteAdaptor.js";
import { STATE } from "mathjax-full/js/core/MathItem.js";
import { SerializedMmlVisitor } from "mathjax-full/js/core/MmlTree/SerializedMmlVisitor.js";
import { RegisterHTMLHandler } from "mathjax-full/js/handlers/html.js";
import { TeX } from "mathjax-full/js/input/tex.js";
import { mathjax } from "mathjax-full/js/mathjax.js";
import { SVG } from "mathjax-full/js/output/svg.js";
import "mathjax-full/js/input/tex/base/BaseConfiguration.js";
import "mathjax-full/js/input/tex/ams/AmsConfiguration.js";
import { term_name } from "../../figures/kit/math_text.mjs";
import { escaped } from "../../kit/words.mjs";

const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
const visitor = new SerializedMmlVisitor();

const input = new TeX({
  packages: ["base", "ams"],
  formatError: (_, error) => {
    throw new Error(error.message);
  },
});
const output = new SVG({ fontCache: "global", internalSpeechTitles: false });
let terms = [];
const document = mathjax.document("", {
  InputJax: input,
  OutputJax: output,
  renderActions: { terms: [STATE.COMPILED + 1, () => {}, (item) => mark(item.root), true] },
});

// The innermost node that is all of a formula.
function kernel_of(node) {
  const children = (node.childNodes ?? []).filter(Boolean);
  return (node.isInferred || ["math", "mrow", "TeXAtom", "mstyle"].includes(node.kind)) && children.length === 1
    ? kernel_of(children[0])
    : node;
}

const written = (node) => visitor.visitNode(node, "").replace(/\s+/g, " ");

// Marks each part of a formula that is one of the terms, the largest first.
function mark(node) {
  const text = terms.length > 0 && (node.isToken || node.childNodes?.length > 1) && written(node);
  const term = terms.find(({ pattern }) => pattern === text);
  if (term) node.attributes.set("data-term", term.name);
  else if (!node.isToken) node.childNodes?.filter(Boolean).forEach(mark);
}

// What `mark` needs to find a symbol again in other formulas.
export const term_of = (tex) => {
  terms = [];
  return { name: term_name(tex), pattern: written(kernel_of(document.convert(tex, { end: STATE.COMPILED }))) };
};

// The same drawing in fewer words: a page has hundreds of formulas.
function shortened(svg) {
  const use = (attributes, x, y, href) =>
    `<use${attributes} href="${href}"${x === "0" ? "" : ` x="${x}"`}${y === "0" ? "" : ` y="${y}"`}/>`;
  return svg
    .replaceAll("xlink:href", "href")
    .replaceAll("MJX-TEX-", "m-")
    .replace(/ (xmlns(:xlink)?|data-mml-node|data-c|data-mjx-texclass|focusable)="[^"]*"/g, "")
    .replace(' stroke="currentColor" fill="currentColor" stroke-width="0"', "") // said by the style sheet
    .replace(/translate\((-?[\d.]+), ?(-?[\d.]+)\)/g, (_, x, y) => `translate(${Math.round(x)},${Math.round(y)})`)
    .replace(
      /<g( data-term="[^"]*")?(?: transform="translate\((-?\d+),(-?\d+)\)")?><use href="([^"]*)"><\/use><\/g>/g,
      (_, term = "", x = "0", y = "0", href) => use(term, x, y, href),
    )
    .replace(/<use href="([^"]*)"><\/use>/g, '<use href="$1"/>');
}

const drawn = new Map(); // a page has its short formulas many times

function draw(tex, display) {
  const key = `${display} ${terms.map(({ name, pattern }) => name + pattern)} ${tex}`;
  if (!drawn.has(key)) drawn.set(key, shortened(adaptor.innerHTML(document.convert(tex, { display }))));
  return drawn.get(key);
}

// The SVG of a formula; whatever in it is one of the terms carries data-term. Throws what is wrong with the TeX.
export function to_svg(tex, { display = false, terms: wanted = [], after = "" } = {}) {
  terms = wanted;
  const svg = draw(tex, display).replace(/^<svg /, `<svg aria-label="${escaped(tex)}" `);
  return display ? `<div class="math">${svg}</div>` : `<span class="math">${svg}${after}</span>`;
}

export function start_page() {
  drawn.clear();
  output.clearFontCache();
}

// The definitions of all glyphs that the formulas since start_page() use.
export function glyphs() {
  const definitions = adaptor.innerHTML(output.fontCache.getCache()).replaceAll("MJX-TEX-", "m-");
  return (
    definitions && `<svg class="glyphs" aria-hidden="true" width="0" height="0"><defs>${definitions}</defs></svg>`
  );
}
