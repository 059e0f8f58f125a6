// The first encoder layer of the Transformer of 2017, from its own calls.
import { draw_layer } from "./kit/calls.mjs";

export const title = "An encoder layer of 2017: self-attention, feed-forward layer, each with a sum and a norm";
export const results = ["ch09"];

export const draw = (tools) => draw_layer(tools, { path: "encoder.blocks.0", title, names: { input: "$x$", output: "to the next layer" } });
