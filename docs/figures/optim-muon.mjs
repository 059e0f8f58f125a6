// What Newton and Schulz's iteration makes of singular values.
export const title = "Singular values after 1, 3 and 5 iterations against what they were";
export const results = ["optim-muon-curve"];

export function draw({ Plot, house, results }) {
  const curves = results["optim-muon-curve"];
  const series = [
    { times: "5", name: "5 times", colour: "f1" },
    { times: "3", name: "3 times", colour: "f3" },
    { times: "1", name: "once", colour: "f2" },
  ].map(({ times, ...look }) => ({ ...look, label: false, data: curves.s.map((s, i) => ({ s, made: curves[times][i] })) }));
  const size = 1.15;
  return Plot.plot({
    ...house.plot({
      x: { type: "log", domain: [1e-4, 1], label: "singular value, relative to the matrix's norm" },
      y: { domain: [0, size + 0.1], label: "what becomes of it" },
    }),
    marks: [
      house.rule({ y: 1, dash: "2 4" }),
      ...house.lines(series, { x: "s", y: "made" }),
      house.text(1.1e-3, 0.52, "5 times", { colour: "f1", textAnchor: "end", dx: -14 }),
      house.text(1.3e-2, 0.52, "3 times", { colour: "f3", textAnchor: "end", dx: -14 }),
      house.text(8e-2, 0.27, "once", { colour: "f2", textAnchor: "end", dx: -14 }),
    ],
  });
}
