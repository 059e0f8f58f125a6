// The U: relative error of d sin x/dx at 1 by differences of width h, and by the tape.
export const title = "Relative error of a slope against the width of the difference";
export const results = ["finite-differences", "ch00"];
export function draw({ Plot, house, results: { "finite-differences": measured, ch00 }, width }) {
  const narrow = width < 500;
  const series = [
    { key: "forward f32", colour: "f4", at: narrow ? [1e-15, 15] : [5e-6, 0.25] },
    { key: "central f32", colour: "f2", at: narrow ? [3e-10, 15] : [8e-7, 1.1e-7] },
    { key: "forward f64", colour: "f1", at: [8e-11, 5e-11] },
    { key: "central f64", colour: "f3", at: [1.2e-5, 6e-13] },
  ].map((line) => ({ ...line, name: line.key, data: measured.h.map((h, i) => ({ h, error: measured[line.key][i] })) }));
  const tape = {
    name: "the tape",
    colour: "ink",
    at: [2e-16, 4e-16],
    data: [1e-16, 0.1].map((h) => ({ h, error: ch00.numbers.u.tape_f64 })),
  };
  const dots = series.map((line) => ({
    ...line.data.reduce((a, b) => (b.error < a.error ? b : a)),
    colour: house.colour[line.colour],
  }));
  return Plot.plot({
    ...house.plot({
      x: { type: "log", domain: [1e-16, 0.1], label: "width h of the difference" },
      y: { type: "log", domain: [1e-17, 100], label: "relative error of the slope" },
    }),
    marks: [
      ...house.lines([...series, tape], { x: "h", y: "error", strokeWidth: narrow ? 1.6 : 2 }),
      Plot.dot(dots, { x: "h", y: "error", r: 4, fill: "colour" }),
      narrow ? null : house.text(3e-15, 1e-6, "digits cancel", { colour: "soft" }),
      narrow ? null : house.text(0.06, 1e-9, "h too wide", { colour: "soft", textAnchor: "end" }),
    ],
  });
}
