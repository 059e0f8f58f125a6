// Squared error, absolute error and Huber's loss, and what each says to a difference: its slope.
export const title = "Three losses of a difference and their slopes";
export const results = ["loss-curves"];
export function draw({ Plot, house, results: { "loss-curves": run } }) {
  const { narrow } = house;
  const of = (name) => run.difference.d.map((d, i) => ({ d, y: run.difference[name][i] }));
  const line = (name, colour, more = {}) => ({ name, colour, data: of(name), label: false, ...more });
  const series = [
    line("mse, slope", "f2", { dash: true }),
    {
      name: "l1, slope",
      colour: "f3",
      data: [
        { d: -3, y: -1 },
        { d: 0, y: -1 },
      ],
      label: false,
    },
    {
      name: "l1, slope ",
      colour: "f3",
      data: [
        { d: 0, y: 1 },
        { d: 3, y: 1 },
      ],
      label: false,
    },
    line("huber, slope", "ink"),
  ];
  return Plot.plot({
    ...house.plot({
      x: { domain: [-3, 3], label: "difference d of prediction and target" },
      y: { domain: [-3, 3], label: "slope ∂ℓ/∂d" },
    }),
    marks: [
      house.rule({ y: 0 }),
      ...house.lines(series, { x: "d", y: "y", clip: true }),
      house.text(1.35, 2.6, narrow ? "mse: 2d" : "squared error: 2d, without bound", {
        colour: "f2",
        textAnchor: "end",
        dx: -12,
      }),
      house.text(-0.1, 1, "absolute error: ±1", { colour: "f3", textAnchor: "end", dy: -2 }),
      house.text(0.75, 0.45, narrow ? "Huber" : "Huber: d, cut at ±1", { dx: 8 }),
      Plot.dot([{ d: 0, y: 0 }], { x: "d", y: "y", r: 3.5, fill: house.colour.f3 }),
    ],
  });
}
