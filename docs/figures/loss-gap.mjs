// One right score against one wrong one: cross-entropy, softmax before it, and the squared error of the probabilities.
export const title = "Loss against how far the right score is ahead";
export const results = ["loss-curves"];
export function draw({ Plot, house, results: { "loss-curves": run } }) {
  const { narrow } = house;
  const of = (name) => run.gap.s.map((s, i) => ({ s, loss: run.gap[name][i] }));
  const series = [
    { name: "cross-entropy", colour: "ink", data: of("cross-entropy"), label: false },
    { name: "softmax before it", colour: "wrong", data: of("softmax twice"), label: false },
    { name: "squared error", colour: "f2", dash: true, data: of("squared error"), label: false },
  ];
  return Plot.plot({
    ...house.plot({
      x: { domain: [-8, 8], label: "right score − wrong score" },
      y: { domain: [0, 4], label: "loss (nats)" },
    }),
    marks: [
      ...house.lines(series, { x: "s", y: "loss", clip: true }),
      house.text(-2.9, 3.4, narrow ? "cross-entropy:\nslope −1" : "cross-entropy: slope −1, however wrong", { dx: 8 }),
      house.text(-7.8, 1.1, narrow ? "softmax before: 1.31" : "softmax before it: 1.31, flat", { colour: "wrong" }),
      house.text(-7.8, 2.22, narrow ? "squared: 2" : "squared error of p: 2, flat", { colour: "f2" }),
      house.text(7.8, 0.5, narrow ? "not below 0.31" : "and not below 0.31", { colour: "wrong", textAnchor: "end" }),
    ],
  });
}
