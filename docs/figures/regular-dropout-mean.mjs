// The mean of what dropout leaves, by what the rest is divided by.
export const title = "Mean of ones behind dropout against p, for three divisors";
export const results = ["regular-dropout-mean"];

export function draw({ Plot, house, results }) {
  const measured = results["regular-dropout-mean"];
  const of = (id) => measured.p.map((p, at) => ({ p, mean: measured[id][at] }));
  const spread = measured.p.map((p) => ({ p, least: 1 - Math.sqrt(p / (1 - p)), greatest: 1 + Math.sqrt(p / (1 - p)) }));
  const series = [
    { name: "divided by 1 − p", colour: "f1", data: of("divided by 1 - p"), label: false },
    { name: "not divided", colour: "none", data: of("not divided"), label: false },
    { name: "divided by p", colour: "wrong", data: of("divided by p"), label: false },
  ];
  return Plot.plot({
    ...house.plot({
      x: { domain: [0, 1], label: "p, the share that is dropped" },
      y: { domain: [-1, 4], label: "mean of y, relative to x" },
    }),
    marks: [
      house.band(spread, { x: "p", y1: "least", y2: "greatest", colour: "f1", clip: true }),
      ...house.lines(series, { x: "p", y: "mean", clip: true }),
      house.rule({ x: 0.5, dash: "2 4" }),
      house.text(0.3, 2.9, "divided by p", { colour: "wrong" }),
      house.text(0.66, 1.22, "divided by 1 − p", { colour: "f1" }),
      house.text(0.06, 0.58, "not divided", { colour: "soft" }),
      house.text(0.51, -0.8, house.narrow ? "p = ½: alike" : "p = ½: two divisors, one number", { colour: "soft" }),
    ],
  });
}
