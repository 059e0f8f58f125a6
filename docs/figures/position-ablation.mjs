// The ablation of position encodings: eight seeds of each at its best learning rate.
import { ablation_strips } from "./kit/ablation.mjs";

export const title = "Loss of one small language model with each position encoding";
export const results = ["ablation-position"];

export const draw = ({ house, results }) => ablation_strips(house, results["ablation-position"], { domain: [1.87, 2.33] });
