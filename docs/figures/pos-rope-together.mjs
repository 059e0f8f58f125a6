// The hands of a query and of a key, both moved on: the angle between them stays.
export const title = "Hands of a query and a key, five tokens apart, at three places of a text";
export const results = ["pos-rope-hands"];
const PLACES = [
  [9, 4],
  [20, 15],
  [3009, 3004],
];

export function draw({ drawing, width, results }) {
  const { hands } = results["pos-rope-hands"];
  const wide = width > 500;
  const radius = wide ? 42 : 28;
  const left = wide ? 150 : 84;
  const across = (width - left) / 4;
  const d = drawing(width, 40 + PLACES.length * (2 * radius + 16) + 28, title);
  for (let k = 0; k < 4; ++k) d.text(left + (k + 0.5) * across, 16, `pair ${k}`, { size: 14 });
  PLACES.forEach(([m, n], row) => {
    const y = 34 + radius + row * (2 * radius + 16);
    d.text(left - 12, y - 10, `query ${wide ? "at " : ""}${m}`, { size: wide ? 14 : 12, anchor: "end", role: "value" });
    d.text(left - 12, y + 10, `key ${wide ? "at " : ""}${n}`, { size: wide ? 14 : 12, anchor: "end", role: "parameter" });
    for (let k = 0; k < 4; ++k) faces(d, left + (k + 0.5) * across, y, radius, hands[m][k], hands[n][k]);
  });
  const last = 34 + PLACES.length * (2 * radius + 16) + 12;
  ["5", "0.5", "0.05", "0.005"].forEach((angle, k) =>
    d.text(left + (k + 0.5) * across, last, wide ? `${angle} radians apart` : angle, { size: 13, role: "soft" })
  );
  if (!wide) d.text(left - 12, last, "radians", { size: 12, role: "soft", anchor: "end" });
  return d;
}

// The arc goes from the key's hand to the query's, the shorter way.
function faces(d, x, y, radius, query, key) {
  d.circle(x, y, radius, { role: "constant", width: 1.2 });
  const at = (angle, r) => `${(x + r * Math.cos(angle)).toFixed(1)} ${(y - r * Math.sin(angle)).toFixed(1)}`;
  const between = Math.atan2(Math.sin(query - key), Math.cos(query - key));
  const r = radius * 0.5;
  const sweep = between > 0 ? 0 : 1;
  d.path(`M${x} ${y}L${at(key, r)}A${r} ${r} 0 0 ${sweep} ${at(query, r)}Z`, { role: "line", fill: "hidden", width: 1 });
  for (const [angle, role] of [
    [key, "parameter"],
    [query, "value"],
  ])
    d.arrow(x, y, x + (radius - 3) * Math.cos(angle), y - (radius - 3) * Math.sin(angle), { role, width: 2, head: 8 });
}
