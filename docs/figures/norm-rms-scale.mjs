// RMSNorm forgets the scale of its input: between ε and the end of f16.
export const title = "Root mean square of RMSNorm(a·x) against a, for three ε and in f16";
export const results = ["norm-rms-scale"];

export function draw({ Plot, house, results }) {
  const of = (id) => {
    const { a, y } = results["norm-rms-scale"].curves.find((curve) => curve.id === id);
    return a.map((scale, i) => ({ a: scale, y: y[i] }));
  };
  const series = [
    { name: "ε = 0", colour: "ink", data: of("eps-0"), label: false },
    { name: "ε = 10⁻⁶", colour: "f3", data: of("eps-6"), label: false },
    { name: "ε = 10⁻⁵", colour: "f1", data: of("eps-5"), label: false },
    { name: "all in f16", colour: "wrong", dash: true, data: of("f16"), label: false },
  ];
  const { narrow } = house;
  return Plot.plot({
    ...house.plot({
      x: { type: "log", domain: [1e-6, 1e6], label: "root mean square of the input, a" },
      y: { domain: [0, 1.15], label: "root mean square of the output" },
    }),
    marks: [
      house.rule({ y: Math.SQRT1_2, dash: "2 4" }),
      ...house.lines(series, { x: "a", y: "y" }),
      house.text(1.5e-6, 1.07, narrow ? "ε = 0: always 1" : "ε = 0: always 1, whatever the scale"),
      house.text(5.5e-4, 0.45, "ε = 10⁻⁶", { colour: "f3", textAnchor: "end", dx: -8 }),
      house.text(1.6e-3, 0.45, "ε = 10⁻⁵", { colour: "f1", dx: 8 }),
      house.text(1, Math.SQRT1_2, narrow ? "1/√2" : "1/√2, where a = √ε", { colour: "soft", textAnchor: "middle", dy: -9 }),
      house.text(300, 0.35, narrow ? "f16: 0\nfrom 256 on" : "squares in f16:\n0 from 256 on", { colour: "wrong", dx: 4 }),
    ],
  });
}
