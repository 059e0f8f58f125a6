// The gradient on its way down through 30 layers, with residual connections and without.
import { spread } from "./kit/spread.mjs";

export const title = "Gradient left after 1 to 30 layers of tanh, with a residual connection around each and without";
export const results = ["block-residual-depth"];

export function draw({ Plot, house, results }) {
  const series = [
    { name: "x + f(x)", id: "residual", colour: "f1" },
    { name: "f(x) alone", short: "f(x)", id: "plain", colour: "f2" },
  ].map((s) => ({ ...s, data: spread(results["block-residual-depth"][s.id], "layers") }));
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [0, 30], label: "layers below the top" },
      y: { type: "log", domain: [1e-8, 100], label: "‖gradient‖ / ‖gradient at the top‖" },
    }),
    marks: [
      house.rule({ y: 1, colour: "none", dash: "5 4" }),
      ...series.map((s) => house.band(s.data, { x: "layers", y1: "least", y2: "greatest", colour: s.colour })),
      ...house.lines(series, { x: "layers", y: "median" }),
      house.text(13, 8e-6, house.narrow ? "× 0.58 a layer" : "a factor of about 0.58 a layer", {
        colour: "f2",
        textAnchor: "end",
      }),
      house.text(14, 8, house.narrow ? "× 1.06 a layer" : "a factor of about 1.06 a layer", {
        colour: "f1",
        textAnchor: "end",
      }),
    ],
  });
}
