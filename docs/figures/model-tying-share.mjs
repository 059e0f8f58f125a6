export const title = "Share of the parameters that tying saves against depth, for two vocabularies and two widths";
export const results = ["claims"];

const DEPTHS = [2, 4, 6, 8, 10, 12, 16, 20, 24, 32];

export function draw({ house, results: { claims } }) {
  const { places } = claims.claims.find(({ id }) => id === "claim-tying-saves-parameters");
  const line = (vocabulary, width, colour, more) => {
    const { values } = places.find(({ where }) => where.vocabulary === vocabulary && where.width === width);
    const names = { name: `${vocabulary} ids, d = ${width}`, short: `${vocabulary}, ${width}` };
    return { ...names, colour, x: DEPTHS, y: values.map((share) => 100 * share), ...more };
  };
  return house.chart({
    x: { name: "blocks", from: 0, to: 32, ticks: [2, 8, 16, 24, 32] },
    y: { name: "parameters saved (%)", from: 0, to: 52 },
    lines: [
      line("50,257", "64", "f1"),
      line("50,257", "256", "f2"),
      line("256", "64", "f3", { at: [9, 5.5] }),
      line("256", "256", "f4"),
    ],
    over: [house.rule({ y: 10, colour: "none", dash: "5 4" })],
  });
}
