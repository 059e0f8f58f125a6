// The mean of what dropout leaves, by what the rest is divided by.
export const title = "Mean of ones behind dropout against p, for three divisors";
export const results = ["regular-dropout-mean"];

export function draw({ house, results: { "regular-dropout-mean": { p: x, ...measured } } }) {
  const deviation = x.map((p) => Math.sqrt(p / (1 - p)));
  const band = { low: deviation.map((d) => 1 - d), high: deviation.map((d) => 1 + d) };
  return house.chart({
    x: { name: "p, the share that is dropped", from: 0, to: 1 },
    y: { name: "mean of y, relative to x", from: -1, to: 4 },
    clip: true,
    lines: [
      { name: "divided by 1 − p", colour: "f1", label: false, x, y: measured["divided by 1 - p"], ...band },
      { name: "not divided", colour: "none", label: false, x, y: measured["not divided"] },
      { name: "divided by p", colour: "wrong", label: false, x, y: measured["divided by p"] },
    ],
    over: [house.rule({ x: 0.5, dash: "2 4" })],
    words: [
      [0.3, 2.9, "divided by p", { colour: "wrong" }],
      [0.66, 1.22, "divided by 1 − p", { colour: "f1" }],
      [0.06, 0.58, "not divided", { colour: "soft" }],
      [0.51, -0.8, "p = ½: two divisors, one number", { short: "p = ½: alike", colour: "soft" }],
    ],
  });
}
