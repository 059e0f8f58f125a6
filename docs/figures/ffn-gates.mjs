// By how much a gate multiplies its value: the sigmoid, and the three that have no upper end.
export const title = "What four gates let through";
export const results = ["activation-curves"];

export function draw({ Plot, house, results: { "activation-curves": curves } }) {
  const series = [
    { id: "act-relu", name: "ReLU", colour: "f4" },
    { id: "act-gelu", name: "GELU", colour: "f1" },
    { id: "act-silu", name: "SiLU", colour: "f3" },
    { id: "act-sigmoid", name: "sigmoid", colour: "f2" },
  ].map((s) => ({ ...s, label: false, data: curves.names[s.id].x.map((a, i) => ({ a, f: curves.names[s.id].y[i] })) }));
  return Plot.plot({
    ...house.plot({
      x: { domain: [-4, 4], label: "what the gate stands at, a" },
      y: { domain: [-0.5, 4.1], label: "factor of the value" },
    }),
    marks: [
      house.rule({ y: 1, dash: "7 5" }),
      ...house.lines(series, { x: "a", y: "f" }),
      house.text(-3.8, 1.16, house.narrow ? "all of it" : "all of the value", { colour: "soft" }),
      house.text(2.1, 0.74, "sigmoid", { colour: "f2" }),
      house.text(2.5, 3.3, "ReLU", { colour: "f4", textAnchor: "end" }),
      house.text(-0.35, -0.4, "GELU", { colour: "f1" }),
      house.text(-1.9, -0.38, "SiLU", { colour: "f3", textAnchor: "end" }),
    ],
  });
}
