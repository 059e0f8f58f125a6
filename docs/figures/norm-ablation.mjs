// The ablation of norms: eight seeds of each at its best learning rate.
import { ablation_strips } from "./kit/ablation.mjs";

export const title = "Loss of one small language model with each norm";
export const results = ["ablation-norm"];

export const draw = ({ house, results }) => ablation_strips(house, results["ablation-norm"], { left_out: ["dyt"], domain: [1.92, 2.1] });
