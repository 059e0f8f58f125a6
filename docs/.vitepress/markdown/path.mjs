// What the site adds to a section of the path: its place, the way on, the fold; and to path.md what theme/path.mjs fills in.
import { escaped } from "../../kit/words.mjs";
import { DEPTH, href_of } from "../book/path.mjs";

const page_link = ({ page, anchor }) => `${page.replace(/\.md$/, ".html")}#${anchor}`;

const to = (section, words, rel) => `<a href="${page_link(section)}" rel="${rel}">${words}</a>`;

export const place_html = ({ at, of, minutes }) => `<p class="place"><a href="path.html">Path</a> ${at} of ${of} · ${minutes} min</p>\n`;

// After the last station the path goes on to the reader's own model.
const END = { page: "path.md", anchor: "a-model-of-yours", name: "A model of yours" };

export function steps_html({ at, name }, stations) {
  const [before, after] = [stations[at - 2], stations[at] ?? END];
  const links = [
    before && to(before, `← ${escaped(before.name)}`, "prev"),
    '<a href="path.html">the path</a>',
    to(after, `${escaped(after.name)} →`, "next"),
  ];
  return `<nav class="steps" aria-label="On the path: after ${escaped(name)}">${links.filter(Boolean).join(" · ")}</nav>\n`;
}

const counted = (n, one) => (n === 1 ? `a ${one}` : `${n}&nbsp;${one}s`);
const items = (text) => text.match(/^- /gm)?.length ?? 0;
const inside = {
  "By hand": () => "by hand",
  Gradient: (text) => (/^\*\*No gradient\.\*\*/m.test(text) ? undefined : "the gradient line by line"),
  "More code": () => "more code",
  Laws: () => "laws",
  Claims: () => "claims",
  "Other conventions": () => "other conventions",
  "Published mistakes": (text) => (items(text) ? counted(items(text), "published mistake") : "published mistakes"),
  Exercises: () => "exercises",
};

// "In depth: by hand, the gradient line by line, …": what the parts of a section, { name, text }, have below the fold.
export function fold_html(key, parts) {
  const folded = parts.slice(parts.findIndex(({ name }) => name === DEPTH) + 1);
  const names = folded.map(({ name, text }) => inside[name]?.(text)).filter(Boolean);
  const words = names.length > 0 ? `${DEPTH}: <span>${names.join(", ")}</span>` : DEPTH;
  return `<details class="depth" id="${key}-in-depth"><summary>${words}</summary>\n`;
}

// A mark that theme/path.mjs shows once the reader has been there.
export const tick_html = ({ key }) => `<span class="tick" data-reached="${key}" hidden> ✓<span class="visually-hidden"> done</span></span>`;

// The tables of path.md: a tick behind the name of each station.
export function mark_read(table, rows, stations, Token) {
  table.attrSet("class", "path");
  for (const { cells } of rows.slice(1)) {
    const { children } = cells[0].inline;
    const place = stations.find((station) => children[0]?.attrGet("href") === href_of(station));
    if (!place) continue;
    children[0].attrSet("href", `${place.page}#${place.anchor}`);
    children.push(Object.assign(new Token("html_inline", "", 0), { content: tick_html(place) }));
  }
}

// The link at which one begins, and later goes on.
export const begin_html = (section, words) => `<p class="begin"><a href="${page_link(section)}">${escaped(words)}</a></p>\n`;
