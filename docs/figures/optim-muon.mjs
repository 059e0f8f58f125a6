// What Newton and Schulz's iteration makes of singular values.
export const title = "Singular values after 1, 3 and 5 iterations against what they were";
export const results = ["optim-muon-curve"];

export const draw = ({ house, results: { "optim-muon-curve": { s: x, ...curves } } }) =>
  house.chart({
    x: { name: "singular value, relative to the matrix's norm", log: true, from: 1e-4, to: 1 },
    y: { name: "what becomes of it", from: 0, to: 1.25 },
    under: [house.rule({ y: 1, dash: "2 4" })],
    lines: [
      { name: "5 times", colour: "f1", label: false, x, y: curves[5] },
      { name: "3 times", colour: "f3", label: false, x, y: curves[3] },
      { name: "once", colour: "f2", label: false, x, y: curves[1] },
    ],
    words: [
      [1.1e-3, 0.52, "5 times", { colour: "f1", textAnchor: "end", dx: -14 }],
      [1.3e-2, 0.52, "3 times", { colour: "f3", textAnchor: "end", dx: -14 }],
      [8e-2, 0.27, "once", { colour: "f2", textAnchor: "end", dx: -14 }],
    ],
  });
