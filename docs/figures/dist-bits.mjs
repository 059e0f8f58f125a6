// How many sums over ranks have other bits, by the order in which they are added.
export const title = "Percent of sums whose bits are not those of halves of halves, by number of ranks";
export const results = ["ch13"];

const ORDERS = [["rank_order", "one after another", "f1"], ["ring", "ring", "f2"], ["tree", "tree", "f3"]];

export function draw({ Plot, house, results: { ch13 } }) {
  const ranks = [2, 3, 4, 8];
  const series = ORDERS.map(([key, name, colour]) => ({
    name,
    short: name.replace("one after another", "in turn"),
    colour,
    data: ch13.numbers.bits[key].map((row, i) => ({ ranks: ranks[i], percent: row.at(-1) })),
  }));
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [2, 8], label: "ranks", ticks: [2, 3, 4, 8], tickFormat: String },
      y: { domain: [0, 60], label: "sums with other bits (%)" },
    }),
    marks: [
      ...house.lines(series, { x: "ranks", y: "percent" }),
      ...series.map(({ data, colour }) => Plot.dot(data, { x: "ranks", y: "percent", r: 4, fill: house.colour[colour] })),
    ],
  });
}
