// Chapter 12: every norm with every placement, position encoding and feed-forward layer, in spreads of the baseline.
export const title = "Loss of each combination, in spreads of the baseline's seeds";
export const results = ["ch12"];

const ROWS = ["rms", "layer", "center"].flatMap((norm) => ["pre", "post", "deep"].map((place) => `${norm}, ${place}`));
const COLUMNS = ["rope", "alibi", "none"].flatMap((position) => ["SwiGLU", "GELU", "ReLU"].map((ffn) => `${position}\n${ffn}`));

const shown = (z) => (Math.abs(z) < 1 ? Math.round(z * 10) / 10 : z);

export function draw({ Plot, house, results }) {
  const cells = results.ch12.numbers.matrix.in_spreads.map((row) => row.map((value) => (value === "nan" ? null : shown(value))));
  const { narrow } = house;
  return Plot.plot(
    house.heat(cells, {
      scale: "signed",
      limit: 20, // the faintest step is then up to 2
      digits: 2,
      numbers: !narrow,
      rows: ROWS,
      columns: narrow ? undefined : COLUMNS,
      marginLeft: 92,
      marginTop: narrow ? 10 : 50,
    }),
  );
}
