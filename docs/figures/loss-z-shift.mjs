// One row of scores, all moved by the same amount: cross-entropy is flat, z-loss has a lowest point.
export const title = "Loss against a shift of all scores, for three coefficients of the z-loss";
export const results = ["loss-curves"];
export function draw({ Plot, house, results: { "loss-curves": run } }) {
  const { narrow } = house;
  const of = (c) => run.shift.a.map((a, i) => ({ a, loss: run.shift[c][i] }));
  const series = [
    { name: "c = 0", colour: "none", data: of("0"), label: false },
    { name: "c = 0.001", colour: "f3", data: of("0.001"), label: false },
    { name: "c = 0.01", colour: "f1", data: of("0.01"), label: false },
  ];
  return Plot.plot({
    ...house.plot({
      x: { domain: [-12, 12], label: "added to all three scores" },
      y: { domain: [0, 3], label: "cross-entropy + c (log Z)² (nats)" },
    }),
    marks: [
      house.rule({ x: -Math.log(10), dash: "2 4" }),
      ...house.lines(series, { x: "a", y: "loss" }),
      house.text(-Math.log(10), 2.7, narrow ? "log Z = 0" : "here log Z = 0", { colour: "soft", dx: 8 }),
      house.text(6.4, 2.05, "c = 0.01", { colour: "f1", textAnchor: "end" }),
      house.text(11.8, 1.28, "c = 0.001", { colour: "f3", textAnchor: "end" }),
      house.text(11.8, 0.72, narrow ? "c = 0: flat" : "c = 0: flat, nothing holds the scores", {
        colour: "soft",
        textAnchor: "end",
      }),
    ],
  });
}
