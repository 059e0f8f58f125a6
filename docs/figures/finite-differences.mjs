// The U: relative error of d sin x/dx at 1 by differences of width h, and by the tape.
export const title = "Relative error of a slope against the width of the difference";
export const results = ["finite-differences", "ch00"];

export function draw({ house, results: { "finite-differences": { h: x, ...measured }, ch00 } }) {
  const { narrow } = house, { tape_f64: tape } = ch00.numbers.u;
  const lines = [
    { name: "forward f32", colour: "f4", at: narrow ? [1e-15, 15] : [5e-6, 0.25] },
    { name: "central f32", colour: "f2", at: narrow ? [3e-10, 15] : [8e-7, 1.1e-7] },
    { name: "forward f64", colour: "f1", at: [8e-11, 5e-11] },
    { name: "central f64", colour: "f3", at: [1.2e-5, 6e-13] },
  ].map((line) => ({ ...line, x, y: measured[line.name] }));
  return house.chart({
    x: { name: "width h of the difference", log: true, from: 1e-16, to: 0.1 },
    y: { name: "relative error of the slope", log: true, from: 1e-17, to: 100 },
    strokeWidth: narrow ? 1.6 : 2,
    lines: [...lines, { name: "the tape", colour: "ink", at: [2e-16, 4e-16], x: [1e-16, 0.1], y: [tape, tape] }],
    dots: lines.map(({ y, colour }) => ({ x: x[y.indexOf(Math.min(...y))], y: Math.min(...y), colour })),
    words: narrow ? [] : [
      [3e-15, 1e-6, "digits cancel", { colour: "soft" }],
      [0.06, 1e-9, "h too wide", { colour: "soft", textAnchor: "end" }],
    ],
  });
}
