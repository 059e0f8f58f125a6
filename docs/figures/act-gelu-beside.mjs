export const title = "How far the tanh form, QuickGELU and SiLU are from GELU";
export const results = ["act-smooth-curves"];

export function draw({ Plot, house, results }) {
  const { x, ...others } = results["act-smooth-curves"]["beside gelu"];
  const series = [
    { id: "silu", name: "SiLU", colour: "f3" },
    { id: "quick_gelu", name: "QuickGELU", short: "Quick", colour: "f2" },
    { id: "gelu_tanh", name: "tanh form", short: "tanh", colour: "f1" },
  ].map((s) => ({
    ...s,
    data: x.map((at, i) => ({ x: at, distance: Math.abs(others[s.id][i]) })).filter((d) => d.x >= 0 && d.distance > 0),
  }));
  const farthest = series.map(({ data, colour }) => ({
    ...data.reduce((a, b) => (b.distance > a.distance ? b : a)),
    colour,
  }));
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [0, 6], label: "|x|" },
      y: { type: "log", domain: [1e-6, 1], label: "distance from x Φ(x)" },
    }),
    marks: [
      ...house.lines(series, { x: "x", y: "distance", clip: true }),
      Plot.dot(farthest, { x: "x", y: "distance", r: 4, fill: (d) => house.colour[d.colour] }),
      ...farthest.map((d) => house.text(d.x, d.distance, house.number(d.distance, 2), { colour: d.colour, dy: -12, textAnchor: "middle" })),
    ],
  });
}
