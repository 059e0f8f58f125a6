// The hand example of pos-learned: each token reads the row of its place; nobody reads rows 1 and 3, and there is no row 4.
import { draw_lookup } from "./kit/lookup.mjs";

export const title = "Rows of learned positions, read and paid back";

export const draw = (tools) =>
  draw_lookup(tools, {
    title,
    table: [
      [1, 0],
      [0, 2],
      [3, 3],
      [5, 8],
    ],
    ids: [0, 2, 0],
    g: [
      [1, 2],
      [3, 4],
      [10, 20],
    ],
    names: ["$E$", "$E_p$", "$dL/dE$", "$g$"],
    of: "place",
    words: ["forward: each place has a row", "back: row 0 gets the sum of two"],
    missing: 4,
  });
