// The warm-up alone, and the steps that it gives away.
export const title = "A warm-up of 100 steps and the triangle that it costs";

const WARMUP = 100;

export const draw = ({ Plot, house }) =>
  house.chart({
    x: { name: "step", from: 0, to: 3 * WARMUP, ticks: house.narrow ? 3 : 6 },
    y: { name: "learning rate, relative to the greatest", from: 0, to: 1.15 },
    under: [
      Plot.areaY([0, 1], { x: (rate) => rate * WARMUP, y1: (rate) => rate, y2: 1, fill: house.colour.wrong, fillOpacity: 0.14 }),
      house.rule({ y: 1, dash: "7 5" }),
    ],
    lines: [{ name: "warm-up", colour: "f1", label: false, x: [0, WARMUP, 3 * WARMUP], y: [0, 1, 1] }],
    words: [
      [32, 0.78, "given away", { short: "given\naway", colour: "wrong", textAnchor: "middle" }],
      [66, 0.5, "a straight line, from 0", { short: "a line, from 0", colour: "f1" }],
      [200, 1.07, "from here on constant", { colour: "f1", textAnchor: "middle" }],
    ],
  });
