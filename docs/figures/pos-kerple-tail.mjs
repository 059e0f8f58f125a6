// A power against an exponential: what KERPLE and two heads of ALiBi multiply a key's weight by.
export const title = "What KERPLE and two heads of ALiBi multiply a key's weight by, against its distance";
export const results = ["pos-alibi-reach"];

export function draw({ Plot, house, results }) {
  const { d, alibi, kerple } = results["pos-alibi-reach"];
  const { narrow } = house;
  const of = (w) => d.map((distance, i) => ({ d: distance, w: w[i] })).filter((point) => point.w > 1e-6);
  const series = [
    { name: "KERPLE", colour: "f1", label: false, data: of(kerple) },
    { name: "ALiBi, m = 1/4", colour: "f3", label: false, data: of(alibi[1]) },
    { name: "ALiBi, m = 1/64", colour: "f2", label: false, data: of(alibi[5]) },
  ];
  return Plot.plot({
    ...house.plot({
      x: { type: "log", domain: [1, 2048], label: "distance, in tokens" },
      y: { type: "log", domain: [1e-4, 1], label: "factor of the weight" },
    }),
    marks: [
      ...house.lines(series, { x: "d", y: "w", clip: true }),
      house.text(620, 4e-3, narrow ? "KERPLE" : "KERPLE, 1/(1 + d)", { colour: "f1" }),
      house.text(22, 1.2e-3, "m = 1/4", { colour: "f3", textAnchor: "end" }),
      house.text(330, 1.2e-3, "m = 1/64", { colour: "f2", textAnchor: "end" }),
    ],
  });
}
