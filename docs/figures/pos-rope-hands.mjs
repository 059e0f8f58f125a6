// RoPE's pairs as clock hands: one row a position, one column a pair.
export const title = "The hands of four pairs at six positions";
export const results = ["pos-rope-hands"];
const POSITIONS = [0, 1, 2, 4, 40, 400];
const WAVELENGTHS = ["6.3", "62.8", "628", "6,283"];

export function draw({ drawing, width, results }) {
  const { hands } = results["pos-rope-hands"];
  const wide = width > 500;
  const radius = wide ? 27 : 22;
  const left = wide ? 150 : 88;
  const across = (width - left) / 4;
  const d = drawing(width, 62 + POSITIONS.length * (2 * radius + 12), title);
  WAVELENGTHS.forEach((tokens, k) => {
    const x = left + (k + 0.5) * across;
    d.text(x, 16, `pair ${k}`, { size: 14 });
    d.text(x, 36, wide ? `${tokens} tokens a turn` : tokens, { role: "soft", size: wide ? 13 : 12 });
  });
  if (!wide) d.text(left - 12, 36, "tokens", { role: "soft", size: 12, anchor: "end" });
  POSITIONS.forEach((p, row) => {
    const y = 58 + radius + row * (2 * radius + 12);
    d.text(left - 12, y, wide ? `position ${p}` : `p = ${p}`, { size: 14, anchor: "end" });
    hands[p].forEach((angle, k) => clock(d, left + (k + 0.5) * across, y, radius, angle));
  });
  return d;
}

function clock(d, x, y, radius, angle) {
  d.circle(x, y, radius, { role: "constant", width: 1.2 });
  d.line(x + radius - 5, y, x + radius, y, { role: "soft", width: 1.5 });
  d.arrow(x, y, x + (radius - 3) * Math.cos(angle), y - (radius - 3) * Math.sin(angle), {
    role: "value",
    width: 2,
    head: 7,
  });
}
