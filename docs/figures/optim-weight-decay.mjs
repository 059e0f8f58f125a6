// What is left of a weight that sees only noise, against the size of the noise: AdamW, and L2 inside Adam.
export const title = "What 4,000 steps of noise leave of a weight, with decoupled decay and with L2 inside Adam";
export const results = ["ch10"];

export function draw({ house, results: { ch10: { numbers: { decay: { scales: x, decoupled, coupled } } } } }) {
  const lines = [
    { name: "decoupled", colour: "f1", x, y: decoupled },
    { name: "L2 in Adam", short: "L2", colour: "f2", x, y: coupled },
  ];
  return house.chart({
    x: { name: "size of the noise in the gradient", log: true, from: 0.1, to: 10, ticks: [0.1, 1, 10] },
    y: { name: "what is left of a weight of 1", from: 0, to: 1.05 },
    lines,
    dots: lines.flatMap(({ y, colour }) => y.map((value, i) => ({ x: x[i], y: value, colour }))),
  });
}
