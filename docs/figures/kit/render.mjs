// The pictures of the book: figures/NAME.mjs drawn as SVG.
//   node docs/figures/kit/render.mjs [NAME…]           writes docs/made/figures/NAME.svg (all of them without a name)
//   node docs/figures/kit/render.mjs --check [NAME…]   fails if a committed file is not what the module draws today
//   node docs/figures/kit/render.mjs --page NAME…      a page on standard output: both widths, light and dark, to look at
// A module exports draw({ Plot, house, drawing, width, results }), a title, and what it needs:
//   results = ["ch04"]  docs/made/results/ch04.json, or docs/made/outputs/ch04.output if that is JSON
//   narrow = false      the drawing is the same at both widths: it is drawn once, at 358 pixels
//   of_the_tree = true  it shows the tree as it is, which every commit changes: its file may be older
import * as ObservablePlot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { replace_file } from "../../.vitepress/book/tree.mjs";
import { drawing } from "./drawing.mjs";
import { finish } from "./finish.mjs";
import { make_house } from "./house.mjs";
import { whole_svg } from "./serialize.mjs";

const KIT = dirname(fileURLToPath(import.meta.url));
const FIGURES = dirname(KIT);
const DOCS = dirname(FIGURES);
const MADE = join(DOCS, "made");
export const WIDE = 720;
export const NARROW = 358;
const MOST_BYTES = 40 * 1024;

// A page has the tokens; a file alone has the light colours, and the types, as what stands for them.
const tokens = readFileSync(join(DOCS, "kit", "tokens.css"), "utf8");
const light = new Map([...tokens.matchAll(/--(\w+): (?:light-dark\((#\w+)|(.*, .*serif|.*monospace);)/g)].map(([, name, hex, font]) => [
  name,
  hex ?? font.replaceAll('"', "'"),
]));

export const names = () =>
  readdirSync(FIGURES)
    .filter((file) => file.endsWith(".mjs"))
    .map((file) => file.slice(0, -4))
    .sort();

// The parsed JSON of a run of a chapter or of a program of the book.
export function result(name) {
  const places = [join(MADE, "results", `${name}.json`), join(MADE, "outputs", `${name}.output`)];
  const place = places.find(existsSync);
  if (!place) throw new Error(`no results named ${name}: neither ${places.join(" nor ")}`);
  try {
    return JSON.parse(readFileSync(place, "utf8"));
  } catch (error) {
    throw new Error(`${place} is not JSON: ${error.message}`);
  }
}

export const load = (name) => import(pathToFileURL(join(FIGURES, `${name}.mjs`)).href);

// The SVG of a figure at a width, for a page (whose <figure> says in words what it shows), or as a file of its own.
export async function render(name, width = WIDE, { alone = false } = {}) {
  const figure = await load(name);
  const svg = draw(name, figure, figure.narrow === false ? NARROW : width);
  if (alone) return svg.replace(/var\(--(\w+)\)/g, (all, token) => (light.has(token) ? `var(--${token}, ${light.get(token)})` : all));
  return svg.replace(/\n<title>[^]*?<\/title>/, "").replace(' role="img"', ' aria-hidden="true"');
}

function draw(name, figure, width) {
  const { document } = parseHTML("<html><body></body></html>");
  const Plot = { ...ObservablePlot, plot: (options) => ObservablePlot.plot({ document, ...options }) };
  const house = make_house({ document, width });
  const results = Object.fromEntries((figure.results ?? []).map((one) => [one, result(one)]));
  const drawn = figure.draw({ Plot, house, drawing, width, results });
  if (drawn?.parts) return String(drawn);
  if (!figure.title) throw new Error(`figures/${name}.mjs: export a title`);
  return whole_svg(finish(drawn, `${name}-${width}`), figure.title);
}

// What is committed: the picture of a page, and on its second line what made it. A comment in SVG has no two hyphens.
async function file_of(name) {
  const svg = await render(name, WIDE, { alone: true });
  return svg.replace("\n", `\n<!-- Made by docs/figures/kit/render.mjs from docs/figures/${name}.mjs -->\n`);
}

// What is wrong with the committed file of a figure: nothing, or one line.
async function fault(name) {
  const file = join(MADE, "figures", `${name}.svg`);
  if (!existsSync(join(FIGURES, `${name}.mjs`))) return `made/figures/${name}.svg: no ${name}.mjs draws it`;
  if (!existsSync(file)) return `made/figures/${name}.svg: missing; draw it with node docs/figures/kit/render.mjs ${name}`;
  const committed = readFileSync(file, "utf8");
  const { of_the_tree } = await load(name);
  for (const [what, svg] of [
    ["wide", await file_of(name)],
    ["narrow", await render(name, NARROW)],
  ]) {
    const small = too_small(svg);
    if (small) return `made/figures/${name}.svg: ${what}: a text of ${small} px; the least is 11`;
    if (what === "wide" && svg !== committed && !of_the_tree) return `made/figures/${name}.svg: not what ${name}.mjs draws today`;
    if (Buffer.byteLength(svg) > MOST_BYTES) return `made/figures/${name}.svg: ${what}: more than 40 kB`;
    if (/NaN|undefined/.test(svg.replace(/>[^<]*</g, "><"))) return `made/figures/${name}.svg: ${what}: NaN in its geometry`;
  }
}

const too_small = (svg) => [...svg.matchAll(/font-size="([\d.]+)/g)].map((m) => Number(m[1])).find((size) => size < 11);

async function check(asked) {
  const files = readdirSync(join(MADE, "figures"))
    .filter((file) => file.endsWith(".svg"))
    .map((file) => file.slice(0, -4));
  const faults = [];
  for (const name of asked.length ? asked : [...new Set([...names(), ...files])].sort()) {
    const line = await fault(name).catch((error) => `figures/${name}.mjs: ${error.message}`);
    if (line) faults.push(line);
  }
  if (faults.length) console.error(faults.join("\n"));
  return faults.length === 0;
}

// A page that shows each figure at both widths on both grounds.
async function page(asked) {
  const shown = [];
  const look = "background:var(--paper);padding:16px;display:flex;gap:32px";
  for (const name of asked)
    for (const mode of ["light", "dark"]) {
      const pair = `<div>${await render(name)}</div><div>${await render(name, NARROW)}</div>`;
      shown.push(`<div style="color-scheme:${mode};${look}">${pair}</div>`);
    }
  return `<!doctype html><meta charset="utf-8"><style>${tokens} body{margin:0;width:1180px}</style>${shown.join("")}`;
}

async function main(arguments_) {
  const asked = arguments_.filter((a) => !a.startsWith("--"));
  if (arguments_.includes("--check")) return (await check(asked)) ? 0 : 1;
  if (arguments_.includes("--page")) return console.log(await page(asked)) ?? 0;
  return (await write(asked.length ? asked : names())) ? 0 : 1;
}

async function write(asked) {
  let well = true;
  for (const name of asked) {
    try {
      replace_file(`docs/made/figures/${name}.svg`, await file_of(name));
      console.log(`made/figures/${name}.svg`);
    } catch (error) {
      well = false;
      console.error(`figures/${name}.mjs: ${error.message}`);
    }
  }
  return well;
}

const started = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (started) process.exitCode = await main(process.argv.slice(2));
