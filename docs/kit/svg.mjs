// SVG as text. Colours are the names of tokens.css: the roles mean the same everywhere, f1 to f4 are the members of a family of variants.
import { escaped } from "./words.mjs";

const NAMES = "paper panel line ink black soft value gradient parameter constant right wrong hidden f1 f2 f3 f4 g1 g2 g3 g4 g5 g6 " +
  "m3 m2 m1 z0 p1 p2 p3";
export const colour = Object.fromEntries(NAMES.split(" ").map((name) => [name, `var(--${name})`]));
colour.none = colour.constant; // the baseline's

// A name of the list above, or any CSS colour as it is.
export const colour_of = (name) => colour[name] ?? name;

export const at = (v) => String(Math.round(v * 10) / 10).replace(/^-0$/, "0"); // a place in px

// An element; numbers are places, and what is undefined or false is left out.
export function tag(name, attributes, inside) {
  const known = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null && value !== false);
  const head = known.map(([key, value]) => ` ${key}="${escaped(typeof value === "number" ? at(value) : value)}"`).join("");
  return inside === undefined ? `<${name}${head}/>` : `<${name}${head}>${inside}</${name}>`;
}

export const rect = (x, y, width, height, look) => `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" ${look}/>`;
export const fill = (colour) => `fill="var(--${colour})"`;
export const stroke = (colour) => `stroke="var(--${colour})" fill="none"`;
export const path = (d, look) => `<path d="${d}" ${look}/>`;
export const label = (x, y, anchor, words, colour = "soft", size = 12) =>
  `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}" font-size="${size}" ${fill(colour)}>${escaped(words)}</text>`;

// What a picture says to those who do not see it; without an alt it is hidden from them, for words beside it say the same.
export const said = (alt) => (alt ? `role="img" aria-label="${escaped(alt.replace(/\s+/g, " "))}"` : 'aria-hidden="true"');

// In a frame, beyond which nothing is drawn: a panel's drawing, hidden from screen readers.
export const framed = (width, height, drawn) =>
  `<svg viewBox="-1 -1 ${width + 2} ${height + 2}" aria-hidden="true"><svg width="${width}" height="${height}" style="overflow:hidden" ` +
  `aria-hidden="true">${drawn}</svg>${rect(0, 0, width, height, stroke("line"))}</svg>`;
