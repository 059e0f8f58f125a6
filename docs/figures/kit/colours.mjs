// The colours of Gradus as CSS variables with the light value as fallback, so that a picture follows the page's mode and
// can also be seen alone. The roles mean the same everywhere; f1 to f4 are the members of a family of variants.
export { text_width } from "../../kit/words.mjs";

const LIGHT = {
  paper: "#ffffff",
  panel: "#f6f7f9",
  line: "#dfe3e8",
  ink: "#1b1f24",
  black: "#1b1f24", // the darker of ink and paper
  soft: "#57606a",
  value: "#046ede",
  gradient: "#b25803",
  parameter: "#570c5a",
  constant: "#636e7c",
  right: "#197c5a",
  wrong: "#992130",
  hidden: "#c9d0d8",
  f1: "#00708c",
  f2: "#8f6400",
  f3: "#6a3fd0",
  f4: "#8e0b52",
  g1: "#fbe6cf",
  g2: "#f5c892",
  g3: "#e9a255",
  g4: "#cf7a1d",
  g5: "#a24e03",
  g6: "#6a3000",
  m3: "#0b55a8",
  m2: "#86b8ea",
  m1: "#d3e5f7",
  z0: "#f1f3f5",
  p1: "#fbe0c3",
  p2: "#f0b06a",
  p3: "#a24e03",
};

export const colour = Object.fromEntries(Object.entries(LIGHT).map(([name, hex]) => [name, `var(--${name}, ${hex})`]));
colour.none = colour.constant;

// A name of the list above, or any CSS colour as it is.
export const colour_of = (name) => colour[name] ?? name;

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
export const MATH_FONT = "'STIX Two Text', Cambria, 'Noto Serif', Georgia, serif";
