// Text of a drawing: "the row's $x_j$" with mathematics between dollars. There letters stand slanted, digits and
// $\word$ upright; _j and ^2 (or _{ij}, ^{-1}) are lowered and raised, \hat x has a hat.
import { escaped, with_minus } from "../../kit/words.mjs";

// A symbol of a page's table as it stands in data-term: \hat g is hat-g, \gamma is gamma.
export const term_name = (tex) =>
  tex
    ?.replace(/\\/g, "")
    .replace(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .replace(/ /g, "-");

const LOWERED = 0.3;
const RAISED = -0.42;

// The tspans of a text at a size in pixels; everything is mathematics where `math` is true.
export function tspans(text, size, math = false) {
  const parts = math ? [["math", text]] : text.split("$").map((part, i) => [i % 2 ? "math" : "words", part]);
  return parts.map(([kind, part]) => (kind === "math" ? formula(part, size) : escaped(with_minus(part)))).join("");
}

// How wide the text is, about.
export const plain = (text) => text.replace(/[$\\{}_^]/g, "");

function formula(source, size) {
  let shift = 0;
  const out = [];
  for (const { text, level } of pieces(source)) {
    const wanted = level === "_" ? LOWERED * size : level === "^" ? RAISED * size : 0;
    const dy = Math.round((wanted - shift) * 10) / 10;
    shift = wanted;
    const small = level ? ` font-size="${Math.max(11, Math.round(size * 0.72 * 2) / 2)}"` : "";
    const slanted = /^[\p{L}\u0302]+$/u.test(text) && !/^[\u2060\u0391-\u03a9]/.test(text) ? ' font-style="italic"' : "";
    const down = dy ? ` dy="${dy}"` : "";
    const shown = escaped(text.replace("\u2060", "")).replace(/^ +$/, "\u2009"); // a plain space would lose its dy
    out.push(`<tspan font-family="var(--math)"${slanted}${small}${down}>${shown}</tspan>`);
  }
  if (shift) out.push(`<tspan dy="${Math.round(-shift * 10) / 10}">\u200b</tspan>`);
  return out.join("");
}

// [{ text, level: "" | "_" | "^" }]: letters, and the rest, apart.
function pieces(source) {
  const out = [];
  const add = (text, level) => {
    const spaced = with_minus(text).replaceAll("-", "−");
    for (const run of spaced.match(/\\[a-z]+ ?|[\p{L}\u0302]+|[^\p{L}\u0302\\]+/gu) ?? [])
      out.push({ text: run.startsWith("\\") ? `\u2060${run.slice(1).trimEnd()}` : run, level });
  };
  const hatted = source.replace(/\\hat ?\{?(\p{L})\}?/gu, "$1\u0302");
  for (const [, level, braced, single, rest] of hatted.matchAll(/([_^])(?:\{([^}]*)\}|(.))|([^_^]+)/gu))
    add(rest ?? braced ?? single, level ?? "");
  return out;
}
