// Scores of two queries against their keys, with no projections, with random ones, and with a rotation between them
// (docs/examples/pos-sinusoidal-pictures.cpp).
export const title = "Scores of two queries against the distance of the key, for three matrices between them";
export const results = ["pos-sinusoidal-pictures"];

const PANELS = [
  ["none", "no projections"],
  ["random", "random W"],
  ["rotation", "a rotation"],
];

export function draw({ Plot, house, results, width }) {
  const known = results["pos-sinusoidal-pictures"];
  const narrow = width < 500;
  const queries = [
    { query: "query 40", colour: "f1", dash: undefined, wide: 3.2 },
    { query: "query 60", colour: "f2", dash: "5 4", wide: 1.8 },
  ];
  const points = (k) => PANELS.flatMap(([id, panel]) => known[id][k].map((score, at) => ({ panel, distance: at - 20, score })));
  return Plot.plot({
    ...house.plot({
      x: { domain: [-20, 20], ticks: [-10, 0, 10], label: "key's position − query's" },
      y: { domain: [-1.1, 1.1], label: "score, relative to the greatest", ticks: 5 },
      height: narrow ? 250 : 300,
      marginTop: 56,
    }),
    fx: { domain: PANELS.map(([, panel]) => panel), padding: 0.09, label: null, axis: "top", tickSize: 0 },
    marks: [
      Plot.ruleY([0], { stroke: house.colour.soft, strokeOpacity: 0.6 }),
      Plot.ruleX([0], { stroke: house.colour.soft, strokeOpacity: 0.6 }),
      ...queries.map(({ colour, dash, wide }, k) =>
        Plot.line(points(k), {
          fx: "panel",
          x: "distance",
          y: "score",
          stroke: house.colour[colour],
          strokeWidth: wide,
          strokeDasharray: dash,
        })
      ),
      ...queries.map(({ query, colour }, k) =>
        Plot.text([{ panel: PANELS[0][1], x: 0, y: k ? -0.55 : -0.25, query }], {
          fx: "panel",
          x: "x",
          y: "y",
          text: "query",
          fill: house.colour[colour],
          stroke: house.colour.paper,
          strokeWidth: 4,
          strokeLinejoin: "round",
        })
      ),
    ],
  });
}
