// How loud the stream gets by block, before training.
export const title = "Variance of the stream by block, before training, under four placements";
export const results = ["ch08"];

export function draw({ Plot, house, results: { ch08 } }) {
  const start = ch08.numbers.start;
  const of = (name) => start[name].variance.map((v, l) => ({ l, v }));
  const depth = start.pre.variance.length - 1;
  const series = [
    { name: "sandwich", colour: "f4", data: of("sandwich") },
    { name: "pre", colour: "f1", data: of("pre") },
    { name: "post, DeepNorm", short: "post, Deep", colour: "f2", data: of("post") },
  ];
  const line = (slope) =>
    house.line(
      [0, depth].map((l) => ({ l, v: 1 + slope * l })),
      { x: "l", y: "v", colour: "ink", dash: "4 4", strokeWidth: 1.3 },
    );
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [0, depth], label: "block" },
      y: { domain: [0, 52], label: "variance of the stream" },
    }),
    marks: [
      line(1),
      line(2),
      ...house.lines(series, { x: "l", y: "v" }),
      house.text(9, 24.5, "two a block", { colour: "soft", textAnchor: "end" }),
      house.text(14, 11, "one a block", { colour: "soft" }),
    ],
  });
}
