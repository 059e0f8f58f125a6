// The gradient of a b at 81 points, as arrows over the product.
export const title = "Gradients of a product";
export const results = ["op-mul-saddle"];
export function draw({ Plot, house, results: { "op-mul-saddle": points }, width }) {
  const size = Math.min(width, 440);
  const step = 0.25;
  const fill = ({ y }) => house.colour[y === 0 ? "z0" : `${y > 0 ? "p" : "m"}${Math.abs(y) >= 2 ? 2 : 1}`];
  const scale = (size - 64) / 4.5 / 6.5; // pixels of an arrow for a slope of 1
  return Plot.plot({
    ...house.plot({
      width: size,
      height: size + 10,
      x: { domain: [-2.25, 2.25], label: "a", ticks: [-2, -1, 0, 1, 2], tickFormat: String },
      y: { domain: [-2.25, 2.25], label: "b", ticks: [-2, -1, 0, 1, 2], tickFormat: String, grid: false },
    }),
    marks: [
      Plot.rect(points, {
        x1: (d) => d.a - step,
        x2: (d) => d.a + step,
        y1: (d) => d.b - step,
        y2: (d) => d.b + step,
        fill,
        inset: 0.5,
      }),
      Plot.vector(
        points.filter((d) => d.da || d.db),
        {
          x: "a",
          y: "b",
          anchor: "middle",
          stroke: house.colour.gradient,
          strokeWidth: 1.6,
          length: { value: (d) => scale * Math.hypot(d.da, d.db), scale: null },
          rotate: (d) => (Math.atan2(d.da, d.db) * 180) / Math.PI,
        },
      ),
      Plot.dot(
        points.filter((d) => !d.da && !d.db),
        { x: "a", y: "b", r: 4, fill: house.colour.ink },
      ),
      house.text(0.1, -0.02, "slope 0", { dy: 14 }),
    ],
  });
}
