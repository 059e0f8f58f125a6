// What the sweeps of the ablation of placements tried: the loss at each learning rate.
import { depth_panels } from "./kit/depths.mjs";

export { results } from "./kit/depths.mjs";
export const title = "Validation loss against the learning rate for four placements, at 2, 6 and 12 blocks";

export const draw = ({ Plot, house, results }) =>
  depth_panels(Plot, house, results, ({ tried }) => [tried], {
    x: { name: "learning rate", log: true, base: 2, ticks: [0.001, 0.004, 0.016], tickFormat: String },
    y: { name: "validation loss (nats a byte)" },
  });
