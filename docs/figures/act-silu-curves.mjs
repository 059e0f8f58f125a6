import { curves } from "./act-sigmoid-curves.mjs";

export const title = "SiLU, GELU and Mish with their slopes";
export const results = ["activation-curves"];

export const draw = (tools) =>
  curves(tools, {
    panels: [
      { id: "act-silu", name: "SiLU", words: [[-3.8, 0.75, "slope ½ at 0"]] },
      { id: "act-gelu", name: "GELU", words: [[-3.8, 0.75, "slope ½ at 0"]] },
      { id: "act-mish", name: "Mish", words: [[-3.8, 0.85, "slope 0.6 at 0"]] },
    ],
    y: [-0.6, 2.6],
  });
