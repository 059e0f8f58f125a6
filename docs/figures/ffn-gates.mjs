// By how much a gate multiplies its value: the sigmoid, and the three that have no upper end.
export const title = "What four gates let through";
export const results = ["activation-curves"];

export function draw({ house, results: { "activation-curves": { names } } }) {
  const line = (name, id, colour) => ({ name, colour, label: false, x: names[id].x, y: names[id].y });
  return house.chart({
    x: { name: "what the gate stands at, a", from: -4, to: 4 },
    y: { name: "factor of the value", from: -0.5, to: 4.1 },
    under: [house.rule({ y: 1, dash: "7 5" })],
    lines: [
      line("ReLU", "act-relu", "f4"),
      line("GELU", "act-gelu", "f1"),
      line("SiLU", "act-silu", "f3"),
      line("sigmoid", "act-sigmoid", "f2"),
    ],
    words: [
      [-3.8, 1.16, "all of the value", { short: "all of it", colour: "soft" }],
      [2.1, 0.74, "sigmoid", { colour: "f2" }],
      [2.5, 3.3, "ReLU", { colour: "f4", textAnchor: "end" }],
      [-0.35, -0.4, "GELU", { colour: "f1" }],
      [-1.9, -0.38, "SiLU", { colour: "f3", textAnchor: "end" }],
    ],
  });
}
