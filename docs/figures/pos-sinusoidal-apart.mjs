// How far row t of the table is from row 0, by each of two waves and by both (docs/examples/pos-sinusoidal-pictures.cpp).
export const title = "Distance of row t of the sinusoidal table from row 0, for the width 4";
export const results = ["pos-sinusoidal-pictures"];

export const draw = ({ house, results: { "pos-sinusoidal-pictures": { fast, slow, both } } }) =>
  house.chart({
    x: { name: "position t", from: 0, to: 64 },
    y: { name: "distance of row t from row 0", from: 0, to: 2.2 },
    strokeWidth: 1.8,
    lines: [
      { name: "ω = 1", colour: "f2", y: fast },
      { name: "ω = 1/100", short: "1/100", colour: "f1", y: slow },
      { name: "both", colour: "ink", y: both },
    ],
    dots: both.map((y, t) => ({ x: t, y })),
    r: 2,
    words: [[43.2, 0.08, "t = 44", { colour: "f2", textAnchor: "end" }]],
  });
