// A linear layer, W with a row for each unit: a number of x reaches every unit of its token, a weight its unit in every token.
import { cells, product } from "./kit/product.mjs";

export const title = "One number of x reaches every unit of its token, one weight reaches its own unit in every token";

export const draw = ({ drawing, width }) =>
  product(drawing(width, 260, title), {
    left: cells("x", 2, 2),
    right: cells("W", 2, 3, (i, k) => `${k}${i}`), // W stands turned: unit k is a column
    result: cells("a", 2, 3),
    terms: { left: "x", right: "W_1", result: "a" },
    row: 1,
    inner: 1,
    column: 0,
    words: ["$x_{22}$ reaches every unit of token 2 (filled)", "$W_{12}$ reaches unit 1 of every token (framed)"],
  });
