// Entropy of attention's weights over 16 random keys, against the width of the head.
export const title = "Entropy of attention's weights against the width of a head";
export const results = ["ch07"];

export function draw({ Plot, house, results: { ch07 }, width }) {
  const narrow = width < 500;
  const of = (values) => values.map((nats, i) => ({ d: 4 * 2 ** i, nats }));
  const { entropy } = ch07.numbers;
  const series = [
    { name: "divided by √d", short: "/ √d", colour: "f1", data: of(entropy.with) },
    { name: "not divided", short: "not", colour: "wrong", data: of(entropy.without) },
    { name: "all 16 alike", short: "alike", colour: "none", data: of(entropy.with.map(() => entropy.uniform)) },
  ];
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: {
        type: "log",
        base: 2,
        domain: [4, 256],
        label: "width of a head, d",
        ticks: [4, 8, 16, 32, 64, 128, 256],
        tickFormat: (d) => String(d),
      },
      y: { domain: [0, 3], label: "entropy of the weights (nats)" },
    }),
    marks: [
      ...house.lines(series, { x: "d", y: "nats" }),
      house.text(90, 0.62, narrow ? "nearly one key" : "nearly all weight on one key", {
        colour: "wrong",
        textAnchor: "middle",
        dy: 0,
      }),
    ],
  });
}
