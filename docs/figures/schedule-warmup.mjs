// The warm-up alone, and the steps that it gives away.
export const title = "A warm-up of 100 steps and the triangle that it costs";

const WARMUP = 100;

export function draw({ Plot, house }) {
  const points = [0, WARMUP, 3 * WARMUP].map((t) => ({ t, rate: Math.min(1, t / WARMUP) }));
  const lost = points.filter(({ t }) => t <= WARMUP);
  return Plot.plot({
    ...house.plot({
      x: { domain: [0, 3 * WARMUP], label: "step", ticks: house.narrow ? 3 : 6 },
      y: { domain: [0, 1.15], label: "learning rate, relative to the greatest" },
    }),
    marks: [
      Plot.areaY(lost, { x: "t", y1: "rate", y2: 1, fill: house.colour.wrong, fillOpacity: 0.14 }),
      house.rule({ y: 1, dash: "7 5" }),
      ...house.lines([{ name: "warm-up", colour: "f1", label: false, data: points }], { x: "t", y: "rate" }),
      house.text(32, 0.78, house.narrow ? "given\naway" : "given away", { colour: "wrong", textAnchor: "middle" }),
      house.text(66, 0.5, house.narrow ? "a line, from 0" : "a straight line, from 0", { colour: "f1" }),
      house.text(200, 1.07, "from here on constant", { colour: "f1", textAnchor: "middle" }),
    ],
  });
}
