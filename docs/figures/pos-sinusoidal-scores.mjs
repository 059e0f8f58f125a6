// Scores of two queries against their keys, with no projections, with random ones, and with a rotation between them
// (docs/examples/pos-sinusoidal-pictures.cpp).
export const title = "Scores of two queries against the distance of the key, for three matrices between them";
export const results = ["pos-sinusoidal-pictures"];

const PANELS = { none: "no projections", random: "random W", rotation: "a rotation" };
const QUERIES = [
  { name: "query 40", colour: "f1", width: 3.2 },
  { name: "query 60", colour: "f2", width: 1.8, dash: "5 4" },
];

export function draw({ Plot, house, results: { "pos-sinusoidal-pictures": known } }) {
  const axis = { stroke: house.colour.soft, strokeOpacity: 0.6 };
  const x = known.none[0].map((_, at) => at - 20);
  return house.chart({
    x: { name: "key's position − query's", from: -20, to: 20, ticks: [-10, 0, 10] },
    y: { name: "score, relative to the greatest", from: -1.1, to: 1.1, ticks: 5 },
    height: house.narrow ? 250 : 300,
    panels: Object.values(PANELS),
    under: [Plot.ruleY([0], axis), Plot.ruleX([0], axis)],
    lines: QUERIES.flatMap((query, k) => Object.entries(PANELS).map(([id, panel]) => ({ ...query, panel, x, y: known[id][k] }))),
    words: QUERIES.map(({ name, colour }, k) => [0, k ? -0.55 : -0.25, name, { panel: PANELS.none, colour, textAnchor: "middle" }]),
  });
}
