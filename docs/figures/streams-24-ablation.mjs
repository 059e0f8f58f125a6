// The ablation of streams in 24 blocks: the seeds of each at its best learning rate.
import { ablation_strips } from "./kit/ablation.mjs";

export const title = "Loss of one small language model of 24 blocks, with other things in place of its residual sum";
export const results = ["ablation-streams-24"];

export const draw = ({ house, results }) =>
  ablation_strips(house, results["ablation-streams-24"], { domain: [1.98, 2.24], marginLeft: 190 });
