// What an all-reduce of four ranks costs: the laws as lines, measured times as dots.
export const title = "Milliseconds of an all-reduce of four ranks against its bytes";
export const results = ["ch13"];

const NAMES = [["doubling", "f1"], ["halving", "f2"], ["tree", "f3"], ["ring", "f4"]];

export function draw({ Plot, house, results: { ch13 } }) {
  const series = NAMES.map(([name, colour]) => ({
    name,
    colour,
    data: ch13.numbers.cost[name].map(([bytes, seconds, law]) => ({ bytes, measured: 1000 * seconds, law: 1000 * law })),
  }));
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { type: "log", domain: [4000, 1e6], label: "bytes" },
      y: { type: "log", domain: [3, 70], label: "milliseconds", ticks: [3, 5, 10, 20, 50], tickFormat: (ms) => `${ms}` },
    }),
    marks: [
      ...house.lines(series, { x: "bytes", y: "law" }),
      ...series.map(({ data, colour }) => Plot.dot(data, { x: "bytes", y: "measured", r: 4, fill: house.colour[colour] })),
    ],
  });
}
