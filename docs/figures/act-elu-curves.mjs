export const title = "ELU for α = ½, 1 and 2, with the floors at which it levels off";
export const results = ["act-smooth-curves"];

export function draw({ Plot, house, results, width }) {
  const curves = results["act-smooth-curves"];
  const narrow = width < 500;
  const all = [
    { alpha: 0.5, name: "½", colour: "f3" },
    { alpha: 1, name: "1", colour: "f2" },
    { alpha: 2, name: "2", colour: "f1" },
  ].map((one) => ({
    ...one,
    data: ["below", "above"].flatMap((side) => {
      const { x, y } = curves[`elu ${one.alpha} ${side}`];
      return x.map((at, i) => ({ x: at, y: y[i] }));
    }),
  }));
  return Plot.plot({
    ...house.plot({
      x: { domain: [-4, 2], label: "x" },
      y: { domain: [-2.2, 2], ticks: 5, label: "ELU(x)" },
    }),
    marks: [
      house.rule({ y: 0 }),
      house.rule({ x: 0 }),
      ...all.map(({ alpha, colour }) => house.rule({ y: -alpha, colour, dash: "1 4" })),
      ...all.map(({ data, colour }) => house.line(data, { x: "x", y: "y", colour })),
      ...all.map(({ alpha, name, colour }) =>
        house.text(0.15, -alpha, narrow ? `α = ${name}` : `α = ${name}: floor −${name}`, { colour, dy: -9 })
      ),
      house.text(narrow ? -0.2 : 0.9, 1.3, "x for every α", { textAnchor: "end" }),
    ],
  });
}
