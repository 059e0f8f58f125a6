export const title = "Weights of the decoder's cross-attention while it writes eight letters in reverse";
export const results = ["ch09"];

export function draw({ Plot, house, results: { ch09 }, width }) {
  const weights = ch09.numbers.picture.weights.map((row) => row.map((w) => (w < 0.005 ? 0 : w)));
  const names = weights.map((_, t) => String(t + 1));
  return Plot.plot(
    house.heat(weights, {
      limits: [0.005, 1],
      rows: names,
      columns: [...names, "end"],
      label: "weight",
      numbers: width > 500,
      max_cell: 46,
    }),
  );
}
