// The ablation of experts: eight seeds of each number of them at its best learning rate.
import { ablation_strips } from "./kit/ablation.mjs";

export const title = "Loss of one small language model with 1 to 32 experts, of which each byte goes through one";
export const results = ["ablation-experts"];

export const draw = ({ house, results }) => ablation_strips(house, results["ablation-experts"], { domain: [1.92, 2.06], marginLeft: 92 });
