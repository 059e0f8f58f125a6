// Pieces of SVG. Colours are names of the page's tokens.
import { escaped } from "./words.mjs";

export const at = (v) => String(Math.round(v * 10) / 10); // a place in px
export const rect = (x, y, width, height, look) => `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" ${look}/>`;
export const fill = (colour) => `fill="var(--${colour})"`;
export const stroke = (colour) => `stroke="var(--${colour})" fill="none"`;
export const path = (d, look) => `<path d="${d}" ${look}/>`;
export const label = (x, y, anchor, words, colour = "soft", size = 12) =>
  `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}" font-size="${size}" ${fill(colour)}>${escaped(words)}</text>`;

// What a picture says to those who do not see it; without an alt it is hidden from them, for words beside it say the same.
export const said = (alt) => (alt ? `role="img" aria-label="${escaped(alt)}"` : 'aria-hidden="true"');

// In a frame, beyond which nothing is drawn: a panel's drawing, hidden from screen readers.
export const framed = (width, height, drawn) =>
  `<svg viewBox="-1 -1 ${width + 2} ${height + 2}" aria-hidden="true"><svg width="${width}" height="${height}" style="overflow:hidden" ` +
  `aria-hidden="true">${drawn}</svg>${rect(0, 0, width, height, stroke("line"))}</svg>`;
