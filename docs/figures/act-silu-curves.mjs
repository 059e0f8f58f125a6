import { curves } from "./act-sigmoid-curves.mjs";

export const title = "SiLU, GELU and Mish with their slopes";
export const results = ["activation-curves"];

export const draw = (tools) =>
  curves(tools, {
    panels: [
      { id: "act-silu", name: "SiLU" },
      { id: "act-gelu", name: "GELU" },
      { id: "act-mish", name: "Mish" },
    ],
    y: [-0.6, 2.6],
    words: [
      { name: "SiLU", x: -3.8, y: 0.75, text: "slope ½ at 0", colour: "gradient" },
      { name: "GELU", x: -3.8, y: 0.75, text: "slope ½ at 0", colour: "gradient" },
      { name: "Mish", x: -3.8, y: 0.85, text: "slope 0.6 at 0", colour: "gradient" },
    ],
  });
