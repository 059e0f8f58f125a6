// How much slower each pair turns, in four ways to a text eight times as long.
export const title = "How many times slower each of 64 pairs turns, in four ways to a longer text";
export const results = ["pos-rope-hands"];

export function draw({ Plot, house, results }) {
  const { slower } = results["pos-rope-hands"];
  const of = (id) => slower[id].map((times, pair) => ({ pair, times }));
  const series = [
    { name: "interpolation", colour: "f1", data: of("interpolation"), label: false },
    { name: "NTK", colour: "f2", data: of("ntk"), label: false },
    { name: "bands", colour: "f3", data: of("bands"), label: false },
    { name: "YaRN", colour: "f4", data: of("yarn"), label: false },
  ];
  const { narrow } = house;
  return Plot.plot({
    ...house.plot({
      x: { domain: [0, 63], label: "pair, fast ones first" },
      y: { type: "log", domain: [0.9, 10], label: "times slower than in training", ticks: [1, 2, 4, 8], tickFormat: "d" },
    }),
    marks: [
      ...house.lines(series, { x: "pair", y: "times" }),
      house.text(1, 8.8, narrow ? "interpolation: all" : "interpolation: all pairs alike", { colour: "f1" }),
      house.text(44, 4.1, narrow ? "NTK" : "NTK: each pair a little more", { colour: "f2", dx: 6, dy: 6 }),
      house.text(30.5, 1.5, "bands", { colour: "f3", dx: 8 }),
      house.text(22, 2.2, "YaRN", { colour: "f4", textAnchor: "end", dx: -8 }),
    ],
  });
}
