// Four placements at 2, 6 and 12 blocks: a panel for each depth, a line for each placement, and the loss of counting bytes.
const placements = [
  { key: "pre", name: "pre", colour: "f1" },
  { key: "sandwich", name: "sandwich", colour: "f4" },
  { key: "deepnorm", name: "DeepNorm", colour: "f3" },
  { key: "post", name: "post", colour: "f2" },
];

export const results = ["ablation-depth-2", "ablation-placement", "ablation-depth-12"];
const depths = ["2 blocks", "6 blocks", "12 blocks"];
const highest = 3.6; // nats; a curve begins where it gets below

// points(variant): what is drawn of one placement at one depth, [{ x, y, run }]; a line for each run.
export function depth_panels(Plot, house, measured, points, { x, y }) {
  const { narrow, colour } = house;
  const facet = narrow ? { fy: "panel" } : { fx: "panel" };
  const lines = placements.map(({ key, ...line }) => ({
    ...line,
    data: results.flatMap((file, i) =>
      points(measured[file].variants.find(({ name }) => name === key))
        .filter(({ y }) => y <= highest)
        .map((at) => ({ panel: depths[i], ...at }))
    ),
  }));
  const counting = measured[results[0]].unigram;
  const words = [
    ...lines.map(({ name, colour: role }, i) => ({ panel: depths[1], text: name, fill: colour[role], row: i })),
    { panel: depths[1], text: "counting bytes", fill: colour.soft, row: -1 },
  ];
  return Plot.plot({
    ...house.plot({ x, y: { ...y, domain: [1.4, highest] }, height: narrow ? 660 : 350, marginTop: 56 }),
    ...(narrow
      ? { fy: { domain: depths, padding: 0.16, label: null, axis: "right", tickSize: 0 }, marginRight: 70 }
      : { fx: { domain: depths, padding: 0.07, label: null, axis: "top", tickSize: 0 } }),
    marks: [
      Plot.ruleY([counting], { stroke: colour.soft, strokeDasharray: "3 3" }),
      ...lines.map(({ data, colour: role }) =>
        Plot.line(data, { ...facet, x: "x", y: "y", z: (d) => d.run ?? 0, stroke: colour[role], strokeWidth: 1.4 })
      ),
      ...words.map(({ panel, text, fill, row }) =>
        Plot.text([{ panel, text }], {
          ...facet,
          fill,
          text: "text",
          frameAnchor: "top",
          dx: -14,
          dy: row < 0 ? 4 : 34 + 17 * row,
        })
      ),
    ],
  });
}
