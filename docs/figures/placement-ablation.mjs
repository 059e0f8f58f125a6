// The ablation of placements: five seeds of each at its best learning rate.
import { ablation_strips } from "./kit/ablation.mjs";

export const title = "Loss of a model of twelve blocks with each placement of the norm";
export const results = ["ablation-placement"];

export const draw = ({ Plot, house, results }) =>
  ablation_strips(Plot, house, results["ablation-placement"], { domain: [2.0, 3.5], marginLeft: 176 });
