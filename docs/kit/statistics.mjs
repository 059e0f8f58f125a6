// What the reports say of several runs: their mean and range, differences in spreads of the baseline, chances.
import { dot_strip } from "./heat_map.mjs";
import { escaped, fixed } from "./words.mjs";

export const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
export const range = (values) => Math.max(...values) - Math.min(...values);
export const span = (values, decimals, to = "to") =>
  `${fixed(Math.min(...values), decimals)} ${to} ${fixed(Math.max(...values), decimals)}`;
export const listed = (names) => escaped(names.join(", ")) || "none";

// In grey: no more than another seed does.
export const quiet = (words) => `<span class="nodiff">${words}</span>`;

export const p_text = (p, decimals = 4) => (p < 10 ** -decimals ? `&lt; ${fixed(10 ** -decimals, decimals)}` : fixed(p, decimals));

// Differences as dots, in spreads of the baseline, on one axis for `all` of them; the grey bar is ±2 σ.
export function spreads_strip(all, values, name) {
  const [from, to] = [Math.min(-3, ...all.map((x) => x - 1)), Math.max(3, ...all.map((x) => x + 1))];
  const alt = `Dots: ${name}, from ${span(values, 1)} σ of the baseline’s mean.`;
  return dot_strip({ values, from, to, baseline: [-2, 2], colour: "ink", alt });
}
