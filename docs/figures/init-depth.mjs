// The mean square of what arrives at each of twenty layers, by start.
export const title = "Mean square by layer, for four starts";
export const results = ["init-depth"];

export const draw = ({ house, results: { "init-depth": run } }) =>
  house.chart({
    x: { name: "layer", from: 0, to: 20 },
    y: { name: "mean square", log: true, from: 1e-12, to: 100 },
    clip: true,
    lines: [
      { name: "Xavier, no activation", colour: "f3", label: false, y: run["Xavier, no activation"] },
      { name: "Kaiming, ReLU", colour: "ink", label: false, y: run["Kaiming, ReLU"] },
      { name: "Xavier, ReLU", colour: "f1", label: false, y: run["Xavier, ReLU"] },
      { name: "N(0, 0.02²), ReLU", colour: "wrong", label: false, y: run["0.02, ReLU"] },
    ],
    words: [
      [19.8, 30, "Kaiming with ReLU, Xavier without: 1", { short: "Kaiming, ReLU", textAnchor: "end" }],
      [10, 1.5e-2, "Xavier with ReLU: half is lost at each", { short: "Xavier, ReLU: ½ᵏ", colour: "f1" }],
      [8.4, 1e-9, "N(0, 0.02²) with ReLU", { colour: "wrong" }],
    ],
  });
