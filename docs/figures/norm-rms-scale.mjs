// RMSNorm forgets the scale of its input: between ε and the end of f16.
export const title = "Root mean square of RMSNorm(a·x) against a, for three ε and in f16";
export const results = ["norm-rms-scale"];

export function draw({ house, results: { "norm-rms-scale": { curves } } }) {
  const line = (name, id, colour, more) => {
    const { a, y } = curves.find((curve) => curve.id === id);
    return { name, colour, label: false, x: a, y, ...more };
  };
  return house.chart({
    x: { name: "root mean square of the input, a", log: true, from: 1e-6, to: 1e6 },
    y: { name: "root mean square of the output", from: 0, to: 1.15 },
    under: [house.rule({ y: Math.SQRT1_2, dash: "2 4" })],
    lines: [
      line("ε = 0", "eps-0", "ink"),
      line("ε = 10⁻⁶", "eps-6", "f3"),
      line("ε = 10⁻⁵", "eps-5", "f1"),
      line("all in f16", "f16", "wrong", { dash: true }),
    ],
    words: [
      [1.5e-6, 1.07, "ε = 0: always 1, whatever the scale", { short: "ε = 0: always 1" }],
      [5.5e-4, 0.45, "ε = 10⁻⁶", { colour: "f3", textAnchor: "end", dx: -8 }],
      [1.6e-3, 0.45, "ε = 10⁻⁵", { colour: "f1", dx: 8 }],
      [1, Math.SQRT1_2, "1/√2, where a = √ε", { short: "1/√2", colour: "soft", textAnchor: "middle", dy: -9 }],
      [300, 0.35, "squares in f16:\n0 from 256 on", { short: "f16: 0\nfrom 256 on", colour: "wrong", dx: 4 }],
    ],
  });
}
