import { curves } from "./act-sigmoid-curves.mjs";

export const title = "Squared ReLU, xIELU and SiLU with their slopes";
export const results = ["activation-curves"];

export const draw = (tools) =>
  curves(tools, {
    panels: [
      { id: "act-relu2", name: "squared ReLU" },
      { id: "act-xielu", name: "xIELU", words: [[-3.6, -0.75, "slope −0.3"]] },
      { id: "act-silu", name: "SiLU" },
    ],
    y: [-1.1, 3.1],
  });
