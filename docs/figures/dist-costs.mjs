// What an all-reduce of four ranks costs: the laws as lines, measured times as dots.
export const title = "Milliseconds of an all-reduce of four ranks against its bytes";
export const results = ["ch13"];

const NAMES = [["doubling", "f1"], ["halving", "f2"], ["tree", "f3"], ["ring", "f4"]];

export const draw = ({ house, results: { ch13: { numbers: { cost } } } }) =>
  house.chart({
    x: { name: "bytes", log: true, from: 4000, to: 1e6 },
    y: { name: "milliseconds", log: true, from: 3, to: 70, ticks: [3, 5, 10, 20, 50], tickFormat: String },
    lines: NAMES.map(([name, colour]) => ({
      name,
      colour,
      x: cost[name].map(([bytes]) => bytes),
      y: cost[name].map(([, , law]) => 1000 * law),
    })),
    dots: NAMES.flatMap(([name, colour]) => cost[name].map(([bytes, seconds]) => ({ x: bytes, y: 1000 * seconds, colour }))),
  });
