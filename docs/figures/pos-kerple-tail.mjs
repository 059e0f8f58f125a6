// A power against an exponential: what KERPLE and two heads of ALiBi multiply a key's weight by.
export const title = "What KERPLE and two heads of ALiBi multiply a key's weight by, against its distance";
export const results = ["pos-alibi-reach"];

export const draw = ({ house, results: { "pos-alibi-reach": { d: x, alibi, kerple } } }) =>
  house.chart({
    x: { name: "distance, in tokens", log: true, from: 1, to: 2048 },
    y: { name: "factor of the weight", log: true, from: 1e-4, to: 1 },
    clip: true,
    lines: [
      { name: "KERPLE", colour: "f1", label: false, x, y: kerple },
      { name: "ALiBi, m = 1/4", colour: "f3", label: false, x, y: alibi[1] },
      { name: "ALiBi, m = 1/64", colour: "f2", label: false, x, y: alibi[5] },
    ],
    words: [
      [620, 4e-3, "KERPLE, 1/(1 + d)", { short: "KERPLE", colour: "f1" }],
      [22, 1.2e-3, "m = 1/4", { colour: "f3", textAnchor: "end" }],
      [330, 1.2e-3, "m = 1/64", { colour: "f2", textAnchor: "end" }],
    ],
  });
