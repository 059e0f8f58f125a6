// The ablation of placements: three seeds of each at its best learning rate.
import { ablation_strips } from "./kit/ablation.mjs";

export const title = "Loss of a model of six blocks with each placement of the norm";
export const results = ["ablation-placement"];

export const draw = ({ house, results }) => ablation_strips(house, results["ablation-placement"], { domain: [1.5, 1.72], marginLeft: 176 });
