// Leaky ReLU at α = 0.01, with its left half once more, raised and 40 times as high.
export const title = "Leaky ReLU with α = 0.01, and its left half 40 times as high";
export const results = ["activation-curves"];

const HIGHER = 40;
const ZERO = 2.9; // where the enlarged half has its 0

export function draw({ Plot, house, results, width }) {
  const { x, y, dy } = results["activation-curves"].names["act-leaky-relu"];
  const narrow = width < 500;
  const points = x.map((at, i) => ({ x: at, y: y[i], dy: dy[i] }));
  const left = points.filter((p) => p.x <= 0);
  const slope = { colour: "gradient", dash: "5 3", strokeWidth: 1.8 };
  const least = left[0];
  return Plot.plot({
    ...house.plot({
      x: { domain: [-4, 4], label: "x" },
      y: { domain: [-0.5, 4], ticks: 5, label: "f(x) solid, f′(x) dashed" },
    }),
    marks: [
      house.rule({ y: 0 }),
      house.rule({ x: 0 }),
      house.line(left, { x: "x", y: "dy", ...slope }),
      house.line(points.filter((p) => p.x > 0).map((p, i) => ({ ...p, x: i === 0 ? 0 : p.x })), { x: "x", y: "dy", ...slope }),
      house.line(points, { x: "x", y: "y", colour: "value" }),
      Plot.rect([{ x1: -3.98, x2: -0.25, y1: 0.9, y2: 3.9 }], {
        x1: "x1",
        x2: "x2",
        y1: "y1",
        y2: "y2",
        fill: house.colour.paper,
        stroke: house.colour.soft,
      }),
      Plot.line(
        [
          { x: -3.98, y: ZERO },
          { x: -0.25, y: ZERO },
        ],
        { x: "x", y: "y", stroke: house.colour.soft },
      ),
      house.line(left.filter((p) => p.x < -0.25), { x: "x", y: (p) => ZERO + HIGHER * p.y, colour: "value" }),
      house.text(-3.8, 3.5, narrow ? "× 40 in height" : `the same, ${HIGHER} times as high`),
      house.text(-3.1, ZERO + HIGHER * least.y, `${house.number(least.y)} at ${house.number(least.x)}`, { dy: -2 }),
      house.text(-0.35, ZERO, "0", { textAnchor: "end", dy: -9, colour: "soft" }),
      house.text(1.6, 1, narrow ? "slope 1" : "slope 1, on the left 0.01", { colour: "gradient", dy: -9 }),
    ],
  });
}
