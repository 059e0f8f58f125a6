export const title = "The largest score against the size of queries and keys, with and without a norm";
export const results = ["norm-qk-scale"];

export const draw = ({ house, results: { "norm-qk-scale": { size: x, none, rms, cosine } } }) =>
  house.chart({
    x: { name: "RMS of queries and keys", log: true, from: 1e-2, to: 1e3 },
    y: { name: "largest |score|", log: true, from: 1e-4, to: 1e7 },
    clip: true,
    under: [house.rule({ y: 8, dash: "5 4" })],
    lines: [
      { name: "no norm", colour: "none", x, y: none },
      { name: "RMSNorm", colour: "f1", x, y: rms },
      { name: "cosine", colour: "f2", x, y: cosine },
    ],
    words: [
      [1.2e-2, 24, "bound: √64 = 8", { colour: "soft" }],
      [30, 3e4, "100 times for each 10", { colour: "none", textAnchor: "end" }],
    ],
  });
