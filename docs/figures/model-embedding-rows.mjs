// The hand example of model-embedding: rows copied out on the way forward, added back on the way back.
import { draw_lookup } from "./kit/lookup.mjs";

export const title = "A lookup copies rows; its gradient adds them back";

export const draw = (tools) =>
  draw_lookup(tools, {
    title,
    table: [
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
    ],
    ids: [2, 0, 2],
    g: [
      [1, 0],
      [2, -1],
      [3, 1],
    ],
    names: ["$E$", "$y$", "$dL/dE$", "$g$"],
    of: "id",
    words: ["forward: rows are copied", "back: row 2 gets the sum of two"],
  });
