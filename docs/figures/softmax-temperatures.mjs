// The scores of the hand example as probabilities at three temperatures. The bars of the scores have another scale.
export const title = "Three scores, and their softmax at temperatures ½, 1 and 2";

const SCORES = [0, Math.log(4), Math.log(5)];

function softmax(scores) {
  const powers = scores.map((x) => Math.exp(x - Math.max(...scores)));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

export function draw({ Plot, house, width }) {
  const narrow = width < 500;
  const panels = [
    { name: "scores x", values: SCORES, longest: Math.max(...SCORES) / 0.6, colour: "ink" },
    ...[
      ["½", 0.5],
      ["1", 1],
      ["2", 2],
    ].map(([word, tau]) => ({
      name: `softmax, τ = ${word}`,
      values: softmax(SCORES.map((x) => x / tau)),
      longest: 1,
      colour: "value",
    })),
  ];
  const bars = panels.flatMap(({ name, values, longest, colour }) =>
    values.map((value, i) => ({ panel: name, row: `x${"₁₂₃"[i]}`, length: value / longest, value, colour }))
  );
  const facet = narrow ? "fy" : "fx";
  return Plot.plot({
    ...house.plot({
      height: narrow ? 420 : 190,
      marginTop: 34,
      marginBottom: 12,
      marginLeft: 30,
      marginRight: narrow ? 130 : 8,
      x: { domain: [0, 1], axis: null },
    }),
    y: { type: "band", domain: bars.slice(0, 3).map((b) => b.row), label: null, tickSize: 0, padding: 0.2 },
    [facet]: {
      domain: panels.map((p) => p.name),
      padding: narrow ? 0.15 : 0.06,
      label: null,
      axis: narrow ? "right" : "top",
      tickSize: 0,
    },
    marks: [
      Plot.ruleX([0], { stroke: house.colour.soft }),
      Plot.barX(bars, { [facet]: "panel", x: "length", y: "row", fill: (d) => house.colour[d.colour] }),
      Plot.text(bars, {
        [facet]: "panel",
        x: "length",
        y: "row",
        text: (d) => (d.value === 0 ? "0" : d.value.toFixed(d.value < 0.1 ? 3 : 2)),
        textAnchor: "start",
        dx: 5,
        fill: house.colour.ink,
      }),
    ],
  });
}
