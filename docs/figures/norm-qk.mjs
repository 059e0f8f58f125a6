export const title = "The largest score against the size of queries and keys, with and without a norm";
export const results = ["norm-qk-scale"];

export function draw({ Plot, house, results }) {
  const { size, ...scores } = results["norm-qk-scale"];
  const data = (name) => size.map((a, i) => ({ a, score: scores[name][i] }));
  const series = [
    { name: "no norm", colour: "none", data: data("none") },
    { name: "RMSNorm", colour: "f1", data: data("rms") },
    { name: "cosine", colour: "f2", data: data("cosine") },
  ];
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { type: "log", domain: [1e-2, 1e3], label: "RMS of queries and keys" },
      y: { type: "log", domain: [1e-4, 1e7], label: "largest |score|" },
    }),
    marks: [
      house.rule({ y: 8, dash: "5 4" }),
      ...house.lines(series, { x: "a", y: "score", clip: true }),
      house.text(1.2e-2, 24, "bound: √64 = 8", { colour: "soft" }),
      house.text(30, 3e4, "100 times for each 10", { colour: "none", textAnchor: "end" }),
    ],
  });
}
