// The gradient on its way down through 30 layers, with residual connections and without.
import { spread } from "./kit/spread.mjs";

export const title = "Gradient left after 1 to 30 layers of tanh, with a residual connection around each and without";
export const results = ["block-residual-depth"];

export const draw = ({ house, results: { "block-residual-depth": runs } }) =>
  house.chart({
    x: { name: "layers below the top", from: 0, to: 30 },
    y: { name: "‖gradient‖ / ‖gradient at the top‖", log: true, from: 1e-8, to: 100 },
    under: [house.rule({ y: 1, colour: "none", dash: "5 4" })],
    lines: [
      { name: "x + f(x)", colour: "f1", ...spread(runs.residual) },
      { name: "f(x) alone", short: "f(x)", colour: "f2", ...spread(runs.plain) },
    ],
    words: [
      [13, 8e-6, "a factor of about 0.58 a layer", { short: "× 0.58 a layer", colour: "f2", textAnchor: "end" }],
      [14, 8, "a factor of about 1.06 a layer", { short: "× 1.06 a layer", colour: "f1", textAnchor: "end" }],
    ],
  });
