// The ablation of placements: how the loss falls in training, each placement at its best rate.
import { depth_panels } from "./kit/depths.mjs";

export { results } from "./kit/depths.mjs";
export const title = "Training loss against the step for four placements, at 2, 6 and 12 blocks";

const curves = ({ runs }) => runs.map(({ curve: { steps, losses } }) => steps.map((step, i) => [step, losses[i]]));

export const draw = ({ Plot, house, results }) =>
  depth_panels(Plot, house, results, curves, {
    x: { name: "step", from: 0, to: 1500, ticks: [0, 500, 1000] },
    y: { name: "training loss (nats a byte)" },
  });
