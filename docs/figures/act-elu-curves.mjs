export const title = "ELU for α = ½, 1 and 2, with the floors at which it levels off";
export const results = ["act-smooth-curves"];

export function draw({ house, results }) {
  const curves = results["act-smooth-curves"];
  const all = [[0.5, "½", "f3"], [1, "1", "f2"], [2, "2", "f1"]];
  const both = (alpha, axis) => ["below", "above"].flatMap((side) => curves[`elu ${alpha} ${side}`][axis]);
  return house.chart({
    x: { name: "x", from: -4, to: 2 },
    y: { name: "ELU(x)", from: -2.2, to: 2, ticks: 5 },
    under: [house.rule({ y: 0 }), house.rule({ x: 0 }), ...all.map(([alpha, , colour]) => house.rule({ y: -alpha, colour, dash: "1 4" }))],
    lines: all.map(([alpha, name, colour]) => ({ name, colour, label: false, x: both(alpha, "x"), y: both(alpha, "y") })),
    words: [
      ...all.map(([alpha, name, colour]) => [0.15, -alpha, `α = ${name}: floor −${name}`, { short: `α = ${name}`, colour, dy: -9 }]),
      [house.narrow ? -0.2 : 0.9, 1.3, "x for every α", { textAnchor: "end" }],
    ],
  });
}
