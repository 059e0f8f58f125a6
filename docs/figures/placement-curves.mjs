// The ablation of placements: how the loss falls in training, each placement at its best rate.
import { depth_panels } from "./kit/depths.mjs";

export { results } from "./kit/depths.mjs";
export const title = "Training loss against the step for four placements, at 2, 6 and 12 blocks";

// The mean over the seeds, step by step.
const mean_curve = ({ runs }) =>
  runs[0].curve.steps.map((x, i) => ({ x, y: runs.reduce((sum, { curve }) => sum + curve.losses[i], 0) / runs.length }));

export const draw = ({ Plot, house, results }) =>
  depth_panels(Plot, house, results, mean_curve, {
    x: { domain: [0, 1500], ticks: [0, 500, 1000, 1500], label: "step" },
    y: { label: "training loss (nats a byte)" },
  });
