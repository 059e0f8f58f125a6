// What the sweeps of the ablation of placements tried: the loss at each learning rate.
import { depth_panels } from "./kit/depths.mjs";

export { results } from "./kit/depths.mjs";
export const title = "Validation loss against the learning rate for four placements, at 2, 6 and 12 blocks";

const sweep = ({ tried }) => tried.map(([x, y]) => ({ x, y }));

export const draw = ({ Plot, house, results }) =>
  depth_panels(Plot, house, results, sweep, {
    x: { type: "log", base: 2, ticks: [0.001, 0.004, 0.016], tickFormat: String, label: "learning rate" },
    y: { label: "validation loss (nats a byte)" },
  });
