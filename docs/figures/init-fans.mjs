// Xavier's start: what one linear layer does to sizes on the way up and on the way down, by the share of its inputs.
export const title = "A layer's factor on the way up and on the way down";
export const results = ["init-depth"];

export function draw({ house, results: { "init-depth": run } }) {
  const dots = (name, colour) => run.fan_in.map((n, i) => ({ x: n / run.of, y: run[name][i], colour }));
  return house.chart({
    x: { name: "fan_in / (fan_in + fan_out)", from: 0, to: 1 },
    y: { name: "mean square after the layer / before it", from: 0, to: 2.1 },
    under: [house.rule({ y: 1, dash: "2 4" })],
    lines: [
      { name: "up", colour: "value", label: false, y: [0, 2] },
      { name: "down", colour: "gradient", label: false, y: [2, 0] },
    ],
    dots: [...dots("up", "value"), ...dots("down", "gradient")],
    words: [
      [0.84, 1.88, "values, on the way up", { short: "values", colour: "value", textAnchor: "end" }],
      [0.16, 1.88, "gradients, on the way down", { short: "gradients", colour: "gradient" }],
      [0.5, 0.4, "both kept: fan_in = fan_out", { short: "both kept", colour: "soft", textAnchor: "middle" }],
    ],
  });
}
