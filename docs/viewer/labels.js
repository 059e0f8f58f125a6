// Names, shapes and rings, as boxes and panels show them.
import { drawn, element } from "../kit/dom.mjs";
import { name_of } from "./model.js";

// The name without the path of the frame around it.
export const name_within = (tensor, path) => without_path(name_of(tensor), path);

export function without_path(name, path) {
  return path && name.startsWith(`${path}.`) ? name.slice(path.length + 1) : name;
}

// A name whose path may be cut where there is no room, but not its last part.
export function path_and_last(name) {
  const at = name.lastIndexOf(".") + 1;
  return [
    at > 0 && element("span.path", element("bdi", name.slice(0, at))),
    element("span.last", name.slice(at)),
  ];
}

// The letter of a size, [letter, its place]: only where no other letter and no product of two has that size, for then an
// axis that is two folded into one would be named wrongly.
export function letter_of(dimensions, size) {
  const letters = Object.entries(dimensions ?? {});
  const place = letters.findIndex(([, of]) => of === size);
  if (place < 0 || letters.some(([, of], i) => i !== place && of === size)) return null;
  const factors = letters.map(([, of]) => of).filter((of) => of > 1);
  if (factors.some((a, i) => factors.some((b, j) => j > i && a * b === size))) return null;
  return [letters[place][0], place];
}

// "T = 8, C = 16": the letters of a shape in words.
export function letters_in(model, shape) {
  const told = shape.map((size) => [letter_of(model.trace.dimensions, size), size]).filter(([letter]) => letter);
  return [...new Set(told.map(([[letter], size]) => `${letter} = ${size.toLocaleString("en")}`))].join(", ");
}

// The shape, each size with its letter where it is sure.
export function shape_of(model, shape) {
  const axis = (size) => {
    const found = letter_of(model.trace.dimensions, size);
    if (!found) return String(size);
    const [letter, place] = found;
    return element("span", { class: `d${(place % 4) + 1}`, title: `${letter} = ${size}` }, `${letter} ${size}`);
  };
  if (shape.length === 0) return element("span.shape", "scalar");
  return element("span.shape", "[", shape.flatMap((size, i) => (i > 0 ? [", ", axis(size)] : [axis(size)])), "]");
}

// Arcs, one for each gradient that will come, filled once it has.
export function ring(arrived, expected) {
  const arcs = Math.min(expected, 12);
  const filled = Math.round((arcs * arrived) / expected);
  const gap = arcs > 1 ? Math.min(0.5, 2 / arcs) : 0;
  const point = (angle) => `${(9 + 7 * Math.sin(angle)).toFixed(2)},${(9 - 7 * Math.cos(angle)).toFixed(2)}`;
  const arc = (i) => {
    if (arcs === 1) return drawn("circle", { cx: 9, cy: 9, r: 7, class: i < filled ? "come" : "due" });
    const from = (i * 2 * Math.PI) / arcs + gap / 2;
    const to = ((i + 1) * 2 * Math.PI) / arcs - gap / 2;
    return drawn("path", {
      d: `M${point(from)}A7,7 0 ${to - from > Math.PI ? 1 : 0} 1 ${point(to)}`,
      class: i < filled ? "come" : "due",
    });
  };
  return drawn("svg.ring", { width: 18, height: 18, viewBox: "0 0 18 18", "aria-hidden": "true" },
    Array.from({ length: arcs }, (_, i) => arc(i)));
}

export const of_text = (arrived, expected) => `${arrived.toLocaleString("en")} of ${expected.toLocaleString("en")}`;
