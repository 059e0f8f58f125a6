// The first decoder layer of the Transformer of 2017, from its own calls.
import { draw_layer } from "./kit/calls.mjs";

export const title = "A decoder layer of 2017: masked self-attention, cross-attention, feed-forward layer";
export const results = ["ch09"];

export const draw = (tools) =>
  draw_layer(tools, {
    path: "decoder.blocks.0",
    title,
    names: { input: "$x$", output: "to the next layer", memory: "memory $m$" },
  });
