export const title = "SiLU, SiLU clamped at 10 and SiTU's gate";
export const results = ["act-smooth-curves"];

export function draw({ house, results }) {
  const curves = results["act-smooth-curves"];
  const lines = [
    { name: "SiLU", key: "gate silu", colour: "none" },
    { name: "clamped", key: "gate clamped", colour: "f1" },
    { name: "SiTU", key: "gate situ", colour: "f2" },
  ];
  return house.chart({
    x: { name: "a", from: -6, to: 14, ticks: [-5, 0, 5, 10] },
    y: { name: "f(a)", from: -1, to: 14, ticks: [0, 4, 10] },
    height: 260,
    lines: lines.map(({ key, ...line }) => ({ ...line, ...curves[key] })),
  });
}
