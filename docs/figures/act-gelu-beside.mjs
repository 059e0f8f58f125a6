export const title = "How far the tanh form, QuickGELU and SiLU are from GELU";
export const results = ["act-smooth-curves"];

export function draw({ house, results }) {
  const { x, ...others } = results["act-smooth-curves"]["beside gelu"];
  const lines = [
    { id: "silu", name: "SiLU", colour: "f3" },
    { id: "quick_gelu", name: "QuickGELU", short: "Quick", colour: "f2" },
    { id: "gelu_tanh", name: "tanh form", short: "tanh", colour: "f1" },
  ].map(({ id, ...line }) => ({ ...line, x, y: x.map((at, i) => (at >= 0 && others[id][i] !== 0 ? Math.abs(others[id][i]) : null)) }));
  const dots = lines.map(({ y, colour }) => ({ x: x[y.indexOf(Math.max(...y))], y: Math.max(...y), colour }));
  return house.chart({
    x: { name: "|x|", from: 0, to: 6 },
    y: { name: "distance from x Φ(x)", log: true, from: 1e-6, to: 1 },
    clip: true,
    lines,
    dots,
    words: dots.map((d) => [d.x, d.y, house.number(d.y, 2), { colour: d.colour, dy: -12, textAnchor: "middle" }]),
  });
}
