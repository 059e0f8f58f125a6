// How loud the stream gets by block, before training.
export const title = "Variance of the stream by block, before training, under four placements";
export const results = ["ch08"];

export function draw({ house, results: { ch08: { numbers: { start } } } }) {
  const depth = start.pre.variance.length - 1;
  const grows = (by) => house.line([[0, 1], [depth, 1 + by * depth]], { colour: "ink", dash: "4 4", strokeWidth: 1.3 });
  return house.chart({
    x: { name: "block", from: 0, to: depth },
    y: { name: "variance of the stream", from: 0, to: 52 },
    under: [grows(1), grows(2)],
    lines: [
      { name: "sandwich", colour: "f4", y: start.sandwich.variance },
      { name: "pre", colour: "f1", y: start.pre.variance },
      { name: "post, DeepNorm", short: "post, Deep", colour: "f2", y: start.post.variance },
    ],
    words: [
      [9, 24.5, "two a block", { colour: "soft", textAnchor: "end" }],
      [14, 11, "one a block", { colour: "soft" }],
    ],
  });
}
