export const title = "Share of the parameters that tying saves against depth, for two vocabularies and two widths";
export const results = ["claims"];

const DEPTHS = [2, 4, 6, 8, 10, 12, 16, 20, 24, 32];

export function draw({ Plot, house, results: { claims } }) {
  const claim = claims.claims.find(({ id }) => id === "claim-tying-saves-parameters");
  const data = (vocabulary, width) =>
    claim.places
      .find(({ where }) => where.vocabulary === vocabulary && where.width === width)
      .values.map((share, k) => ({ layers: DEPTHS[k], share: 100 * share }));
  const series = [
    { name: "50,257 ids, d = 64", short: "50,257, 64", colour: "f1", data: data("50,257", "64") },
    { name: "50,257 ids, d = 256", short: "50,257, 256", colour: "f2", data: data("50,257", "256") },
    { name: "256 ids, d = 64", short: "256, 64", colour: "f3", at: [9, 5.5], data: data("256", "64") },
    { name: "256 ids, d = 256", short: "256, 256", colour: "f4", data: data("256", "256") },
  ];
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [0, 32], ticks: [2, 8, 16, 24, 32], label: "blocks" },
      y: { domain: [0, 52], label: "parameters saved (%)" },
    }),
    marks: [...house.lines(series, { x: "layers", y: "share" }), house.rule({ y: 10, colour: "none", dash: "5 4" })],
  });
}
