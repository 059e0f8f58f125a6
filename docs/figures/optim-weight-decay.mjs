// What is left of a weight that sees only noise, against the size of the noise: AdamW, and L2 inside Adam.
export const title = "What 4,000 steps of noise leave of a weight, with decoupled decay and with L2 inside Adam";
export const results = ["ch10"];

export function draw({ Plot, house, results: { ch10 } }) {
  const { scales, decoupled, coupled } = ch10.numbers.decay;
  const points = (values) => scales.map((scale, i) => ({ scale, left: values[i] }));
  const series = [
    { name: "decoupled", colour: "f1", data: points(decoupled) },
    { name: "L2 in Adam", short: "L2", colour: "f2", data: points(coupled) },
  ];
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { type: "log", domain: [0.1, 10], label: "size of the noise in the gradient", ticks: [0.1, 1, 10] },
      y: { domain: [0, 1.05], label: "what is left of a weight of 1" },
    }),
    marks: [
      ...house.lines(series, { x: "scale", y: "left" }),
      ...series.map(({ data, colour }) => Plot.dot(data, { x: "scale", y: "left", r: 4, fill: house.colour[colour] })),
    ],
  });
}
