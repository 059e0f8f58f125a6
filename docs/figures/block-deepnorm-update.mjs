// How far one step of gradient descent moves the result, against the depth.
import { spread } from "./kit/spread.mjs";

export const title = "Movement of the result by one step on the linear maps, against the number of blocks, for four placements";
export const results = ["block-deepnorm-update"];

export function draw({ house, results }) {
  const all = results["block-deepnorm-update"], x = all.depths;
  return house.chart({
    x: { name: "blocks", log: true, base: 2, from: 2, to: 64, ticks: x, tickFormat: String },
    y: { name: "‖ΔF‖ / η", log: true, from: 3e-3, to: 1e4 },
    lines: [
      { name: "post", colour: "f2", x, ...spread(all.post) },
      { name: "pre", colour: "f1", x, ...spread(all.pre) },
      { name: "DeepNorm", colour: "f3", x, ...spread(all.deepnorm) },
      { name: "GLM’s α and β", short: "GLM’s", colour: "f4", x, ...spread(all["deepnorm-glm"]) },
    ],
  });
}
