// Four placements at 2, 6 and 12 blocks: a panel for each depth, a line for each placement, and the loss of counting bytes.
const PLACEMENTS = [
  { key: "pre", name: "pre", colour: "f1" },
  { key: "sandwich", name: "sandwich", colour: "f4" },
  { key: "deepnorm", name: "DeepNorm", colour: "f3" },
  { key: "post", name: "post", colour: "f2" },
];

export const results = ["ablation-depth-2", "ablation-placement", "ablation-depth-12"];
const DEPTHS = ["2 blocks", "6 blocks", "12 blocks"];
const HIGHEST = 3.6; // nats; a curve begins where it gets below

// curves(variant): what is drawn of one placement at one depth, [[[x, y], …], …]; a line for each run.
export function depth_panels(Plot, house, measured, curves, { x, y }) {
  const line = (panel, points, { name, colour }) => {
    const low = points.filter(([, loss]) => loss <= HIGHEST);
    return { panel, name, colour, x: low.map(([at]) => at), y: low.map(([, loss]) => loss) };
  };
  const lines = PLACEMENTS.flatMap((placement) =>
    results.flatMap((file, i) =>
      curves(measured[file].variants.find(({ name }) => name === placement.key)).map((points) => line(DEPTHS[i], points, placement))
    )
  );
  const words = [...PLACEMENTS.map((one, i) => ({ ...one, dy: 34 + 17 * i })), { name: "counting bytes", colour: "soft", dy: 4 }];
  const side = house.narrow ? "fy" : "fx";
  return house.chart({
    x,
    y: { ...y, from: 1.4, to: HIGHEST },
    height: house.narrow ? 660 : 350,
    ...(house.narrow ? { marginRight: 70 } : {}),
    panels: DEPTHS,
    stacked: true,
    strokeWidth: 1.4,
    under: [Plot.ruleY([measured[results[0]].unigram], { stroke: house.colour.soft, strokeDasharray: "3 3" })],
    lines,
    over: words.map(({ name, colour, dy }) =>
      Plot.text([name], { [side]: () => DEPTHS[1], fill: house.colour[colour], frameAnchor: "top", dx: -14, dy })
    ),
  });
}
