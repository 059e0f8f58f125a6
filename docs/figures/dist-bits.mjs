// How many sums over ranks have other bits, by the order in which they are added.
export const title = "Percent of sums whose bits are not those of a binary tree, by number of ranks";
export const results = ["ch13"];

const RANKS = [2, 3, 4, 8];
const ORDERS = [["rank_order", "one after another", "f1"], ["ring", "ring", "f2"], ["tree", "tree", "f3"]];

export const draw = ({ house, results: { ch13 } }) => {
  const lines = ORDERS.map(([key, name, colour]) => ({
    name,
    short: name.replace("one after another", "in turn"),
    colour,
    x: RANKS,
    y: ch13.numbers.bits[key].map((row) => row.at(-1)),
  }));
  return house.chart({
    x: { name: "ranks", from: 2, to: 8, ticks: RANKS, tickFormat: String },
    y: { name: "sums with other bits (%)", from: 0, to: 60 },
    lines,
    dots: lines.flatMap(({ x, y, colour }) => x.map((at, i) => ({ x: at, y: y[i], colour }))),
  });
};
