// The ablation of placements: how the loss falls in training, each placement at its best rate.
import { depth_panels } from "./kit/depths.mjs";

export { results } from "./kit/depths.mjs";
export const title = "Training loss against the step for four placements, at 2, 6 and 12 blocks";

const curves = ({ runs }) => runs.flatMap(({ curve }, run) => curve.steps.map((x, i) => ({ x, y: curve.losses[i], run })));

export const draw = ({ Plot, house, results }) =>
  depth_panels(Plot, house, results, curves, {
    x: { domain: [0, 1500], ticks: [0, 500, 1000], label: "step" },
    y: { label: "training loss (nats a byte)" },
  });
