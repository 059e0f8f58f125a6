// How far row t of the table is from row 0, by each of two waves and by both (docs/examples/pos-sinusoidal-pictures.cpp).
export const title = "Distance of row t of the sinusoidal table from row 0, for the width 4";
export const results = ["pos-sinusoidal-pictures"];

export function draw({ Plot, house, results }) {
  const known = results["pos-sinusoidal-pictures"];
  const data = (name) => known[name].map((apart, t) => ({ t, apart }));
  const series = [
    { name: "ω = 1", colour: "f2", data: data("fast") },
    { name: "ω = 1/100", short: "1/100", colour: "f1", data: data("slow") },
    { name: "both", colour: "ink", data: data("both") },
  ];
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [0, 64], label: "position t" },
      y: { domain: [0, 2.2], label: "distance of row t from row 0" },
    }),
    marks: [
      ...house.lines(series, { x: "t", y: "apart", strokeWidth: 1.8 }),
      Plot.dot(data("both"), { x: "t", y: "apart", r: 2, fill: house.colour.ink }),
      house.text(43.2, 0.08, "t = 44", { colour: "f2", textAnchor: "end" }),
    ],
  });
}
