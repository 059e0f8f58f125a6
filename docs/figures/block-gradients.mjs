// The gradient of the stream on its way down, before training: bands from the least to the greatest of three seeds.
export const title = "Norm of the gradient of the stream by block, before training, under four placements";
export const results = ["ch08"];

export function draw({ Plot, house, results: { ch08 } }) {
  const { start, theory } = ch08.numbers;
  const of = (values) => values.map((y, l) => ({ l, y }));
  const depth = start.pre.gradient.length - 1;
  const series = [
    { name: "sandwich", colour: "f4", data: of(start.sandwich.gradient), label: false },
    { name: "pre", colour: "f1", data: of(start.pre.gradient), label: false },
    { name: "theory for pre", colour: "ink", dash: "4 4", data: of(theory.pre.gradient), label: false },
    { name: "DeepNorm", colour: "f3", data: of(start.deepnorm.gradient), label: false },
    { name: "post", colour: "f2", data: of(start.post.gradient), label: false },
  ];
  return Plot.plot({
    ...house.plot({
      x: { domain: [0, depth], label: "block" },
      y: {
        type: "log",
        domain: [0.5, 10],
        ticks: [0.5, 1, 2, 5, 10],
        tickFormat: String,
        label: "‖dL/dx‖ over that at the top",
      },
    }),
    marks: [
      ...house.lines(series, { x: "l", y: "y" }),
      house.text(0.4, 8, "sandwich", { colour: "f4" }),
      house.text(4.2, 2.85, house.narrow ? "σ of the top / σ here" : "theory for pre: σ of the top over σ here", {
        colour: "soft",
      }),
      house.text(3.4, 1.55, "pre", { colour: "f1", textAnchor: "end" }),
      house.text(18.5, 0.86, "DeepNorm", { colour: "f3", textAnchor: "middle" }),
      house.text(5, 0.6, "post", { colour: "f2", textAnchor: "middle" }),
    ],
  });
}
