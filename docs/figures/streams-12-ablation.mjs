// The ablation of streams in 12 blocks: the seeds of each at its best learning rate.
import { ablation_strips } from "./kit/ablation.mjs";

export const title = "Loss of one small language model of 12 blocks, with other things in place of its residual sum";
export const results = ["ablation-streams-12"];

export const draw = ({ house, results }) =>
  ablation_strips(house, results["ablation-streams-12"], { domain: [1.98, 2.2], marginLeft: 190 });
