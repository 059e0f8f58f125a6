// How much slower each pair turns, in four ways to a text eight times as long.
export const title = "How many times slower each of 64 pairs turns, in four ways to a longer text";
export const results = ["pos-rope-hands"];

export const draw = ({ house, results: { "pos-rope-hands": { slower } } }) =>
  house.chart({
    x: { name: "pair, fast ones first", from: 0, to: 63 },
    y: { name: "times slower than in training", log: true, from: 0.9, to: 10, ticks: [1, 2, 4, 8], tickFormat: "d" },
    lines: [
      { name: "interpolation", colour: "f1", label: false, y: slower.interpolation },
      { name: "NTK", colour: "f2", label: false, y: slower.ntk },
      { name: "bands", colour: "f3", label: false, y: slower.bands },
      { name: "YaRN", colour: "f4", label: false, y: slower.yarn },
    ],
    words: [
      [1, 8.8, "interpolation: all pairs alike", { short: "interpolation: all", colour: "f1" }],
      [44, 4.1, "NTK: each pair a little more", { short: "NTK", colour: "f2", dx: 6, dy: 6 }],
      [30.5, 1.5, "bands", { colour: "f3", dx: 8 }],
      [22, 2.2, "YaRN", { colour: "f4", textAnchor: "end", dx: -8 }],
    ],
  });
